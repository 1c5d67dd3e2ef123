"""Headers that announce more than is there: nothing large is allocated, however claims are nested or fed."""

import contextlib
import functools

import pytest

tracemalloc = pytest.importorskip("tracemalloc")


def peak_of(call):
    """The peak of bytes allocated during the call, whether it raises or not; what is made once is not counted."""
    with contextlib.suppress(Exception):
        call()
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        try:
            call()
        except Exception as error:
            assert not isinstance(error, MemoryError)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


CLAIMS = ["dd", "df", "db", "c6"]
COUNTS = ["ffffffff", "80000000", "7fffffff", "0fffffff", "00ffffff", "000fffff"]
NO_LIMITS = {f"max_{kind}_len": 2**32 - 1 for kind in ("str", "bin", "array", "map", "ext")}
claims = pytest.mark.parametrize(
    "data",
    [bytes.fromhex(head + count) for head in CLAIMS for count in COUNTS]
    + [bytes.fromhex("c9ffffffff05")],
    ids=bytes.hex,
)


@claims
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"use_list": False},
        {"object_pairs_hook": list},
        NO_LIMITS,
        {**NO_LIMITS, "use_list": False},
    ],
    ids=["default", "tuples", "pairs", "no limits", "no limits, tuples"],
)
def test_five_bytes_allocate_nothing_large(codec, data, options):
    if codec.is_reference and (options or data.hex().startswith("c9")):
        options = {key: value for key, value in options.items() if not key.startswith("max_")}
    assert peak_of(lambda: codec.unpackb(data, **options)) < 64 * 1024
    assert peak_of(lambda: codec.unpackb(b"\x91" + data, **options)) < 64 * 1024
    assert peak_of(lambda: codec.unpackb(b"\x81\xa1k" + data, **options)) < 64 * 1024


@claims
def test_five_bytes_in_a_stream(codec, data):
    bound = 2 * 2**20 if codec.is_reference else 64 * 1024

    def call():
        unpacker = codec.Unpacker(max_buffer_size=0)
        unpacker.feed(data)
        unpacker.unpack()

    assert peak_of(call) < bound


@claims
def test_five_bytes_skipped(codec, data):
    bound = 2 * 2**20 if codec.is_reference else 64 * 1024

    def call():
        unpacker = codec.Unpacker(max_buffer_size=0)
        unpacker.feed(data)
        unpacker.skip()

    assert peak_of(call) < bound


@pytest.mark.ours
@pytest.mark.parametrize("depth", [16, 100, 1000])
@pytest.mark.parametrize("head", ["dd000fffff", "dc2710", "dfffffffff01", "dd000fffff"])
@pytest.mark.parametrize(
    "options",
    [{}, {"use_list": False}, {"object_pairs_hook": list, "strict_map_key": False}],
    ids=["lists", "tuples", "pairs"],
)
def test_nested_claims_do_not_multiply(codec, depth, head, options):
    """msgpack reserves 10,000 slots a level: 82 MB for five kilobytes."""
    data = bytes.fromhex(head) * depth
    bound = 64 * len(data) + 64 * 1024
    assert peak_of(lambda: codec.unpackb(data, **NO_LIMITS, **options)) < bound

    def call():
        unpacker = codec.Unpacker(max_buffer_size=0, **options)
        unpacker.feed(data)
        unpacker.unpack()

    assert peak_of(call) < bound


@pytest.mark.ours
@pytest.mark.parametrize("size", [10, 100, 1000, 60_000])
def test_claims_that_the_input_could_just_fill(codec, size):
    """Many arrays, each claiming all that is left: what is reserved stays in proportion to the input."""
    data = b"".join(
        b"\xdc" + min(65535, size - 3 * level).to_bytes(2, "big")
        for level in range(min(1000, size // 4))
    )
    data += b"\xc0" * (size - len(data))
    assert peak_of(lambda: codec.unpackb(data)) < 200 * len(data) + 64 * 1024


@pytest.mark.ours
def test_every_input_of_few_bytes_with_a_large_count(codec):
    for head in range(256):
        for count in ("ffffffff", "7fffffff", "00ffffff"):
            data = bytes([head]) + bytes.fromhex(count) + b"\xc0" * 5
            if not 0xC0 <= head <= 0xDF:
                continue
            peak = peak_of(functools.partial(codec.unpackb, data, **NO_LIMITS))
            assert peak < 64 * len(data) + 16 * 1024


def test_a_real_four_gigabyte_claim_over_many_feeds(codec):
    """Waiting for a long bin costs what was fed, no more."""
    unpacker = codec.Unpacker(max_buffer_size=2**31 - 1)

    def call():
        unpacker.feed(b"\xc6\x7f\xff\xff\x00")
        for _ in range(50):
            unpacker.feed(b"x" * 1000)
            with pytest.raises(codec.OutOfData):
                unpacker.unpack()

    assert peak_of(call) < 4 * 2**20


@pytest.mark.ours
def test_an_idle_unpacker_is_small(codec):
    if not codec.is_compiled:
        pytest.skip("about the extension")
    holder = []
    assert peak_of(lambda: holder.append(codec.Unpacker())) < 4096


@pytest.mark.ours
def test_the_buffer_is_given_back_after_a_large_message(codec):
    import gc

    tracemalloc.start()
    try:
        unpacker = codec.Unpacker()
        data = codec.packb(b"x" * 5_000_000)
        unpacker.feed(data)
        del data  # the fallback keeps fed bytes themselves, not a copy
        before = tracemalloc.get_traced_memory()[0]
        value = unpacker.unpack()
        del value
        unpacker.feed(b"\x01")
        assert unpacker.unpack() == 1
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert before - after > 4_000_000


@pytest.mark.ours
def test_a_packers_buffer_is_given_back(codec):
    import gc

    tracemalloc.start()
    try:
        packer = codec.Packer(autoreset=False)
        start = tracemalloc.get_traced_memory()[0]
        packer.pack(b"x" * 20_000_000)
        packer.reset()
        for _ in range(3):
            packer.pack(1)
            packer.reset()
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] - start
    finally:
        tracemalloc.stop()
    assert held < 2**20
