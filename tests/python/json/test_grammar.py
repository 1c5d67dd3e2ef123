"""What RFC 8259 takes for JSON and what it does not, one class of texts a line."""

import pytest

ACCEPTED = [
    (b"null", None),
    (b"true", True),
    (b"false", False),
    (b"0", 0),
    (b"-0", 0),
    (b"0.0", 0.0),
    (b"1e5", 1e5),
    (b"1E+5", 1e5),
    (b"1e-05", 1e-05),
    (b"0e0", 0.0),
    (b"-1.5e+3", -1500.0),
    (b'""', ""),
    (b'"\x7f"', "\x7f"),
    (b'"\xe2\x80\xa8\xe2\x80\xa9"', "\u2028\u2029"),
    (b'"\xef\xbf\xbf"', "\uffff"),
    (b'"\\u0000"', "\0"),
    (b'"\\/"', "/"),
    (b"[]", []),
    (b"{}", {}),
    (b" \t\r\n[ \t\r\n] \t\r\n", []),
    (b' { "" : { } , "a" : [ [ ] ] } ', {"": {}, "a": [[]]}),
    (b"[1,[2,[3,{}]]]", [1, [2, [3, {}]]]),
    (b'{"a":1,"a":2}', {"a": 2}),
]

REJECTED = {
    "nothing": [b"", b" ", b"\n"],
    "more than one value": [b"1 2", b"{}{}", b"[]x", b"null,", b'"a" "b"'],
    "open containers": [b"[", b"{", b"[[", b'{"a"', b'{"a":', b'{"a":1', b"[1", b"[1,"],
    "brackets that do not match": [b"[}", b"{]", b"[1}", b'{"a":1]', b"]", b"}"],
    "commas": [
        b"[,]",
        b"[1,]",
        b"[,1]",
        b"[1,,2]",
        b"{,}",
        b'{"a":1,}',
        b'{,"a":1}',
        b",",
        b"[1 2]",
    ],
    "colons": [b'{"a"}', b'{"a",1}', b'{"a"::1}', b"{:1}", b'["a":1]', b":"],
    "keys that are no strings": [b"{1:1}", b"{null:1}", b"{a:1}", b"{'a':1}", b"{[]:1}", b"{{}:1}"],
    "numbers": [
        *(b"01 -01 00 1. .1 -.1 1.e1 1e 1e+ 1e- +1 -- - -a 0x10 1_000 1,5 0. -0.".split()),
        *(b"1e1.5 1.2.3 1e5e5 Infinity -Infinity NaN nan inf 1f 1L 0b1".split()),
        "\u0661".encode(),
        b"1\xc2\xa0",
    ],
    "words": [*(b"True False None TRUE nul nulll truefalse undefined".split()), b"t", b"f", b"n"],
    "strings": [b'"', b'"a', b"'a'", b'"\\', b'"\\"', b'"a"b"', b'a"'],
    "control characters": [b'"' + bytes([code]) + b'"' for code in range(0x20)],
    "escapes": [
        b'"\\' + bytes([letter]) + b'"' for letter in range(256) if letter not in b'"\\/bfnrtu'
    ],
    "hexadecimal digits": [
        b'"\\u%s"' % digits
        for digits in (b"", b"1", b"12", b"123", b"12g4", b"-123", b"+123", b"0x12")
    ],
    "surrogates": [
        b'"\\ud800"',
        b'"\\udbff"',
        b'"\\udc00"',
        b'"\\udfff"',
        b'"\\ud800x"',
        b'"\\ud800\\n"',
        b'"\\ud800\\u0041"',
        b'"\\ud800\\ud800"',
        b'"\\udc00\\ud800"',
        b'"\\ud83d\xf0\x9f\x98\x80"',
    ],
    "bytes that are no UTF-8": [
        b'"%s"' % sequence
        for sequence in (
            *(
                b"\x80 \xbf \xc0\x80 \xc1\xbf \xc2 \xc2A \xe0\x80\x80 \xe0\x9f\xbf \xe2\x82 \xed\xa0\x80".split(
                    b" "
                )
            ),
            *(
                b"\xed\xbf\xbf \xf0\x80\x80\x80 \xf0\x8f\xbf\xbf \xf0\x9f\x98 \xf4\x90\x80\x80 \xf5\x80\x80\x80 \xfe \xff".split(
                    b" "
                )
            ),
        )
    ],
    "byte order marks": [b"\xef\xbb\xbf{}", b"\xff\xfe1\x00", b"\xfe\xff\x001"],
    "other encodings": ["[]".encode("utf-16-le"), "[]".encode("utf-32-le")],
    "white space of other kinds": [
        b"\x0b1",
        b"\x0c1",
        b"\xc2\xa01",
        b"\xe2\x80\xa81",
        b"\x001",
        b"1\x00",
    ],
    "comments": [b"1//", b"/**/1", b"[1/**/]", b"#1", b"1 # one"],
}


@pytest.mark.parametrize(("data", "value"), ACCEPTED, ids=[repr(row[0]) for row in ACCEPTED])
def test_accepted(api, data, value):
    from comparing import assert_same

    assert_same(api.decode(data), value)
    assert_same(api.loads(data), value)
    assert api.decode(api.format(data)) == value
    assert api.decode(api.format(data, indent=-1)) == value


@pytest.mark.parametrize("kind", REJECTED)
def test_rejected(api, kind):
    for data in REJECTED[kind]:
        with pytest.raises(api.DecodeError):
            print(data, api.decode(data))
        with pytest.raises(api.JSONDecodeError):
            print(data, api.loads(data))
        with pytest.raises(api.DecodeError):
            print(data, api.format(data))


JSONC = [
    (b"// one\n1", 1),
    (b"1 // one", 1),
    (b"/* a */ [1, /* b\n */ 2, // c\n] /**/", [1, 2]),
    (b'{"a": 1, /* { */ "b": [2,],}', {"a": 1, "b": [2]}),
    (b'{/**/"a"/**/:/**/1/**/}', {"a": 1}),
    (b'["// no comment", "/* neither */"]', ["// no comment", "/* neither */"]),
    (b"[1,//\r\n]", [1]),
    (b"/***/1/** **/", 1),
]


@pytest.mark.parametrize(("data", "value"), JSONC, ids=[repr(row[0]) for row in JSONC])
def test_comments_and_trailing_commas_when_allowed(api, data, value):
    assert api.decode(data, allow="jsonc") == value
    assert api.Decoder(allow="jsonc").decode(data) == value
    if value != ["// no comment", "/* neither */"]:
        with pytest.raises(api.DecodeError):
            api.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[,]",
        b"{,}",
        b"[1,,]",
        b"/1",
        b"1 /",
        b"/* 1",
        b"[1 /* ]",
        b"# 1\n1",
        b"{a:1}",
        b"'a'",
        b"[1,,2]",
        b"1,",
    ],
    ids=repr,
)
def test_what_jsonc_does_not_allow(api, data):
    with pytest.raises(api.DecodeError):
        api.decode(data, allow="jsonc")
