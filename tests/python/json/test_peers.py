"""The same as the json module, msgspec and orjson, where these are installed. Differences that are meant are listed here."""

import json
import random
import re

import pytest
from comparing import difference

# Texts that a peer takes otherwise, and why we do not follow.
KNOWN_DIFFERENCES = {
    "json": "takes NaN, Infinity, -Infinity, lone surrogate escapes, numbers that overflow (as infinities), and text in UTF-16 and UTF-32",
    "orjson": "reads integers beyond 64 bits as floats",
}


def peer_decoder(name):
    module = pytest.importorskip(name)
    return module.json.decode if name == "msgspec" else module.loads


def reading(decode, data):
    try:
        return ("value", decode(data))
    except (ValueError, RecursionError):
        return ("error",)


def read_by_json(data):
    """What the json module reads, without what the list above names."""

    def refuse(text):
        raise ValueError(text)

    def finite(text):
        value = float(text)
        return value if value - value == 0 else refuse(text)

    text = data.decode()
    if re.search(r"\\u(?![0-9a-fA-F]{4})", text):
        raise ValueError("PyPy takes blanks and signs for digits")
    value = json.loads(text, parse_constant=refuse, parse_float=finite)
    json.dumps(value, ensure_ascii=False).encode()  # no lone surrogates
    return value


def assert_same_readings(api, texts, peer):
    wrong = []
    for text in texts:
        ours, theirs = reading(api.decode, text), reading(peer, text)
        if ours[0] != theirs[0] or (ours[0] == "value" and difference(ours[1], theirs[1])):
            wrong.append(f"{text!r}: {ours!r:.100}, the peer {theirs!r:.100}")
    assert not wrong, "\n".join(wrong[:20]) + f"\n{len(wrong)} differences"


def short_texts():
    return [bytes([first]) for first in range(256)] + [
        bytes([first, second]) for first in range(256) for second in range(256)
    ]


def peers():
    return ["json", "msgspec", "orjson"]


def decoder_of(name):
    return read_by_json if name == "json" else peer_decoder(name)


@pytest.mark.parametrize("name", peers())
def test_every_text_of_one_and_two_bytes(api, name):
    assert_same_readings(api, short_texts(), decoder_of(name))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", peers())
@pytest.mark.parametrize("first", range(256))
def test_every_text_of_three_bytes(api, name, first):
    texts = [bytes([first, second, third]) for second in range(256) for third in range(256)]
    assert_same_readings(api, texts, decoder_of(name))


@pytest.mark.parametrize("name", peers())
def test_every_escape(api, name):
    texts = [b'"\\' + bytes([letter]) + b'"' for letter in range(256)]
    texts += [b'"\\' + bytes([letter]) + b'0041"' for letter in range(256)]
    texts += [f'"\\u{code:04x}"'.encode() for code in range(0, 0x10000, 7)]
    halves = ["d7ff", "d800", "dbff", "dc00", "dfff", "e000", "0041"]
    texts += [f'"\\u{a}\\u{b}"'.encode() for a in halves for b in halves]
    texts += [f'{{"\\u{a}\\u{b}":1}}'.encode() for a in halves for b in halves]
    assert_same_readings(api, texts, decoder_of(name))


@pytest.mark.parametrize("name", peers())
def test_every_edge_of_utf8(api, name):
    edges = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    texts = [
        b'"' + bytes([first, second, third]) + b'"'
        for first in range(0x80, 0x100)
        for second in edges
        for third in edges
    ]
    texts += [
        b'["' + bytes([first, second, 0x80, last]) + b'"]'
        for first in range(0xE0, 0x100)
        for second in range(0x80, 0xC0)
        for last in edges
    ]
    assert_same_readings(api, texts, decoder_of(name))


@pytest.mark.parametrize("name", peers())
def test_damaged_documents(api, name):
    chosen = random.Random(11)
    document = b'{"id":17,"list":[1,2.5,-3e2,{"a":"b\\n\\u00e9\xc3\xa9"}],"t":true,"n":null,"e":{}}'
    texts = []
    for _ in range(5000):
        damaged = bytearray(document)
        for _ in range(chosen.randrange(1, 4)):
            damaged[chosen.randrange(len(damaged))] = chosen.choice(document + b"\x00\xff\x80 ")
        texts.append(
            bytes(
                damaged[: chosen.randrange(len(damaged) + 1)] if chosen.random() < 0.2 else damaged
            )
        )
    assert_same_readings(api, texts, decoder_of(name))


@pytest.mark.parametrize("name", ["msgspec", "orjson"])
def test_floats_are_written_the_same(api, name):
    from test_numbers import FLOAT_TEXTS, random_doubles

    values = random_doubles(20_000, 5) + [row[0] for row in FLOAT_TEXTS]
    values += [
        float(f"{digits}e{power}")
        for digits in ("1", "1.5", "123456789")
        for power in range(-30, 30)
    ]
    peer = pytest.importorskip(name)
    if name == "msgspec":
        assert api.encode(values) == peer.json.encode(values)
    else:
        assert api.dumps(values) == peer.dumps(values)


def test_values_are_written_as_msgspec_writes_them(api):
    peer = pytest.importorskip("msgspec").json
    from test_encode_types import CASES, KEYS

    for value, _ in CASES:
        assert api.encode(value) == peer.encode(value)
    for key, _ in KEYS:
        assert api.encode({key: 1}) == peer.encode({key: 1})
    for indent in (-1, 0, 1, 2, 5):
        data = b'[1,{"a":[],"b":{},"c":[1.50,"\\u00e9"]},[[]]]'
        assert api.format(data, indent=indent) == peer.format(data, indent=indent)


def test_values_are_written_as_orjson_writes_them(api):
    orjson = pytest.importorskip("orjson")
    from test_orjson import DUMPED

    for value, _ in DUMPED:
        for option in (
            None,
            0,
            1,
            2,
            8,
            32,
            33,
            64 if not isinstance(value, int) else 0,
            128,
            1024,
            1025,
        ):
            assert api.dumps([value], option=option) == orjson.dumps([value], option=option)
    for text in [
        "OPT_INDENT_2",
        "OPT_SORT_KEYS",
        *(name for name in dir(orjson) if name.startswith("OPT_")),
    ]:
        assert getattr(api.package, text) == getattr(orjson, text)
