"""A decoder written from the format's description alone, to judge the fast ones: slow, plain, and independent of them.

It knows msgpack's default limits (lengths as the input allows, 1,024 containers) and gives either a tagged tuple tree or
Refused(code, offset), with the codes and the offsets of tests/vectors/README.md.
"""

import struct

DEPTH = 1024
NANOSECONDS = 10**9


class Refused(Exception):
    def __init__(self, code, offset, text=""):
        super().__init__(code, offset)
        self.code = code
        self.offset = offset
        self.text = text


INTEGERS = {
    0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
FLOATS = {0xCA: ">f", 0xCB: ">d"}
SIZED = {
    0xC4: ("bin", ">B"), 0xC5: ("bin", ">H"), 0xC6: ("bin", ">I"),
    0xC7: ("ext", ">B"), 0xC8: ("ext", ">H"), 0xC9: ("ext", ">I"),
    0xD9: ("str", ">B"), 0xDA: ("str", ">H"), 0xDB: ("str", ">I"),
    0xDC: ("array", ">H"), 0xDD: ("array", ">I"),
    0xDE: ("map", ">H"), 0xDF: ("map", ">I"),
}  # fmt: skip
FIXEXT = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


class Decoder:
    def __init__(self, data, raw=False):
        self.data = data
        self.raw = raw
        self.at = 0
        self.start = 0
        size = len(data)
        self.limits = {"str": size, "bin": size, "array": size, "map": size // 2, "ext": size}

    def take(self, count):
        if count > len(self.data) - self.at:
            raise Refused("TRUNCATED", self.start, "Unpack failed: incomplete input")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def check(self, kind, count):
        if count > self.limits[kind]:
            names = {"str": "STRING", "bin": "BINARY"}
            text = f"{count} exceeds max_{kind}_len({self.limits[kind]})"
            raise Refused(names.get(kind, kind.upper()) + "_LIMIT", self.start, text)

    def value(self, depth=0):
        self.start = self.at
        first = self.take(1)[0]
        if first <= 0x7F:
            return ("int", first)
        if first >= 0xE0:
            return ("int", first - 256)
        if first in INTEGERS:
            return ("int", self.number(INTEGERS[first]))
        if first in FLOATS:
            return ("float", self.number(FLOATS[first]))
        if first in (0xC0, 0xC2, 0xC3):
            return ("constant", {0xC0: None, 0xC2: False, 0xC3: True}[first])
        if first == 0xC1:
            raise Refused("RESERVED_BYTE", self.start)
        if first in FIXEXT:
            return self.ext(FIXEXT[first])
        if first in SIZED:
            kind, form = SIZED[first]
            return self.sized(kind, self.number(form), depth)
        kind, mask = (
            ("map", 0x0F) if first <= 0x8F else ("array", 0x0F) if first <= 0x9F else ("str", 0x1F)
        )
        return self.sized(kind, first & mask, depth)

    def sized(self, kind, count, depth):
        start = self.start
        if kind in ("array", "map") and depth >= DEPTH:
            raise Refused("DEPTH_LIMIT", start)
        if kind == "ext":
            return self.ext(count)
        if kind in (
            "array",
            "map",
        ):  # nothing may be built for a claim; the others are judged when they are whole
            self.check(kind, count)
        if kind == "array":
            return ("array", [self.value(depth + 1) for _ in range(count)])
        if kind == "map":
            return ("map", [(self.value(depth + 1), self.value(depth + 1)) for _ in range(count)])
        data = self.take(count)
        if kind == "bin" or self.raw:
            return ("bin", data)
        try:
            return ("str", data.decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused("INVALID_UTF8", start) from None

    def ext(self, count):
        start = self.start
        code = self.number(">b")
        data = self.take(count)
        if code != -1:
            return ("ext", code, data)
        return ("timestamp", *timestamp(data, start))


def timestamp(data, start):
    if len(data) == 4:
        return struct.unpack(">I", data)[0], 0
    if len(data) == 8:
        both = struct.unpack(">Q", data)[0]
        seconds, nanoseconds = both & (2**34 - 1), both >> 34
    elif len(data) == 12:
        nanoseconds, seconds = struct.unpack(">Iq", data)
    else:
        raise Refused("TIMESTAMP_LENGTH", start, f"invalid timestamp data (length {len(data)})")
    if nanoseconds >= NANOSECONDS:
        text = "nanoseconds must be a non-negative integer not greater than 999999999."
        raise Refused("TIMESTAMP_NANOSECONDS", start, text)
    return seconds, nanoseconds


def decode(data, raw=False):
    """The tagged tree of exactly one value, or Refused."""
    decoder = Decoder(data, raw)
    value = decoder.value()
    if decoder.at != len(data):
        raise Refused("EXTRA_DATA", decoder.at, "unpack(b) received extra data.")
    return value


def python_of(tree, pairs, ext, timestamp_type):
    """The Python object of a tagged tree."""
    kind = tree[0]
    if kind == "array":
        return [python_of(item, pairs, ext, timestamp_type) for item in tree[1]]
    if kind == "map":
        convert = lambda item: python_of(item, pairs, ext, timestamp_type)  # noqa: E731
        return pairs([(convert(key), convert(value)) for key, value in tree[1]])
    if kind == "ext":
        return ext(*tree[1:])
    if kind == "timestamp":
        return timestamp_type(*tree[1:])
    return tree[1]
