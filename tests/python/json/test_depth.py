"""Nesting: 1,024 levels both ways, on small stacks too; deeper is an error, never a crash."""

import pytest
from small_stacks import outcome_in_thread

LEVELS = 1024
SHAPES = [
    (b"[", b"]", b"1"),
    (b'{"a":', b"}", b"1"),
    (b'[{"a":', b"}]", b"1"),
    (b' [ { "k" : 1 , "l" : ', b" } ] ", b"[]"),
]


def nested(opening, closing, inner, levels):
    return opening * levels + inner + closing * levels


def assert_encoded_or_too_small(result, expected):
    """Encoding recurses: where the stack does not allow 1,024 levels it says so."""
    if isinstance(result, bytes):
        assert result == expected
    else:
        assert isinstance(result, (RecursionError, TypeError))
        assert "stack of this thread is too small" in str(result) or "Recursion" in str(result)


def depth_of(value):
    depth = 0
    while isinstance(value, (list, dict)) and value:
        value = list(value.values())[-1] if isinstance(value, dict) else value[-1]
        depth += 1
    return depth + isinstance(value, (list, dict))


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_the_limit_is_exact(api, shape):
    per_level = shape[0].count(b"[") + shape[0].count(b"{")
    levels = (LEVELS - (shape[2] == b"[]")) // per_level
    data = nested(*shape, levels)
    value = outcome_in_thread(lambda: api.decode(data))
    assert depth_of(value) == levels * per_level + (shape[2] == b"[]")
    assert api.encode(value) == data.replace(b" ", b"")
    assert_encoded_or_too_small(
        outcome_in_thread(lambda: api.encode(value)), data.replace(b" ", b"")
    )
    assert outcome_in_thread(lambda: api.format(data, indent=-1)) == data.replace(b" ", b"")
    deeper = nested(*shape, levels + 1)
    for read in (api.decode, api.Decoder(allow="jsonc").decode, api.loads, api.format):
        error = outcome_in_thread(lambda: read(deeper))  # noqa: B023
        assert isinstance(error, api.DecodeError)
        assert "nested too deeply" in str(error)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"":', b"[[],", b'{"a":{},"b":'])
def test_millions_of_levels_are_an_early_error(api, opening):
    for data in (opening * 1_000_000, opening * 2000):
        error = outcome_in_thread(lambda: api.decode(data))  # noqa: B023
        assert isinstance(error, api.DecodeError)
        assert error.offset < 1025 * len(opening) + 20
        assert len(error.path) < 2000


def build(levels, kind):
    value = 1
    for _ in range(levels):
        value = [value] if kind is list else {"a": value} if kind is dict else (value,)
    return value


@pytest.mark.parametrize("kind", [list, dict, tuple])
def test_encoding_has_the_same_limit(api, kind):
    allowed, too_deep = build(LEVELS, kind), build(LEVELS + 1, kind)
    encoded = api.encode(allowed)
    assert outcome_in_thread(lambda: depth_of(api.decode(encoded))) == LEVELS
    assert_encoded_or_too_small(outcome_in_thread(lambda: api.encode(allowed)), encoded)
    error = outcome_in_thread(lambda: api.encode(too_deep))
    assert isinstance(error, RecursionError)
    with pytest.raises(RecursionError):
        api.encode(too_deep)
    if kind is not tuple:
        assert api.dumps(allowed) == encoded
        assert_encoded_or_too_small(outcome_in_thread(lambda: api.dumps(allowed)), encoded)
        error = outcome_in_thread(lambda: api.dumps(too_deep))
        assert isinstance(error, TypeError)


def test_cycles_are_errors(api):
    array, map = [], {}
    array.append(array)
    map["self"] = [map]
    for value in (array, map):
        with pytest.raises(RecursionError):
            api.encode(value)
        with pytest.raises(api.JSONEncodeError):
            api.dumps(value)


def test_a_hook_that_returns_its_argument_for_ever_is_an_error(api):
    with pytest.raises(RecursionError):
        in_thread = outcome_in_thread(lambda: api.encode(object(), enc_hook=lambda value: value))
        raise in_thread
    with pytest.raises(RecursionError):
        api.encode(object(), enc_hook=lambda value: [value])
    with pytest.raises(TypeError, match="default serializer exceeds recursion limit"):
        api.dumps(object(), default=lambda value: value)


def test_deep_values_beside_each_other(api):
    data = b"[" + b",".join([b"[" * 500 + b"]" * 500] * 50) + b"]"
    assert api.encode(api.decode(data)) == data
