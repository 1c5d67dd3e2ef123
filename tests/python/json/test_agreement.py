"""Both implementations against the slow reader: short inputs, damaged documents, random texts."""

import random

import pytest
from json_outcome import assert_all_agree

DOCUMENTS = [
    b'{"id":17,"name":"Ada \\u00e9\\n","tags":["a","b",""],"ok":true,"none":null,"no":false,"x":[1.5,-0.25e3,1e-7],"n":{}}',
    b' [ 1 , -20 , 300.0 , { "a" : [ ] , "b" : { } } , "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" , "\\ud83d\\ude00" ] ',
    b'[{"key":"value one","other key":12345678},{"key":"value two","other key":87654321},{"key":null,"third":[[[]]]}]',
    b'{"a\\"b":"c\\\\d","\\u0041":"\\/\\b\\f\\n\\r\\t","":"","long":"0123456789abcdef0123456789abcdef\\u20ac0123456789abcdef"}',
    b"[12345678901234567890,-9223372036854775808,18446744073709551616,0,-0,-0.0,123456789.123456789,1E+2]",
]


def test_every_input_of_one_byte():
    assert_all_agree(bytes([first]) for first in range(256))


def test_every_input_of_two_bytes():
    assert_all_agree(bytes([first, second]) for first in range(256) for second in range(256))


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(256))
def test_every_input_of_three_bytes(first):
    assert_all_agree(bytes([first, second, third]) for second in range(256) for third in range(256))


SYNTAX = b'[]{},:"\\ue0-1.+ tn\x80\xc3'


def test_every_input_of_four_bytes_of_syntax():
    assert_all_agree(
        bytes([a, b, c, d]) for a in b'[{"-1' for b in SYNTAX for c in SYNTAX for d in SYNTAX
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=range(len(DOCUMENTS)))
def test_truncation_at_every_byte(document):
    assert_all_agree(document[:size] for size in range(len(document) + 1))


@pytest.mark.parametrize("document", DOCUMENTS, ids=range(len(DOCUMENTS)))
def test_every_byte_removed_or_doubled(document):
    assert_all_agree(document[:at] + document[at + 1 :] for at in range(len(document)))
    assert_all_agree(document[:at] + document[at - 1 :] for at in range(1, len(document)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=range(len(DOCUMENTS)))
def test_every_byte_changed(document):
    values = b'\x00\n "\\/,:[]{}-+.0129eEtfnu\x7f\x80\xbf\xc0\xc3\xe2\xed\xf0\xf4\xf5\xff'
    assert_all_agree(
        document[:at] + bytes([value]) + document[at + 1 :]
        for at in range(len(document))
        for value in values
    )


def test_the_beginning_is_at_every_alignment():
    for document in DOCUMENTS:
        assert_all_agree(b" " * pad + document + b"\n" * pad for pad in range(40))


def test_random_texts_of_json_tokens():
    chosen = random.Random(4)
    pieces = [
        *(b"[ ] { } , : null true false 0 -1 1.5 1e5 12345678 0.1".split()),
        *(b'"a" "b" "" "\\n" "\\u00e9" "\\ud834\\udd1e" "key"'.split()),
        b" ",
        b"\n",
    ]
    assert_all_agree(
        b"".join(chosen.choice(pieces) for _ in range(chosen.randrange(1, 12)))
        for _ in range(20_000)
    )


def _random_value(chosen, depth):
    kind = chosen.randrange(8 if depth else 5)
    if kind == 0:
        return str(
            chosen.randrange(-(10 ** chosen.randrange(1, 25)), 10 ** chosen.randrange(1, 25))
        )
    if kind == 1:
        return repr(chosen.uniform(-1, 1) * 10.0 ** chosen.randrange(-30, 30)).replace("+", "")
    if kind == 2:
        return chosen.choice(["null", "true", "false"])
    if kind < 5:
        letters = [
            "a",
            "Z",
            "\\n",
            '\\"',
            "\\u20ac",
            "\xe9",
            "\u20ac",
            "\U0001f600",
            " ",
            "\\\\",
            "/",
        ]
        return '"' + "".join(chosen.choice(letters) for _ in range(chosen.randrange(40))) + '"'
    space = chosen.choice(["", "", " ", "\n  "])
    count = chosen.randrange(6)
    if kind == 5:
        return "[" + f",{space}".join(_random_value(chosen, depth - 1) for _ in range(count)) + "]"
    return (
        "{"
        + f",{space}".join(
            f'"{chosen.choice("abcdefgh")}"{space}:{space}{_random_value(chosen, depth - 1)}'
            for _ in range(count)
        )
        + "}"
    )


def test_random_documents_and_damage_to_them():
    chosen = random.Random(8)
    texts = []
    for _ in range(600):
        text = _random_value(chosen, 5).encode()
        texts.append(text)
        for _ in range(5):
            at = chosen.randrange(len(text))
            texts.append(text[:at] + bytes([chosen.randrange(256)]) + text[at + 1 :])
    assert_all_agree(texts)


def test_white_space_is_four_bytes_and_no_others():
    for byte in range(256):
        space = bytes([byte])
        assert_all_agree(
            [b"[" + space + b"1]", space + b"1", b"1" + space, b'{"a"' + space + b":1}"]
        )
