"""Strings and bytes: headers, the old raw family, encoding errors, and the user's own objects left alone."""

import sys

import pytest

LENGTHS = [
    0,
    1,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    256,
    257,
    1000,
    65535,
    65536,
    65537,
    200000,
]


def head(length, forms):
    for limit, code, size in forms:
        if length <= limit:
            return (
                bytes([code | length])
                if size == 0
                else bytes([code]) + length.to_bytes(size, "big")
            )
    raise AssertionError


STR = [(31, 0xA0, 0), (255, 0xD9, 1), (65535, 0xDA, 2), (2**32 - 1, 0xDB, 4)]
RAW = [(31, 0xA0, 0), (65535, 0xDA, 2), (2**32 - 1, 0xDB, 4)]
BIN = [(255, 0xC4, 1), (65535, 0xC5, 2), (2**32 - 1, 0xC6, 4)]


@pytest.mark.parametrize("length", LENGTHS)
def test_headers(codec, length):
    assert codec.packb("a" * length) == head(length, STR) + b"a" * length
    assert codec.packb(b"a" * length) == head(length, BIN) + b"a" * length
    assert codec.packb(bytearray(b"a" * length)) == head(length, BIN) + b"a" * length


def test_bytes_of_every_short_length_in_containers(codec):
    for length in range(600):
        value = bytes(at % 251 for at in range(length))
        packed = head(length, BIN) + value
        assert codec.packb([value, value, 1]) == b"\x93" + packed * 2 + b"\x01"
        assert codec.packb({"k": value}) == b"\x81\xa1k" + packed
        old = head(length, RAW) + value
        assert codec.packb([value], use_bin_type=False) == b"\x91" + old


@pytest.mark.parametrize("length", LENGTHS)
def test_headers_of_the_old_raw_family(codec, length):
    for value in ("a" * length, b"a" * length, bytearray(b"a" * length), memoryview(b"a" * length)):
        assert codec.packb(value, use_bin_type=False) == head(length, RAW) + b"a" * length


CHARACTERS = [
    "\0",
    "\x7f",
    "\x80",
    "\xff",
    "\u0100",
    "\u07ff",
    "\u0800",
    "\uffff",
    "\U00010000",
    "\U0010ffff",
]


@pytest.mark.parametrize("character", CHARACTERS, ids=ascii)
def test_text_of_every_width_at_every_length(codec, character):
    for length in (*range(70), 85, 86, 127, 128, 129, 255, 256, 1000, 21845, 21846, 65536):
        for text in (character * length, "a" * length + character, character + "a" * length):
            encoded = text.encode()
            data = head(len(encoded), STR) + encoded
            assert codec.packb(text) == data
            assert codec.unpackb(data) == text


def test_mixed_widths_at_every_position(codec):
    for character in CHARACTERS:
        for at in range(40):
            text = "a" * at + character + "b" * (40 - at)
            assert codec.packb(text) == head(len(text.encode()), STR) + text.encode()
            assert codec.unpackb(codec.packb([text, text])) == [text, text]


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\udfff", "a\udc80", "\ud83d\ude00", "\xe9\ud800", "\U0010ffff\ud800"],
    ids=ascii,
)
def test_lone_surrogates_are_refused(codec, text):
    for options in ({}, {"unicode_errors": None}, {"unicode_errors": "strict"}):
        with pytest.raises(UnicodeEncodeError):
            codec.packb([text], **options)


@pytest.mark.parametrize(
    "handler, text, encoded",
    [
        ("surrogateescape", "a\udcff", b"a\xff"),
        ("surrogateescape", "\udc80" * 40, b"\x80" * 40),
        ("surrogatepass", "\ud800", b"\xed\xa0\x80"),
        ("ignore", "a\ud800b", b"ab"),
        ("replace", "a\ud800b", b"a?b"),
        ("backslashreplace", "\ud800", b"\\ud800"),
        ("surrogateescape", "plain", b"plain"),
        ("surrogateescape", "\u3042", b"\xe3\x81\x82"),
    ],
    ids=ascii,
)
def test_encoding_error_handlers(codec, handler, text, encoded):
    assert codec.packb(text, unicode_errors=handler) == head(len(encoded), STR) + encoded
    assert (
        codec.packb({text: text}, unicode_errors=handler)
        == b"\x81" + (head(len(encoded), STR) + encoded) * 2
    )


def test_surrogateescape_round_trip(codec):
    """What pynvim needs for text in unknown encodings."""
    text = codec.unpackb(b"\xa1\xff", unicode_errors="surrogateescape")
    assert text == "\udcff"
    assert codec.packb(text, unicode_errors="surrogateescape") == b"\xa1\xff"


def test_an_unknown_handler_is_reported_when_it_is_needed(codec):
    assert codec.packb("a", unicode_errors="nonsense") == b"\xa1a"
    with pytest.raises(LookupError):
        codec.packb("\ud800", unicode_errors="nonsense")


@pytest.mark.ours
def test_packing_does_not_grow_the_users_strings(codec):
    """msgpack leaves a UTF-8 copy inside each non-ASCII string for as long as it lives."""
    if not codec.is_compiled:
        pytest.skip("str.encode does not cache either")
    text = "\u3042" * 1000
    before = sys.getsizeof(text)
    codec.packb({text: [text]})
    assert sys.getsizeof(text) == before


def test_a_string_with_a_cached_utf8_form(codec):
    text = "\u3042\xe9" * 10
    "".join([text]).isidentifier()
    try:
        import ctypes

        ctypes.pythonapi.PyUnicode_AsUTF8.restype = ctypes.c_char_p
        ctypes.pythonapi.PyUnicode_AsUTF8(ctypes.py_object(text))
    except (ImportError, AttributeError):
        pass
    assert codec.packb(text) == head(len(text.encode()), STR) + text.encode()


def test_changing_the_input_later_does_not_change_the_output(codec):
    source = bytearray(b"abc")
    data = codec.packb(source)
    source[0] = 0
    assert data == b"\xc4\x03abc"
