"""The checks of extension_fuzz.c for JSON: extension and fallback read, lay out and write alike, under all options."""

import packhorse._core as compiled
import packhorse.json.fallback as fallback
from outcomes import flat, outcome

READ_OPTIONS = (
    {},
    {"float_hook": str},
    {"allow": "jsonc"},
    {"duplicate_keys": "error"},
    {"allow": "jsonc", "duplicate_keys": "error", "float_hook": len},
)
WRITE_OPTIONS = ({}, {"order": "sorted"}, {"order": "deterministic"}, {"enc_hook": repr})
DUMPS_OPTIONS = (*(1 << bit for bit in range(12)), 0, 0xFFF)


def with_place(function, *arguments):
    """outcome(), and what the errors of loads say besides."""
    try:
        return ("value", flat(function(*arguments)))
    except Exception as error:
        names = ("offset", "path", "pos", "lineno", "colno", "doc", "__notes__")
        return (type(error), str(error), *(getattr(error, name, None) for name in names))


def agree(name, left, right, *arguments, **options):
    actual = outcome(left, *arguments, **options)
    expected = outcome(right, *arguments, **options)
    assert actual == expected, (name, options, actual, expected)
    return actual


def check_reading(data, options):
    hooked = "float_hook" in options
    left, right = compiled.JsonDecoder(**options), fallback.Decoder(**options)
    agree("Decoder.decode", left.decode, right.decode, data)
    agree("decode_lines", left.decode_lines, right.decode_lines, data)
    if not hooked:
        agree("decode", compiled.json_decode, fallback.decode, data, **options)
    texts = [data]
    try:
        texts.append(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        pass
    for text in texts:
        agree("str" if text is not data else "bytes", left.decode, right.decode, text)
        actual = with_place(compiled.json_loads, text)
        expected = with_place(fallback.loads, text)
        assert actual == expected, ("loads", actual, expected)


def check_layout(data):
    for indent in (2, 0, 1, -1):
        agree("format", compiled.json_format, fallback.format, data, indent=indent)


def check_writing(value):
    """Any object that came out of a reader, of MessagePack's too."""
    for options in WRITE_OPTIONS:
        agree("encode", compiled.json_encode, fallback.encode, value, **options)
    for option in DUMPS_OPTIONS:
        agree("dumps", compiled.json_dumps, fallback.dumps, value, option=option)
    agree("dumps", compiled.json_dumps, fallback.dumps, value, default=repr)


def check(setting, data):
    options = READ_OPTIONS[setting % len(READ_OPTIONS)]
    check_reading(data, options)
    check_layout(data)
    try:
        value = compiled.JsonDecoder(**options).decode(data)
    except ValueError:
        return
    check_writing(value)
    again = compiled.json_decode(compiled.json_encode(value))
    assert options or flat(again) == flat(value)
