"""The rows of whole documents: MessagePack and JSON, both ways, each result checked before it counts."""

from measure import Row, Task

DOCUMENTS = (
    "pulls",
    "twitter",
    "citm",
    "canada",
    "github_events",
    "rows",
    "ints",
    "floats",
    "immediates",
)
MESSAGES = ("small9", "small1")

# Names under which Packhorse itself is measured.
OWN = {"packhorse", "portable", "base"}


def add_checked(row, name, function, arguments, works):
    """Adds a task if `works()` is true. A peer that refuses the document, or makes something else of
    it, is left out with a note; for Packhorse itself that ends the run."""
    try:
        reason = None if works() else "makes something else of it"
    except Exception as error:  # whatever a peer refuses a document with
        reason = f"{type(error).__name__}: {str(error)[:60]}"
    if reason is None:
        row.tasks[name] = Task(function, arguments)
    elif name in OWN:
        raise AssertionError(f"{row.group}: {row.name}: {name}: {reason}")
    else:
        row.notes.append(f"{name}: {reason}")


def floor_tasks(name, values, plan):
    """The objects of the row from a plan, which makes them in turn."""
    made = plan(values)
    for label, method in (("floor", "next"), ("public floor", "next_public")):
        function = getattr(made, method)
        if [function(None) for _ in values] != values:
            raise AssertionError(f"the {label} of {name} builds something else")
        yield label, Task(function, [None] * len(values))


def decode_row(group, name, values, candidates, encode, plan=None):
    """Decoding each of `values`; `encode` makes the input, `plan` the floor's plan."""
    row = Row(group, name, {}, per=len(values))
    data = [encode(value) for value in values]
    for candidate in candidates:

        def works(unpack=candidate.unpack):
            return [unpack(one) for one in data] == values

        add_checked(row, candidate.name, candidate.unpack, data, works)
    if plan is not None:
        row.tasks.update(floor_tasks(name, values, plan))
    return row


def encode_row(group, name, values, candidates, decode):
    row = Row(group, name, {}, per=len(values))
    for candidate in candidates:

        def works(pack=candidate.pack):
            return [decode(pack(value)) for value in values] == values

        add_checked(row, candidate.name, candidate.pack, values, works)
    return row


def fresh_row(group, name, value, candidates, reference):
    """Encoding a document that was made a moment before. A str that is not ASCII may keep its UTF-8
    form once somebody has asked for it (msgpack and msgspec do), so that encoding the same
    object again and again, as the other rows do, shows less than a program meets."""
    row = Row(group, f"{name}, new each time", {})
    data = reference.pack(value)

    def renew():
        return [reference.unpack(data)]

    for candidate in candidates:
        row.tasks[candidate.name] = Task(candidate.pack, renew(), renew)
    return row


def document_rows(format_name, name, values, candidates, reference, plan=None):
    """Both directions of one workload. `reference` is the peer whose form is the input and who
    reads what the others write."""
    decode, encode = {"msgpack": ("unpack", "pack"), "json": ("decode", "encode")}[format_name]
    yield decode_row(f"{format_name} {decode}", name, values, candidates, reference.pack, plan)
    yield encode_row(f"{format_name} {encode}", name, values, candidates, reference.unpack)
