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


def checked_decode(row, name, function, data, expected):
    """Adds the task unless it fails or gives something else; then a note says so."""
    try:
        right = [function(one) for one in data] == expected
    except Exception as error:  # any refusal of any peer is worth a note, not the end
        row.notes.append(f"{name} can not: {type(error).__name__}: {str(error)[:60]}")
        return
    if not right:
        row.notes.append(f"{name} gives another value")
        return
    row.tasks[name] = Task(function, data)


def checked_encode(row, name, function, values, decode):
    """Adds the task unless what it writes reads back as something else."""
    try:
        right = [decode(function(value)) for value in values] == values
    except Exception as error:  # any refusal of any peer is worth a note, not the end
        row.notes.append(f"{name} can not: {type(error).__name__}: {str(error)[:60]}")
        return
    if not right:
        row.notes.append(f"{name} writes another value")
        return
    row.tasks[name] = Task(function, values)


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
        checked_decode(row, candidate.name, candidate.unpack, data, values)
    if plan is not None:
        row.tasks.update(floor_tasks(name, values, plan))
    return row


def encode_row(group, name, values, candidates, decode):
    row = Row(group, name, {}, per=len(values))
    for candidate in candidates:
        checked_encode(row, candidate.name, candidate.pack, values, decode)
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
