"""The exception hierarchy, which callers catch by its bases."""

import pytest

BASES = {
    "UnpackException": (Exception,),
    "BufferFull": ("UnpackException",),
    "OutOfData": ("UnpackException",),
    "FormatError": (ValueError, "UnpackException"),
    "StackError": (ValueError, "UnpackException"),
    "ExtraData": (ValueError,),
}
ALIASES = {
    "UnpackValueError": ValueError,
    "PackException": Exception,
    "PackValueError": ValueError,
    "PackOverflowError": OverflowError,
}


@pytest.mark.parametrize("name, bases", BASES.items())
def test_bases(codec, name, bases):
    expected = tuple(getattr(codec, base) if isinstance(base, str) else base for base in bases)
    assert getattr(codec, name).__bases__ == expected


def test_extra_data_is_not_an_unpack_exception(codec):
    assert not issubclass(codec.ExtraData, codec.UnpackException)


@pytest.mark.parametrize("name, builtin", ALIASES.items())
def test_deprecated_names_are_the_builtins(codec, name, builtin):
    assert getattr(codec, name) is builtin


def test_extra_data_carries_the_object_and_the_rest(codec):
    error = codec.ExtraData([1], b"\x02\x03")
    assert error.unpacked == [1]
    assert error.extra == b"\x02\x03"
    assert error.args == ([1], b"\x02\x03")
    assert str(error) == "unpack(b) received extra data."


def test_extra_data_from_unpackb(codec):
    with pytest.raises(codec.ExtraData) as caught:
        codec.unpackb(b"\x91\x01\x02\x03")
    assert caught.value.unpacked == [1]
    assert type(caught.value.extra) is bytes
    assert caught.value.extra == b"\x02\x03"
    assert caught.value.args == ([1], b"\x02\x03")
