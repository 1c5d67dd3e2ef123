"""The rows of streaming: Unpacker and Packer of Packhorse and msgpack, fed in pieces."""

from functools import partial

from measure import Row, Task

CHUNK = 64 * 1024


def in_chunks(data, size=CHUNK):
    return [data[at : at + size] for at in range(0, len(data), size)]


def unpack_stream(unpacker_type):
    """A function that feeds chunks to a new Unpacker and drops each object as it comes."""

    def unpack(chunks):
        unpacker = unpacker_type()
        for chunk in chunks:
            unpacker.feed(chunk)
            for _ in unpacker:
                pass

    return unpack


def pack_stream(packer_type):
    """A function that packs objects one after the other with one Packer."""

    def pack(objects):
        pack_one = packer_type().pack
        for one in objects:
            pack_one(one)

    return pack


def call_each(function):
    def call(arguments):
        for argument in arguments:
            function(argument)

    return call


def check_stream(peer, chunks, expected):
    unpacker = peer.module.Unpacker()
    got = []
    for chunk in chunks:
        unpacker.feed(chunk)
        got.extend(unpacker)
    if got != expected:
        raise AssertionError(f"{peer.name} streams something else")


def streaming_rows(documents, ours, peers, portable=None):
    """`documents`: name -> function that makes the value. `peers`: those that have an Unpacker."""
    pulls = documents["pulls"]()
    streamers = [ours, *([portable] if portable else []), *peers]
    cases = [
        ("pulls, one message, 64 KiB chunks", [pulls], "one call"),
        ("pulls, 300 messages, 64 KiB chunks", pulls, "one call each"),
        ("10,000 small messages (9 keys), one Unpacker", documents["small9"](), "one call each"),
        ("10,000 small messages (1 key), one Unpacker", documents["small1"](), "one call each"),
    ]
    for name, messages, whole in cases:
        packed = [ours.pack(message) for message in messages]
        chunks = in_chunks(b"".join(packed))
        per = len(messages) if "small" in name else 1
        row = Row("streaming", name, {}, per=per)
        for peer in streamers:
            check_stream(peer, chunks, messages)
            row.tasks[peer.name] = Task(unpack_stream(peer.module.Unpacker), [chunks])
        row.tasks[whole] = Task(call_each(ours.unpack), [packed])
        yield row
    for name in ("small9", "small1"):
        messages = documents[name]()
        label = "9 keys" if name == "small9" else "1 key"
        row = Row(
            "streaming", f"10,000 small messages ({label}), one Packer", {}, per=len(messages)
        )
        for peer in streamers:
            row.tasks[peer.name] = Task(pack_stream(peer.module.Packer), [messages])
        row.tasks["one call each"] = Task(call_each(ours.pack), [messages])
        yield row


def tuple_rows(pairs, ours, peers):
    """Arrays as tuples: only msgpack has the option."""
    data = [ours.pack(pairs)]
    row = Row("msgpack unpack", "50,000 pairs as tuples", {})
    for peer in [ours, *peers]:
        if peer.unpack(data[0], use_list=False) != tuple(pairs):
            raise AssertionError(f"{peer.name} makes something else of tuples")
        row.tasks[peer.name] = Task(lambda one, f=peer.unpack: f(one, use_list=False), data)
    yield row


def collection_paid_rows(documents, ours, peers):
    """Decoding, then 2,100 containers while the result is held, so that the collection that the
    decoder put off comes and is counted; and again with leaves hidden from it."""

    def decode_and_pay(function):
        def decode(data):
            result = function(data)
            held = [[] for _ in range(2_100)]
            return len(held) + (result is None)

        return decode

    for name in ("pulls", "rows", "canada"):
        if name not in documents:
            continue
        data = [ours.pack(documents[name]())]
        for group, options in (("", {}), (", gc=False", {"gc": False})):
            row = Row(f"msgpack unpack, collection paid{group}", name, {})
            row.tasks[ours.name] = Task(decode_and_pay(partial(ours.unpack, **options)), data)
            for peer in peers:
                row.tasks[peer.name] = Task(decode_and_pay(peer.unpack), data)
            yield row
