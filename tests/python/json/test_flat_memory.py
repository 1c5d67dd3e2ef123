"""Flat memory on success and on every kind of error."""

import pytest

pytest.importorskip("tracemalloc")

from memory import test_flat_memory

ROUNDS, ROUNDS_PURE = test_flat_memory.ROUNDS // 5, 500


def assert_flat(call, count):
    """Twice if need be: the interpreter's table of interned strings may grow in between, once."""
    try:
        test_flat_memory.assert_flat(call, count)
    except AssertionError:
        test_flat_memory.assert_flat(call, count)


def rounds(api):
    return ROUNDS if api.is_compiled else ROUNDS_PURE


BAD_TEXTS = [
    b"",
    b"[1,",
    b'{"a":{"b":[1,2,"x',
    b'{"a":1,"b":}',
    b'["long text without escapes that is its own object",x]',
    b'{"key one":1,"key two":[1,2,{"key three":tru}]}',
    b'["\\u00e9\\ud800"]',
    b'["abc\xff"]',
    b'{"abc\xff":1}',
    b"[1e999]",
    b"[" + b"9" * 5000 + b"]",
    b"[" * 2000,
    b'{"a":' * 2000,
    b"[[],[],{}] x",
    b'{"a":1 "b":2}',
]


@pytest.mark.parametrize("data", BAD_TEXTS, ids=[repr(text)[:40] for text in BAD_TEXTS])
def test_errors_of_decoding(api, data):
    strict, relaxed = api.Decoder(duplicate_keys="error"), api.Decoder(float_hook=str)

    def call():
        for read in (api.decode, api.loads, strict.decode, relaxed.decode_lines, api.format):
            try:
                read(data)
            except ValueError:
                pass

    assert_flat(call, rounds(api) // (50 if len(data) > 1000 else 5))


class Thing:
    pass


def raise_key_error(value):
    raise KeyError


def test_errors_of_encoding(api):
    values = [
        [1, "x" * 300, object()],
        {"a": {"b": [object()]}},
        {(1, 2): 1},
        {"a": "\ud800", "b": 1},
        [{1, 2, object()}],
    ]
    encoder = api.Encoder(enc_hook=raise_key_error, order="sorted")

    def call():
        for value in values:
            for write in (api.encode, api.dumps, encoder.encode):
                try:
                    write(value)
                except (TypeError, ValueError, KeyError):
                    pass

    assert_flat(call, rounds(api) // 10)


def test_wrong_calls(api):
    calls = [
        lambda: api.decode(b"1", type=int),
        lambda: api.decode(1),
        lambda: api.decode("\ud800"),
        lambda: api.decode(b"1", allow="x"),
        lambda: api.Decoder(float_hook=1),
        lambda: api.Decoder(duplicate_keys=5),
        lambda: api.Encoder(decimal_format=object()),
        lambda: api.Encoder(order="x", enc_hook=repr),
        lambda: api.encode(1, order="x", enc_hook=repr),
        lambda: api.dumps(1, repr, -1),
        lambda: api.Encoder().encode_into(1, bytearray(), -5),
        lambda: api.Encoder().encode_lines(5),
        lambda: api.loads(5),
    ]

    def call():
        for wrong in calls:
            try:
                wrong()
            except (TypeError, ValueError):
                pass

    assert_flat(call, rounds(api) // 20)


def test_success(api):
    import datetime
    import decimal
    import uuid

    value = {"a": [1, 2.5, "x" * 200, None, 2**70], "\u20ac": {"b": {}}, "c\n": "d\u00e9\n"}
    rich = [
        datetime.datetime.now(datetime.UTC),
        decimal.Decimal("1.5"),
        uuid.uuid4(),
        {1, 2},
        b"abc",
        Thing(),
    ]
    encoder = api.Encoder(enc_hook=lambda thing: [1], order="sorted", decimal_format="number")
    decoder = api.Decoder(float_hook=str, allow="jsonc", duplicate_keys="error")
    buffer = bytearray()
    data = api.encode(value)

    def call():
        decoder.decode(data)
        decoder.decode_lines(data + b"\n" + data)
        api.loads(api.dumps(value, option=1) if len(data) < 100 else data)
        encoder.encode_lines(iter([rich, value]))
        encoder.encode_into(rich, buffer)
        api.format(data)
        api.dumps([1.5, api.Fragment(b"1")], default=repr)
        api.Decoder[int]
        list(api.iter_lines([data[:20], data[20:]], decoder=decoder))

    assert_flat(call, rounds(api) // 10)


def test_random_keys_do_not_stay(api):
    def call():
        api.decode(f'{{"key {call.count}":1,"other {call.count}":{{"third {call.count}":2}}}}')
        call.count += 1

    call.count = 0
    for _ in range(20_000):
        call()
    assert_flat(call, rounds(api))
