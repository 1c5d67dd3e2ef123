"""resync(): on behind the damage, with the number of bytes that were left out."""

import pytest

pytestmark = pytest.mark.ours


def failed(codec, data, **options):
    """An Unpacker that has just failed, and the objects that came before."""
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    values = []
    with pytest.raises(Exception) as caught:
        while True:
            values.append(unpacker.unpack())
    assert not isinstance(caught.value, codec.OutOfData)
    return unpacker, values


def test_over_a_reserved_byte(codec):
    unpacker, values = failed(codec, b"\x01\x02\xc1\x03\x04")
    assert values == [1, 2]
    assert unpacker.resync() == 1
    assert unpacker.tell() == 3
    assert list(unpacker) == [3, 4]


@pytest.mark.parametrize(
    "bad",
    [b"\x92\xa1a\xa2\xff\xff", b"\x82\xa1a\x01\x05\x06", b"\x91\xd4\xff\x00", b"\x91\xd4\x80\x00"],
    ids=["bad text", "key not allowed", "bad timestamp", "bad ext code"],
)
def test_a_well_framed_object_is_left_out_whole(codec, bad):
    unpacker, values = failed(codec, b"\x01" + bad + b"\x91\x07\x08")
    assert values == [1]
    assert unpacker.resync() == len(bad)
    assert unpacker.tell() == 1 + len(bad)
    assert list(unpacker) == [[7], 8]


def test_what_is_refused_until_then(codec):
    unpacker, _ = failed(codec, b"\xc1\x01")
    for take in (
        unpacker.unpack,
        unpacker.unpack_raw,
        unpacker.read_array_header,
        unpacker.read_map_header,
        lambda: next(unpacker),
    ):
        with pytest.raises(ValueError, match="resync"):
            take()
    unpacker.resync()
    assert unpacker.unpack() == 1


def test_without_an_error_it_leaves_out_nothing(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x02")
    assert unpacker.resync() == 0
    assert list(unpacker) == [1, 2]


def test_nothing_plausible_yet(codec):
    unpacker, _ = failed(codec, b"\x01\xc1\xc1\xc1")
    assert unpacker.resync() == 3
    with pytest.raises(codec.OutOfData):
        unpacker.unpack()
    unpacker.feed(b"\x05")
    assert unpacker.unpack() == 5


def test_every_object_behind_random_damage_is_found_again(codec):
    """Maps with distinct contents, one of them damaged at each byte: all later ones come out, and in order."""
    maps = [{"number": number, "text": f"text {number}"} for number in range(6)]
    packed = [codec.packb(one) for one in maps]
    for position in range(len(packed[2])):
        damaged = bytearray(packed[2])
        damaged[position] = 0xC1
        unpacker = codec.Unpacker()
        unpacker.feed(b"".join([*packed[:2], bytes(damaged), *packed[3:]]))
        values = []
        for _ in range(200):
            try:
                values.append(unpacker.unpack())
            except codec.OutOfData:
                break
            except (ValueError, codec.UnpackException):
                unpacker.resync()
        assert values[:2] == maps[:2]
        assert values[-2:] == maps[-2:], position


def test_offsets_go_on_counting(codec):
    unpacker, _ = failed(codec, b"\x01\xc1\x02\xc1\x03")
    unpacker.resync()
    assert unpacker.unpack() == 2
    with pytest.raises(codec.FormatError) as caught:
        unpacker.unpack()
    assert caught.value.offset == 3


def test_it_always_goes_on(codec):
    """On any rubbish: each resync leaves something out or the data ends."""
    import random

    source = random.Random(5)
    for _ in range(200):
        data = bytes(source.choice(b"\xc1\x91\x81\xa3\xff\xd4\x01\xdd\xcf") for _ in range(60))
        unpacker = codec.Unpacker()
        unpacker.feed(data)
        for _ in range(len(data) * 2 + 2):
            before = unpacker.tell()
            try:
                unpacker.unpack()
            except codec.OutOfData:
                break
            except (ValueError, TypeError, codec.UnpackException):
                assert unpacker.resync() > 0
                assert unpacker.tell() > before or unpacker.tell() == len(data)
        else:
            raise AssertionError(f"no end for {data.hex()}")


def test_after_an_error_from_a_file(codec):
    import io

    unpacker = codec.Unpacker(io.BytesIO(b"\x01\xc1\x02"))
    assert unpacker.unpack() == 1
    with pytest.raises(codec.FormatError):
        unpacker.unpack()
    assert unpacker.resync() == 1
    assert list(unpacker) == [2]


def test_it_is_refused_inside_hooks(codec):
    def hook(value):
        with pytest.raises(RuntimeError):
            unpacker.resync()
        return value

    unpacker = codec.Unpacker(list_hook=hook)
    unpacker.feed(b"\x91\x01")
    assert unpacker.unpack() == [1]
