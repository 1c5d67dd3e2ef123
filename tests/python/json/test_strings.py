"""Strings: every escape, every surrogate pair's edge, every code point, every length around the widths of vectors."""

import json

import pytest


def test_every_escape_of_two_characters(api):
    assert api.decode(b'"\\"\\\\\\/\\b\\f\\n\\r\\t"') == '"\\/\b\f\n\r\t'


def test_every_escape_of_four_digits(api):
    codes = [code for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    text = "[" + ",".join(f'"\\u{code:04x}"' for code in codes) + "]"
    assert api.decode(text) == [chr(code) for code in codes]
    text = "[" + ",".join(f'"\\u{code:04X}"' for code in codes) + "]"
    assert api.decode(text) == [chr(code) for code in codes]


@pytest.mark.parametrize("code", [0x10000, 0x103FF, 0x10400, 0x1F600, 0xFFFFF, 0x100000, 0x10FFFF])
def test_surrogate_pairs(api, code):
    high, low = 0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)
    assert api.decode(f'"a\\u{high:04x}\\u{low:04X}b"') == f"a{chr(code)}b"
    assert api.decode(f'{{"\\u{high:04x}\\u{low:04X}":1}}') == {chr(code): 1}


def test_every_lone_surrogate_is_refused(api):
    for code in range(0xD800, 0xE000):
        for text in (f'"\\u{code:04x}"', f'"\\u{code:04x}\\u0041"', f'{{"\\u{code:04x}":1}}'):
            with pytest.raises(api.DecodeError, match="surrogate pair"):
                api.decode(text)


def test_every_code_point_comes_back(api):
    for start in range(0, 0x110000, 0x800):
        text = "".join(map(chr, range(start, start + 0x800)))
        if 0xD800 <= start < 0xE000:
            with pytest.raises(UnicodeEncodeError):
                api.encode(text)
            continue
        assert api.decode(api.encode(text)) == text
        assert api.decode(api.encode({text: text})) == {text: text}
        assert api.loads(api.dumps(text)) == text
        assert json.loads(api.encode(text)) == text


def test_what_is_written_is_what_json_writes_without_ascii(api):
    for code in [*range(0x300), 0x2028, 0x2029, 0xFFFF, 0x1F600]:
        expected = json.dumps(chr(code), ensure_ascii=False).encode()
        assert api.encode(chr(code)) == expected
        assert api.dumps(chr(code)) == expected


@pytest.mark.parametrize(
    "special", ['"', "\\", "\n", "\x00", "\x1f", "\u00e9", "\u20ac", "\U0001f600"]
)
def test_specials_at_every_place_of_every_length(api, special):
    for size in [*range(1, 70), 127, 128, 129, 191, 192, 193, 500, 512, 513, 4097]:
        for at in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
            text = "x" * at + special + "y" * (size - at - 1)
            written = api.encode([text, {text: 1}])
            assert json.loads(written) == [text, {text: 1}]
            assert api.decode(written) == [text, {text: 1}]
            assert api.decode(json.dumps([text, {text: 1}])) == [text, {text: 1}]


def test_every_byte_at_every_place_of_a_long_string(api):
    for size in (20, 40, 70):
        for at in range(size):
            for byte in (0x00, 0x1F, 0x80, 0xBF, 0xC0, 0xFF, 0xED):
                data = b'"' + b"a" * at + bytes([byte]) + b"b" * (size - at) + b'"'
                with pytest.raises(api.DecodeError) as caught:
                    api.decode(data)
                assert caught.value.offset == 1 + at


def test_invalid_utf8_is_found_in_every_place(api):
    for data, offset in [
        (b'{"a":1,"\xff":2}', 8),
        (b'[{"skip":"\xff"}]', 10),
        (b'{"a":{"b":["\xc3"]}}', 12),
        (b'["\\u00e9\xe2\x82"]', 8),
        (b'["' + b"x" * 100 + b"\xf4\x90\x80\x80" + b'"]', 102),
        (b'{"' + b"k" * 100 + b"\xc0\x80" + b'":1}', 102),
    ]:
        for read in (
            api.decode,
            lambda data: api.format(data),
            lambda data: api.format(data, indent=-1),
        ):
            with pytest.raises(api.DecodeError, match="Invalid UTF-8 encoded string") as caught:
                read(data)
            assert caught.value.offset == offset


def test_escapes_in_keys_give_the_same_key(api):
    assert api.decode(b'[{"a\\u0062c":1},{"abc":2},{"\\u0061bc":3}]') == [
        {"abc": 1},
        {"abc": 2},
        {"abc": 3},
    ]


def test_encoding_leaves_nothing_within_the_string(api):
    import sys

    if sys.implementation.name != "cpython":
        pytest.skip("sizes are CPython's")
    text = "\u20ac" * 1000
    size = sys.getsizeof(text)
    api.encode([text, {text: text}])
    api.dumps(text)
    api.decode('["' + text + '"]')
    assert sys.getsizeof(text) == size
