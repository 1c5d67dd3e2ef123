"""What decoding says of texts that are not JSON, and where it says it is."""

import pytest

MALFORMED = [
    (b"", "Input data was truncated", 0, "$"),
    (b"[1,", "Input data was truncated", 3, "$[1]"),
    (b"tru", "Input data was truncated", 3, "$"),
    (b'"abc', "Input data was truncated", 4, "$"),
    (b'{"a":', "Input data was truncated", 5, "$.a"),
    (b"-", "Input data was truncated", 1, "$"),
    (b"1.", "Input data was truncated", 2, "$"),
    (b"[-1e", "Input data was truncated", 4, "$[0]"),
    (b'{"a":1.5E-', "Input data was truncated", 10, "$.a"),
    (b"1" * 25 + b".", "Input data was truncated", 26, "$"),
    (b'[1,{"a":tru}]', "JSON is malformed: invalid character (byte 11)", 11, "$[1].a"),
    (b"]", "JSON is malformed: invalid character (byte 0)", 0, "$"),
    (b"nulL", "JSON is malformed: invalid character (byte 3)", 3, "$"),
    (b"NaN", "JSON is malformed: invalid character (byte 0)", 0, "$"),
    (b"[Infinity]", "JSON is malformed: invalid character (byte 1)", 1, "$[0]"),
    (b"'a'", "JSON is malformed: invalid character (byte 0)", 0, "$"),
    (b'"\x01"', "JSON is malformed: invalid character (byte 1)", 1, "$"),
    (b"\xef\xbb\xbf1", "JSON is malformed: invalid character (byte 0)", 0, "$"),
    (b"[+1]", "JSON is malformed: invalid character (byte 1)", 1, "$[0]"),
    (b"[01]", "JSON is malformed: invalid number (byte 2)", 2, "$[0]"),
    (b"[1.x]", "JSON is malformed: invalid number (byte 3)", 3, "$[0]"),
    (b"[1e+]", "JSON is malformed: invalid number (byte 4)", 4, "$[0]"),
    (b"[-x]", "JSON is malformed: invalid number (byte 2)", 2, "$[0]"),
    (b'"\\x"', "JSON is malformed: invalid escape character in string (byte 2)", 2, "$"),
    (b'"\\u12g4"', "JSON is malformed: invalid character in unicode escape (byte 5)", 5, "$"),
    (b'"\\ud800"', "JSON is malformed: invalid utf-16 surrogate pair (byte 1)", 1, "$"),
    (b'"\\ud800', "Input data was truncated", 7, "$"),
    (b'"\\ud800 1234567"', "JSON is malformed: invalid utf-16 surrogate pair (byte 1)", 1, "$"),
    (b'"a\\ud800\\n1234"', "JSON is malformed: invalid utf-16 surrogate pair (byte 2)", 2, "$"),
    (b'{"a":"\\udc00"}', "JSON is malformed: invalid utf-16 surrogate pair (byte 6)", 6, "$.a"),
    (b"{1:2}", "JSON is malformed: object keys must be strings (byte 1)", 1, "$.<key>"),
    (b'{"a" 1}', "JSON is malformed: expected ':' (byte 5)", 5, "$.<key>"),
    (b"[1 2]", "JSON is malformed: expected ',' or ']' (byte 3)", 3, "$[1]"),
    (b'{"a":1 "b":2}', "JSON is malformed: expected ',' or '}' (byte 7)", 7, "$.<key>"),
    (b"[1,]", "JSON is malformed: trailing comma in array (byte 3)", 3, "$[1]"),
    (b'{"a":1,}', "JSON is malformed: trailing comma in object (byte 7)", 7, "$.<key>"),
    (b"1 2", "JSON is malformed: trailing characters (byte 2)", 2, "$"),
    (b"[1]]", "JSON is malformed: trailing characters (byte 3)", 3, "$"),
    (b"[1e400]", "JSON is malformed: number out of range (byte 1)", 1, "$[0]"),
    (b"[[],-1e999]", "JSON is malformed: number out of range (byte 4)", 4, "$[1]"),
    (b'{"a b":[x]}', "JSON is malformed: invalid character (byte 8)", 8, '$["a b"][0]'),
    (b'"\xff"', "Invalid UTF-8 encoded string", 1, "$"),
    (b'["abc\xc3(",1]', "Invalid UTF-8 encoded string", 5, "$[0]"),
    (b'{"\xc3\xa9\xff":1}', "Invalid UTF-8 encoded string", 4, "$.<key>"),
    (b'["\\n\xed\xa0\x80"]', "Invalid UTF-8 encoded string", 4, "$[0]"),
]


@pytest.mark.parametrize(
    ("data", "text", "offset", "path"), MALFORMED, ids=[repr(row[0]) for row in MALFORMED]
)
def test_text_offset_and_path(api, data, text, offset, path):
    for decode in (api.decode, api.Decoder().decode):
        with pytest.raises(api.DecodeError) as caught:
            decode(data)
        error = caught.value
        assert (str(error), error.offset, error.path) == (text, offset, path)
        assert error.__notes__ == [f"at {path}, byte {offset}"]
        assert isinstance(error, ValueError)


def test_str_input_has_offsets_in_bytes(api):
    with pytest.raises(api.DecodeError) as caught:
        api.decode('["\u20ac",x]')
    assert caught.value.offset == 7
    assert api.locate('["\u20ac",x]', 7) == (1, 6)


@pytest.mark.parametrize(
    "data",
    [b'{"a":1,"b":[2,3],"a":4}', b'{"\\u0061":1,"a":2}', '{"\u00e9":1,"\\u00e9":2}'],
    ids=repr,
)
def test_duplicate_keys_can_be_refused(api, data):
    with pytest.raises(api.DecodeError, match="a key occurs twice in one object") as caught:
        api.decode(data, duplicate_keys="error")
    assert (caught.value.offset, caught.value.path) == (0, "$.<key>")
    with pytest.raises(api.DecodeError):
        api.Decoder(duplicate_keys="error").decode(data)
    assert len(api.decode(data)) < 3


def test_duplicate_keys_say_in_which_object(api):
    decoder = api.Decoder(duplicate_keys="error")
    assert decoder.decode(b'[{"a":1},{"a":2,"b":{"a":3}}]') == [{"a": 1}, {"a": 2, "b": {"a": 3}}]
    with pytest.raises(api.DecodeError) as caught:
        decoder.decode(b'[{"a":1},{"a":2,"b":{"a":3,"c":4,"a":5}}]')
    assert (caught.value.offset, caught.value.path) == (20, "$[1].b.<key>")


def test_locate_counts_lines_and_characters(api):
    text = b'[\n "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",\r\n x\xff!]'
    expected = {0: (1, 1), 1: (1, 2), 2: (2, 1), 4: (2, 3), 6: (2, 4), 9: (2, 5), 13: (2, 6)}
    expected[text.index(b"x")] = (3, 2)
    expected[text.index(b"!")] = (3, 4)
    for offset, place in expected.items():
        assert api.locate(text, offset) == place
        assert api.locate(bytearray(text), offset) == place
    assert api.locate("\u20ac\nx", 4).line == 2
    assert api.locate(b"", 0) == api.package.Place(line=1, column=1)
