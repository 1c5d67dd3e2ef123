"""ExtType: a named tuple with checks."""

import pytest


def test_it_is_a_named_tuple(codec):
    value = codec.ExtType(5, b"xy")
    assert (value.code, value.data) == (5, b"xy")
    assert value == (5, b"xy")
    assert isinstance(value, tuple)
    assert hash(value) == hash((5, b"xy"))
    assert value._fields == ("code", "data")
    assert codec.ExtType(code=5, data=b"xy") == value


@pytest.mark.parametrize("code", [0, 1, 42, 127, True])
def test_codes_0_to_127_are_accepted(codec, code):
    assert codec.ExtType(code, b"").code == code


@pytest.mark.parametrize("code", [-1, -128, 128, 255, 1 << 70])
def test_other_codes_are_refused(codec, code):
    with pytest.raises(ValueError, match="(?m)^code must be 0~127$"):
        codec.ExtType(code, b"")


@pytest.mark.parametrize("code", [1.0, "1", None, b"1"])
def test_the_code_must_be_an_int(codec, code):
    with pytest.raises(TypeError, match="(?m)^code must be int$"):
        codec.ExtType(code, b"")


@pytest.mark.parametrize("data", ["x", bytearray(b"x"), memoryview(b"x"), None, 1])
def test_the_data_must_be_bytes(codec, data):
    with pytest.raises(TypeError, match="(?m)^data must be bytes$"):
        codec.ExtType(1, data)


def test_it_can_be_subclassed_with_another_constructor(codec):
    """fluent-logger's EventTime does this."""

    class EventTime(codec.ExtType):
        def __new__(cls, seconds):
            return super().__new__(cls, 0, seconds.to_bytes(8, "big"))

    assert codec.packb(EventTime(1)) == b"\xd7\x00" + b"\0" * 7 + b"\x01"


def test_reading_gives_exactly_the_class(codec):
    assert type(codec.unpackb(b"\xd4\x05\x41")) is codec.ExtType


def test_it_can_be_pickled_and_copied(codec):
    import copy
    import pickle

    value = codec.ExtType(5, b"xy")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is codec.ExtType
    assert copy.deepcopy(value) == value


def test_one_that_was_unpacked_is_found_by_an_equal_one(codec):
    value = codec.ExtType(5, b"xy")
    unpacked = codec.unpackb(codec.packb(value))
    assert hash(unpacked) == hash(value)
    assert {value: 1}[unpacked] == 1
