"""The checks of extension_fuzz.c: extension and fallback agree on any input, whole and in pieces, under all options."""

import json_checks
import packhorse._core as compiled
import packhorse.fallback as fallback
from outcomes import flat, outcome

assert compiled.Packer is not fallback.Packer

FIRST_SETTING_OF_JSON = 0x80

UNPACK_OPTIONS = (
    {},
    {"strict_map_key": False},
    {"strict_map_key": False, "use_list": False, "raw": True},
    {"strict_map_key": False, "object_pairs_hook": list},
    {"strict_map_key": False, "tuple_keys": True, "gc": False},
    {"timestamp": 3, "unicode_errors": "surrogateescape"},
    {
        "timestamp": 1,
        "list_hook": len,
        "object_hook": len,
        "ext_hook": lambda code, data: (code, len(data)),
    },
    {"max_array_len": 3, "max_map_len": 2, "max_str_len": 4, "max_bin_len": 4, "max_ext_len": 4},
)


def streamed(module, data, piece, options):
    """What an Unpacker gives for the input in pieces: values and positions, and how it ends."""
    unpacker = module.Unpacker(max_buffer_size=1 << 20, **options)
    results = []
    for start in range(0, len(data), piece):
        unpacker.feed(data[start : start + piece])
        while True:
            result = outcome(unpacker.unpack)
            if result[0] == "OutOfData":
                break
            if result[0] != "value":
                after = unpacker.tell(), outcome(unpacker.unpack)
                return [*results, (*result, *after)]
            results.append((*result, unpacker.tell()))
    return results


def agree(left, right):
    """Streams give the same. Of an object whose end is missing one may know already that it is bad (docs/decisions.md)."""
    shorter, longer = sorted((left, right), key=len)
    rest = longer[len(shorter) :]
    return longer[: len(shorter)] == shorter and (
        not rest or (len(rest) == 1 and rest[0][0] != "value")
    )


def skipped(module, data):
    """Where skip() stops at each object of the input, and how it ends."""
    unpacker = module.Unpacker()
    unpacker.feed(data)
    positions = []
    while True:
        result = outcome(unpacker.skip)
        if result[0] != "value":
            return [*positions, result[:2]]
        positions.append(unpacker.tell())


def check_packing(data):
    """A value that was read is written alike, and reads the same again."""
    try:
        value = compiled.unpackb(data, strict_map_key=False)
    except Exception:
        return
    for options in (
        {},
        {"order": "sorted"},
        {"use_bin_type": False},
        {"use_single_float": True},
        {"strict_types": True},
    ):
        written = outcome(compiled.packb, value, **options)
        expected = outcome(fallback.packb, value, **options)
        assert written == expected, (options, written, expected)
    json_checks.check_writing(value)
    again = compiled.unpackb(compiled.packb(value), strict_map_key=False)
    assert flat(again) == flat(value)


def check_messagepack(data, setting, piece):
    options = UNPACK_OPTIONS[setting % len(UNPACK_OPTIONS)]
    actual = outcome(compiled.unpackb, data, **options)
    expected = outcome(fallback.unpackb, data, **options)
    assert actual == expected, (actual, expected)
    actual = streamed(compiled, data, piece, options)
    expected = streamed(fallback, data, piece, options)
    assert agree(actual, expected), (actual, expected)
    whole = streamed(compiled, data, len(data) + 1, options)
    assert agree(actual, whole), (actual, whole)
    assert skipped(compiled, data) == skipped(fallback, data)
    check_packing(data)


def check(data):
    """The first byte says which format and options, the second how long pieces are; the rest is the input."""
    setting, piece = data[0] if data else 0, data[1] if len(data) > 1 else 0
    if setting >= FIRST_SETTING_OF_JSON:
        json_checks.check(setting, data[1:])
    else:
        check_messagepack(data[2:], setting, 1 + piece % 64)
