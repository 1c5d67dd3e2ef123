"""What a call does, in a form that two implementations can be compared by."""


def flat(value):
    """A value as one list: types, order and the bits of floats are visible, and no depth is too deep."""
    pending = [value]
    flattened = []
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is dict:
            flattened.append(("dict", len(item)))
            pending.extend(part for pair in item.items() for part in pair)
        elif kind is list or kind is tuple:
            flattened.append((kind.__name__, len(item)))
            pending.extend(item)
        else:
            flattened.append((kind.__name__, repr(item)))
    return flattened


def outcome(function, *arguments, **options):
    """The result, comparable, or everything that an error says."""
    try:
        return ("value", flat(function(*arguments, **options)))
    except Exception as error:
        return (
            type(error).__name__,
            str(error),
            getattr(error, "offset", None),
            getattr(error, "path", None),
        )
