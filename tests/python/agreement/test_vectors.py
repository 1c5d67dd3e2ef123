"""Every vector of tests/vectors through every implementation, in every way of reading."""

import functools

import pytest
import slow_decoder
import vectors
from comparing import assert_same

TYPES = {
    "RESERVED_BYTE": "FormatError",
    "DEPTH_LIMIT": "StackError",
    "EXTRA_DATA": "ExtraData",
}


def expected_error(vector, codec):
    """Type, text and offset. Python's default limits follow the input's length, so that a claim beyond it is refused at
    its header; the slow decoder knows them, the vectors (which C runs without limits) do not."""
    if vector.topic == "depth":
        return codec.StackError, "", vector.error["offset"]
    try:
        slow_decoder.decode(vector.data)
    except slow_decoder.Refused as refused:
        if refused.code.endswith("_LIMIT"):
            assert vector.error["code"] in ("TRUNCATED", "RESERVED_BYTE")
        else:
            assert (refused.code, refused.offset) == (vector.error["code"], vector.error["offset"])
        if refused.code == "INVALID_UTF8":
            return UnicodeDecodeError, None, refused.offset
        name = TYPES.get(refused.code)
        return (getattr(codec, name) if name else ValueError), refused.text, refused.offset
    raise AssertionError("the slow decoder accepts it")


def reading_options(codec):
    """Nothing is lost on the way: pairs stay a list, ext types of every code stay visible."""
    return {"object_pairs_hook": vectors.Pairs, "ext_hook": vectors.Ext, "strict_map_key": False}


valid = pytest.mark.parametrize("vector", vectors.VALID, ids=repr)
invalid = pytest.mark.parametrize("vector", vectors.INVALID, ids=repr)


def expected_value(vector, codec):
    return vectors.object_of(vector.value, codec)


@valid
def test_unpackb_gives_the_value(codec, vector):
    assert_same(codec.unpackb(vector.data, **reading_options(codec)), expected_value(vector, codec))


@valid
def test_unpacker_gives_the_value_and_the_number_of_bytes(codec, vector):
    unpacker = codec.Unpacker(**reading_options(codec))
    unpacker.feed(vector.data)
    assert_same(unpacker.unpack(), expected_value(vector, codec))
    assert unpacker.tell() == len(vector.data)
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()


@valid
def test_skip_passes_exactly_the_value(codec, vector):
    unpacker = codec.Unpacker()
    unpacker.feed(vector.data + b"\x2a")
    unpacker.skip()
    assert unpacker.tell() == len(vector.data)
    assert unpacker.unpack() == 42


def pack_value(vector, codec):
    """float 32 and float 64 are told apart by an option, so a vector holds one of them only."""
    single = "float32" in repr(vector.value)
    default = functools.partial(pack_foreign, codec)
    return codec.packb(expected_value(vector, codec), use_single_float=single, default=default)


def pack_foreign(codec, value):
    raise TypeError(f"unexpected {value!r}")


canonical = [
    vector
    for vector in vectors.VALID
    if vector.canonical
    and vector.topic != "ext"
    and "'ext'" not in repr(vector.value)
    and not ("float" in vector.name and "nan" in vector.name)
]
EXT_VECTORS = [
    v for v in vectors.VALID if v.canonical and "ext" in v.value and 0 <= v.value["ext"] <= 127
]


@pytest.mark.parametrize("vector", canonical, ids=repr)
def test_packb_writes_the_canonical_bytes(codec, vector):
    if not codec.is_compiled and vector.topic == "depth":
        pytest.skip("the pure-Python packer may stop at the interpreter's recursion limit")
    assert pack_value(vector, codec) == vector.data


@pytest.mark.parametrize("vector", EXT_VECTORS, ids=repr)
def test_ext_types_are_written_in_the_shortest_form(codec, vector):
    value = codec.ExtType(vector.value["ext"], vectors.bytes_of(vector.value["data"]))
    assert codec.packb(value) == vector.data
    packer = codec.Packer()
    assert packer.pack_ext_type(value.code, value.data) == vector.data


@pytest.mark.parametrize(
    "vector", [v for v in vectors.VALID if "float" in v.name and "nan" in v.name], ids=repr
)
def test_nan_comes_back_as_nan(codec, vector):
    value = codec.unpackb(vector.data)
    assert value != value


@invalid
def test_unpackb_refuses_with_type_and_text(codec, vector):
    if codec.is_reference and vector.name == "ext 32 of 2^32-1":
        pytest.skip("msgpack's length wraps to 0 there")
    expected, text, _ = expected_error(vector, codec)
    with pytest.raises(expected) as caught:
        codec.unpackb(vector.data, strict_map_key=False)
    assert type(caught.value) is expected
    if text is not None:
        assert str(caught.value) == text


@pytest.mark.ours
@invalid
def test_the_error_tells_the_offset(codec, vector):
    with pytest.raises(Exception) as caught:
        codec.unpackb(vector.data, strict_map_key=False)
    assert caught.value.offset == expected_error(vector, codec)[2]


@invalid
def test_unpacker_waits_for_more_or_refuses(codec, vector):
    unpacker = codec.Unpacker(strict_map_key=False)
    unpacker.feed(vector.data)
    code = vector.error["code"]
    if code == "TRUNCATED":
        with pytest.raises((codec.OutOfData, ValueError)) as caught:
            unpacker.unpack()
        if not isinstance(caught.value, codec.OutOfData):
            assert "exceeds max_" in str(
                caught.value
            )  # beyond what the buffer may ever hold: no use in waiting
    elif code == "EXTRA_DATA":
        unpacker.unpack()
        assert unpacker.tell() == vector.error["offset"]
    else:
        with pytest.raises(ValueError):
            unpacker.unpack()


@pytest.mark.parametrize(
    "vector", [v for v in vectors.INVALID if v.topic == "strings_invalid"], ids=repr
)
def test_raw_accepts_text_that_is_not_utf8(codec, vector):
    value = codec.unpackb(vector.data, raw=True)
    assert codec.packb(value, use_bin_type=False) == vector.data.replace(
        b"\xd9\x21", b"\xda\x00\x21"
    )
