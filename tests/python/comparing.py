"""Equality for test results: exact types, floats by their bits, no recursion (values may be nested deeper than Python's limit)."""

import struct

import vectors


def difference(actual, expected):
    """None when both are the same value of the same types, else a sentence that says where they differ."""
    pending = [("$", actual, expected)]
    while pending:
        path, left, right = pending.pop()
        if isinstance(right, vectors.Ext):
            left, right = tuple(left), tuple(right)
        if type(left) is not type(right):
            return f"{path}: {type(left).__name__} instead of {type(right).__name__}"
        if isinstance(left, float):
            if struct.pack(">d", left) != struct.pack(">d", right) and (
                left == left or right == right
            ):
                return f"{path}: {left!r} instead of {right!r}"
        elif isinstance(left, vectors.Pairs):
            pending.append((path, left.pairs, right.pairs))
        elif isinstance(left, dict):
            pending.append((path, list(left.items()), list(right.items())))
        elif isinstance(left, (list, tuple)):
            if len(left) != len(right):
                return f"{path}: {len(left)} elements instead of {len(right)}"
            pending.extend(
                (f"{path}[{i}]", *both) for i, both in enumerate(zip(left, right, strict=True))
            )
        elif left != right:
            return f"{path}: {left!r} instead of {right!r}"
    return None


def assert_same(actual, expected):
    message = difference(actual, expected)
    assert message is None, message


def outcome(function, *arguments, **options):
    """What a call does, in a form that can be compared: ("value", object) or ("error", type name, text).

    The type is named by the first of its bases that is public, so that two packages' own classes compare equal.
    """
    try:
        return ("value", function(*arguments, **options))
    except Exception as error:
        return ("error", type(error).__name__, str(error))


def same_outcome(left, right):
    """None, or how two results of outcome() differ."""
    if left[0] != right[0]:
        return f"{left!r:.300} against {right!r:.300}"
    if left[0] == "error":
        return None if left == right else f"{left} against {right}"
    return difference(left[1], right[1])
