"""tuple_keys=True: arrays that are map keys become tuples, whatever use_list says."""

import pytest

pytestmark = pytest.mark.ours
DATA = b"\x81\x92\x01\xa1b\xa5value"


def stream(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return unpacker.unpack()


ways = pytest.mark.parametrize(
    "unpack",
    [lambda codec, data, **options: codec.unpackb(data, **options), stream],
    ids=["unpackb", "unpack"],
)


@ways
def test_an_array_key_becomes_a_tuple(codec, unpack):
    assert unpack(codec, DATA, tuple_keys=True) == {(1, "b"): "value"}
    assert unpack(codec, DATA, tuple_keys=True, strict_map_key=False) == {(1, "b"): "value"}


@ways
def test_arrays_inside_a_key_become_tuples_too(codec, unpack):
    data = codec.packb({((1, (2,)), ()): [[3], {"k": [4]}]})
    assert unpack(codec, data, tuple_keys=True) == {((1, (2,)), ()): [[3], {"k": [4]}]}


@ways
def test_values_stay_lists(codec, unpack):
    value = unpack(codec, b"\x81\x90\x91\x05", tuple_keys=True)
    assert value == {(): [5]}
    assert type(value[()]) is list


@ways
def test_other_keys_are_as_strict_as_before(codec, unpack):
    with pytest.raises(
        ValueError, match="(?m)^int is not allowed for map key when strict_map_key=True$"
    ):
        unpack(codec, b"\x81\x01\x02", tuple_keys=True)
    assert unpack(codec, b"\x81\x01\x02", tuple_keys=True, strict_map_key=False) == {1: 2}


@ways
def test_a_map_inside_a_key_can_still_not_be_hashed(codec, unpack):
    with pytest.raises(TypeError):
        unpack(codec, b"\x81\x91\x80\x01", tuple_keys=True)


@ways
def test_without_the_option_it_is_as_in_msgpack(codec, unpack):
    with pytest.raises(
        ValueError, match="(?m)^list is not allowed for map key when strict_map_key=True$"
    ):
        unpack(codec, DATA)
    with pytest.raises(TypeError):
        unpack(codec, DATA, strict_map_key=False)


@ways
def test_round_trip_of_tuple_keys(codec, unpack):
    value = {(x, y): [x, y] for x in range(20) for y in range(20)}
    assert unpack(codec, codec.packb(value), tuple_keys=True) == value


@ways
def test_with_a_pairs_hook(codec, unpack):
    assert unpack(codec, DATA, tuple_keys=True, object_pairs_hook=list) == [((1, "b"), "value")]


def test_split_at_every_byte(codec):
    data = codec.packb({((1, "two"), 3): {(4,): [5]}})
    for position in range(1, len(data)):
        unpacker = codec.Unpacker(tuple_keys=True)
        unpacker.feed(data[:position])
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
        unpacker.feed(data[position:])
        assert unpacker.unpack() == {((1, "two"), 3): {(4,): [5]}}
