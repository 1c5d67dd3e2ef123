"""format: text to text, whatever the numbers and escapes are."""

import json

import pytest

SOURCE = b' { "a" : [ 1.50 , -0 , 1E5 , [ ] , { } ] , "\\u0041\xc3\xa9" : "\\/ , : [" , "c" : { "d" : null } } '
MINIFIED = b'{"a":[1.50,-0,1E5,[],{}],"\\u0041\xc3\xa9":"\\/ , : [","c":{"d":null}}'
ONE_LINE = b'{"a": [1.50, -0, 1E5, [], {}], "\\u0041\xc3\xa9": "\\/ , : [", "c": {"d": null}}'
TWO = b"""{
  "a": [
    1.50,
    -0,
    1E5,
    [],
    {}
  ],
  "\\u0041\xc3\xa9": "\\/ , : [",
  "c": {
    "d": null
  }
}"""


def test_layouts(api):
    assert api.format(SOURCE) == api.format(SOURCE, indent=2) == TWO
    assert api.format(SOURCE, indent=0) == ONE_LINE
    for indent in (-1, -2, -1000):
        assert api.format(SOURCE, indent=indent) == MINIFIED
    assert api.format(SOURCE, indent=3) == TWO.replace(b"  ", b"   ")


def test_what_goes_in_decides_what_comes_out(api):
    assert api.format(SOURCE.decode()) == TWO.decode()
    assert api.format(bytearray(SOURCE)) == TWO
    assert api.format(memoryview(SOURCE)) == TWO
    assert api.format(buf=b"[ ]", indent=-1) == b"[]"
    assert type(api.format(bytearray(b"1"))) is bytes


def test_layouts_of_layouts(api):
    for indent in (-1, 0, 1, 2, 7):
        first = api.format(SOURCE, indent=indent)
        for again in (-1, 0, 1, 2, 7):
            assert api.format(first, indent=again) == api.format(SOURCE, indent=again)


def test_the_json_module_indents_the_same(api):
    values = [
        [],
        {},
        [[]],
        [{}],
        {"a": {}},
        [1, [2, [3, {"a": [{}, []]}]]],
        "text",
        1.5,
        None,
        {"a\u00e9": "\u20ac"},
    ]
    for value in values:
        for indent in (1, 2, 4):
            expected = json.dumps(value, indent=indent, ensure_ascii=False)
            assert api.format(json.dumps(value), indent=indent) == json.dumps(value, indent=indent)
            assert api.format(api.encode(value).decode(), indent=indent) == expected


def test_inputs_are_those_of_decode(api):
    view = memoryview(b"[-1-,-2-]-")[::2]
    assert api.format(view, indent=-1) == b"[1,2]"
    assert api.format(type("Text", (str,), {})("[1, 2]"), indent=-1) == "[1,2]"
    for wide in (memoryview(b"[1,2]   ").cast("i"), memoryview(b"[1,2]   ").cast("H")):
        with pytest.raises(BufferError):
            api.format(wide)


def test_calls(api):
    for wrong in (
        lambda: api.format(),
        lambda: api.format(1),
        lambda: api.format(b"1", 2),
        lambda: api.format(b"1", indent="2"),
        lambda: api.format(b"1", other=1),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_numbers_of_any_size_stay(api):
    for number in (b"9" * 10_000, b"1e99999", b"0." + b"1" * 10_000):
        assert api.format(b"[" + number + b"]", indent=-1) == b"[" + number + b"]"


def test_long_documents(api):
    value = [{"id": at, "text": "x" * (at % 100), "list": [at] * (at % 7)} for at in range(2000)]
    data = api.encode(value)
    assert api.format(api.format(data), indent=-1) == data
    assert api.format(data.decode(), indent=2) == json.dumps(value, indent=2)


@pytest.mark.parametrize(
    "text, offset, path",
    [
        (b"", 0, "$"),
        (b"[1,2 3]", 5, "$[2]"),
        (b'{"a":[true,{"b":nul}]}', 19, "$.a[1].b"),
        (b'{"a":"\xff"}', 6, "$.a"),
        (b'{"\xff":1}', 2, "$.<key>"),
        (b'[1e999,{"k":]]', 12, "$[1].k"),
        (b'["ab\\udef0 \xff"]', 11, "$[0]"),
    ],
)
@pytest.mark.parametrize("indent", [2, 0, -1])
def test_errors_say_where_as_in_decoding(api, text, offset, path, indent):
    with pytest.raises(api.DecodeError) as caught:
        api.format(text, indent=indent)
    assert (caught.value.offset, caught.value.path) == (offset, path)
    with pytest.raises(api.DecodeError) as decoding:
        api.Decoder(float_hook=str).decode(text)
    assert (str(decoding.value), decoding.value.path) == (str(caught.value), path)


def test_an_error_behind_a_number_that_decoding_refuses(api):
    digits = b"1" * 5000
    with pytest.raises(api.DecodeError) as caught:
        api.format(b"[" + digits + b",x]")
    assert caught.value.offset == 5002
