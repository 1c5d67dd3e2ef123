"""Reads tests/vectors/*.json and turns their tagged values into Python objects (see the README there)."""

import functools
import json
import pathlib
import struct

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "vectors"


class Vector:
    """One vector: its topic and name, its bytes, and either a tagged value or an expected error."""

    def __init__(self, topic, fields):
        self.topic = topic
        self.name = fields["name"]
        self.notation = fields["hex"]
        self.value = fields.get("value")
        self.canonical = fields.get("canonical", False)
        self.error = fields.get("error")

    @functools.cached_property
    def data(self):
        return bytes_of(self.notation)

    def __repr__(self):
        return f"{self.topic}: {self.name}"


class Pairs(dict):
    """A map as the list of its pairs, in the order of the input: duplicates and unhashable keys stay visible."""

    def __init__(self, pairs=()):
        super().__init__()
        self.pairs = [tuple(pair) for pair in pairs]

    def __len__(self):
        return len(self.pairs)

    def __eq__(self, other):
        return isinstance(other, Pairs) and self.pairs == other.pairs

    def items(self):
        return list(self.pairs)

    __hash__ = None

    def __repr__(self):
        return f"Pairs({self.pairs!r})"


def bytes_of(notation):
    """The bytes of `da0100 61*256`."""
    parts = []
    for word in notation.split():
        digits, _, count = word.partition("*")
        parts.append(bytes.fromhex(digits) * int(count or 1))
    return b"".join(parts)


def object_of(value, codec):
    """The Python object of a tagged value; `codec` supplies ExtType and Timestamp."""
    (tag, content), *more = value.items()
    more = dict(more)
    times = more.get("times", 1)
    if tag == "nil":
        return None
    if tag == "bool":
        return content
    if tag == "int":
        return int(content)
    if tag == "float32":
        return struct.unpack(">f", bytes.fromhex(content))[0]
    if tag == "float64":
        return struct.unpack(">d", bytes.fromhex(content))[0]
    if tag == "str":
        return content * times
    if tag == "bin":
        return bytes_of(content)
    if tag == "array":
        return [object_of(item, codec) for item in content] * times
    if tag == "map":
        return Pairs([(object_of(k, codec), object_of(v, codec)) for k, v in content] * times)
    if tag == "ext":
        return Ext(content, bytes_of(more["data"]))
    if tag == "timestamp":
        return codec.Timestamp(int(content[0]), content[1])
    if tag in ("array_depth", "map_depth"):
        return _nested(tag, content, more["inner"], codec)
    raise ValueError(f"unknown tag {tag!r}")


def _nested(tag, depth, inner, codec):
    wrap = (lambda item: [item]) if tag == "array_depth" else (lambda item: Pairs([("k", item)]))
    if inner is None:
        result, depth = ([] if tag == "array_depth" else Pairs()), depth - 1
    else:
        result = object_of(inner, codec)
    for _ in range(depth):
        result = wrap(result)
    return result


class Ext(tuple):
    """An ext value of any type: ExtType refuses the negative ones, which are valid on the wire."""

    def __new__(cls, code, data):
        return super().__new__(cls, (code, data))


def load():
    """Every vector of every file, in order."""
    vectors = []
    for path in sorted(FOLDER.glob("*.json")):
        content = json.loads(path.read_text())
        vectors.extend(Vector(content["topic"], fields) for fields in content["vectors"])
    return vectors


ALL = load()
VALID = [vector for vector in ALL if vector.error is None]
INVALID = [vector for vector in ALL if vector.error is not None]
