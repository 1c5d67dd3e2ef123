"""enc_hook, order, decimal_format, uuid_format, encode_into, and the calls themselves."""

import dataclasses
import decimal
import random
import sys
import uuid

import packhorse
import pytest


class Thing:
    def __init__(self, value=None):
        self.value = value


def test_enc_hook_is_called_for_what_has_no_form(api):
    seen = []

    def hook(value):
        seen.append(type(value).__name__)
        return value.value if isinstance(value, Thing) else [str(value)]

    value = [1, Thing({"a": Thing(2)}), 1j, Thing([Thing(None)])]
    assert api.encode(value, enc_hook=hook) == b'[1,{"a":2},["1j"],[null]]'
    assert seen == ["Thing", "Thing", "complex", "Thing", "Thing"]
    assert api.Encoder(enc_hook=hook).encode(value) == b'[1,{"a":2},["1j"],[null]]'


def test_enc_hook_for_keys(api):
    assert api.encode({Thing(): 1}, enc_hook=lambda key: "text") == b'{"text":1}'
    assert api.encode({Thing(): 1}, enc_hook=lambda key: 5) == b'{"5":1}'
    assert (
        api.encode({Thing(): 1}, enc_hook=lambda key: Thing if key is not Thing else 1.5)
        == b'{"1.5":1}'
    )
    with pytest.raises(RecursionError):
        api.encode({Thing(): 1}, enc_hook=lambda key: None)
    with pytest.raises(TypeError, match="str-like or number-like keys"):
        api.encode({Thing(): 1})


@pytest.mark.parametrize("error", [ValueError, KeyError, KeyboardInterrupt, RecursionError])
def test_exceptions_of_enc_hook_pass_unchanged(api, error):
    raised = error("mine")

    def hook(value):
        raise raised

    for value in (Thing(), [{"a": Thing()}], {Thing(): 1}):
        with pytest.raises(error) as caught:
            api.encode(value, enc_hook=hook)
        assert caught.value is raised
        assert not hasattr(raised, "path")


def test_order(api):
    @dataclasses.dataclass
    class Record:
        b: int = 1
        a: object = None

    value = {
        "b": Record(a={"y": 1, "x": 2}),
        "\u00e9": 1,
        "a": [{"d": 1, "c": {3, 1, 2}}],
        "": 0,
        "\U0001f600": 1,
        "\uffff": 2,
    }
    fields = b'{"b":1,"a":{"x":2,"y":1}}'
    tail = b',"\xc3\xa9":1,"\xef\xbf\xbf":2,"\xf0\x9f\x98\x80":1}'
    head = b'{"":0,"a":[{"c":[1,2,3],"d":1}],"b":'
    assert api.encode(value, order="deterministic") == head + fields + tail
    fields = b'{"a":{"x":2,"y":1},"b":1}'
    assert api.encode(value, order="sorted") == head + fields + tail
    assert api.Encoder(order="sorted").encode(value) == head + fields + tail
    assert api.encode({"b": 1, "a": 2}, order=None) == b'{"b":1,"a":2}'


def test_equal_dicts_give_equal_bytes_when_ordered(api):
    chosen = random.Random(3)
    keys = [
        "".join(chosen.choice("ab\u00e9\n") for _ in range(chosen.randrange(5))) for _ in range(200)
    ]
    expected = None
    for _ in range(10):
        chosen.shuffle(keys)
        value = {key: {key: len(key), "z": 1} for key in keys}
        encoded = api.encode(value, order="deterministic")
        expected = expected or encoded
        assert encoded == expected
        assert api.decode(encoded) == value


def test_order_needs_text_keys_and_comparable_items(api):
    for order in ("sorted", "deterministic"):
        with pytest.raises(TypeError, match="Only dicts with str keys are supported") as caught:
            api.encode([{"a": 1, 2: 3}], order=order)
        assert caught.value.path == "$[0].<key>"
        with pytest.raises(TypeError, match="not supported between"):
            api.encode({1, "a"}, order=order)


def test_decimal_format(api):
    value = [decimal.Decimal("1.50"), {decimal.Decimal("2"): decimal.Decimal("-1E+5")}]
    assert api.Encoder().encode(value) == b'["1.50",{"2":"-1E+5"}]'
    assert api.Encoder(decimal_format="string").encode(value) == b'["1.50",{"2":"-1E+5"}]'
    assert api.Encoder(decimal_format="number").encode(value) == b'[1.50,{"2":-1E+5}]'
    assert api.Encoder(decimal_format=float).encode(value) == b'[1.5,{"2.0":-100000.0}]'
    assert api.Encoder(decimal_format=lambda d: [str(d)]).encode(value[0]) == b'["1.50"]'
    for text in ("NaN", "-sNaN", "Infinity", "-Infinity"):
        with pytest.raises(ValueError, match=f"non-finite Decimal {text} can not be a JSON number"):
            api.Encoder(decimal_format="number").encode([decimal.Decimal(text)])
    with pytest.raises(KeyError):
        api.Encoder(decimal_format={}.__getitem__).encode(value)


@pytest.mark.parametrize(
    ("form", "path"),
    [
        (lambda d: d, "$[0]"),
        (lambda d: [1, d], "$[0][1]"),
        (lambda d: {"key": d}, "$[0].key"),
        (lambda d: {d: "value"}, "$[0].<key>"),
        (lambda d: {d}, "$[0][0]"),
        (lambda d: [Thing(d)], "$[0][0]"),
    ],
    ids=["itself", "list", "value", "key", "set", "hook"],
)
def test_what_decimal_format_returns_must_not_hold_a_decimal(api, form, path):
    encoder = api.Encoder(decimal_format=form, enc_hook=lambda thing: thing.value)
    with pytest.raises(TypeError, match="callable returned a value containing a Decimal") as caught:
        encoder.encode([decimal.Decimal(1)])
    assert caught.value.path == path
    with pytest.raises(TypeError, match="callable returned a value containing a Decimal"):
        api.Encoder(decimal_format=lambda d: d).encode({decimal.Decimal(1): 1})
    assert encoder.encode([1]) == b"[1]"


def test_decimal_format_is_asked_again_for_the_next_decimal(api):
    one, two = decimal.Decimal(1), decimal.Decimal(2)
    encoder = api.Encoder(decimal_format=lambda d: {"decimal": [str(d)]})
    assert encoder.encode([one, [two]]) == b'[{"decimal":["1"]},[{"decimal":["2"]}]]'
    assert api.Encoder(decimal_format=str).encode({one: two, two: one}) == b'{"1":"2","2":"1"}'


def test_uuid_format(api):
    value = uuid.UUID(int=0x0123456789ABCDEF0123456789ABCDEF)
    assert api.Encoder(uuid_format="hex").encode([value]) == b'["0123456789abcdef0123456789abcdef"]'
    assert (
        api.Encoder(uuid_format="hex").encode({value: 1})
        == b'{"0123456789abcdef0123456789abcdef":1}'
    )


def test_calling_conventions_are_those_of_msgspec(api):
    for wrong in [
        lambda: api.encode(),
        lambda: api.encode(1, 2),
        lambda: api.encode(obj=1),
        lambda: api.encode(1, other=2),
        lambda: api.encode(1, enc_hook=2),
        lambda: api.encode(1, decimal_format="number"),
        lambda: api.Encoder(enc_hook=2),
        lambda: api.Encoder(other=2),
        lambda: api.Encoder(None),
        lambda: api.Encoder().encode(),
        lambda: api.Encoder().encode_into(1),
        lambda: api.Encoder().encode_into(1, b""),
        lambda: api.Encoder().encode_into(1, bytearray(), "0"),
        lambda: api.Encoder().encode_into(1, bytearray(), 1.0),
        lambda: api.Encoder().encode_into(1, type("B", (bytearray,), {})()),
    ]:
        with pytest.raises(TypeError):
            wrong()
    for wrong in [
        lambda: api.encode(1, order="other"),
        lambda: api.encode(1, order=True),
        lambda: api.Encoder(order=2),
        lambda: api.Encoder(decimal_format="other"),
        lambda: api.Encoder(uuid_format="bytes"),
        lambda: api.Encoder().encode_into(1, bytearray(), -2),
    ]:
        with pytest.raises(ValueError, match="must be"):
            wrong()


@pytest.mark.parametrize("offset", [2**70, -(2**70), sys.maxsize + 1])
def test_offsets_beyond_an_index_overflow(api, offset):
    buffer = bytearray(b"kept")
    with pytest.raises(OverflowError):
        api.Encoder().encode_into(1, buffer, offset)
    assert buffer == b"kept"


def test_attributes_of_an_encoder_can_be_read_but_not_set(api):
    encoder = api.Encoder(enc_hook=repr, decimal_format="number", uuid_format="hex", order="sorted")
    assert encoder.enc_hook is repr
    assert encoder.decimal_format == "number"
    assert encoder.uuid_format == "hex"
    assert encoder.order == "sorted"
    assert (api.Encoder().enc_hook, api.Encoder().order) == (None, None)
    assert (api.Encoder().decimal_format, api.Encoder().uuid_format) == ("string", "canonical")
    for name in ("enc_hook", "decimal_format", "uuid_format", "order"):
        with pytest.raises(AttributeError):
            setattr(encoder, name, None)
    with pytest.raises(TypeError):
        type("Sub", (api.Encoder,), {})


@pytest.mark.parametrize("size", [0, 1, 3, 10, 1000])
@pytest.mark.parametrize("offset", [None, 0, 1, 5, -1, 2000])
def test_encode_into(api, size, offset):
    encoded = b"[1,2]"
    buffer = bytearray(b"?" * size)
    encoder = api.Encoder()
    given = () if offset is None else (offset,)
    assert encoder.encode_into([1, 2], buffer, *given) is None
    start = 0 if offset is None else size if offset == -1 else offset
    assert buffer == (b"?" * min(start, size)).ljust(start, b"\0") + encoded


def test_encode_into_appends_again_and_again(api):
    encoder, buffer = api.Encoder(), bytearray()
    for value in range(1000):
        encoder.encode_into(value, buffer, -1)
        buffer += b"\n"
    assert api.Decoder().decode_lines(buffer) == list(range(1000))


def test_encode_into_keeps_the_memory_of_the_buffer(api):
    if not (api.is_compiled and packhorse.build_info()["fast_path"]):
        pytest.skip("there the interpreter decides")
    buffer = bytearray(1000)
    capacity = sys.getsizeof(buffer)
    for value, offset in (([1, 2], 4), ("x" * 100, 0), ({}, 50), ("y" * 500, -1)):
        length = len(buffer) if offset == -1 else offset
        api.Encoder().encode_into(value, buffer, offset)
        assert buffer[length:] == api.encode(value)
        assert sys.getsizeof(buffer) == capacity
    del buffer[:40]
    buffer += b"more"
    api.Encoder().encode_into("z" * 2000, buffer, 1)
    assert buffer[1:] == api.encode("z" * 2000)


def test_encode_into_that_fails_leaves_the_buffer(api):
    buffer = bytearray(b"0123456789")
    for wrong in (object(), [1, object()], "\ud800"):
        with pytest.raises((TypeError, UnicodeEncodeError)):
            api.Encoder().encode_into(wrong, buffer, 2)
        assert buffer == b"0123456789"


def test_encode_into_an_exported_buffer(api):
    buffer = bytearray(b"0123456789")
    with memoryview(buffer) as view:
        with pytest.raises(BufferError):
            api.Encoder().encode_into([1, 2, 3], buffer)
        assert bytes(view) == b"0123456789"
    api.Encoder().encode_into([1, 2, 3], buffer)
    assert buffer == b"[1,2,3]"


def test_the_hook_may_do_anything_to_the_buffer(api):
    buffer = bytearray(b"x" * 100)

    def hook(value):
        buffer.clear()
        buffer.extend(b"y" * 3)
        return "hook"

    api.Encoder(enc_hook=hook).encode_into([Thing()], buffer, 5)
    assert buffer == b'yyy\0\0["hook"]'


def test_lone_surrogates_say_where(api):
    for value, path in (
        ("\ud800", "$"),
        (["a", "\udfff"], "$[1]"),
        ({"k": {"\ud800": 1}}, "$.k.<key>"),
    ):
        with pytest.raises(UnicodeEncodeError) as caught:
            api.encode(value)
        assert caught.value.path == path
