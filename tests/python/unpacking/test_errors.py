"""The errors of unpackb: type, text, and nothing kept."""

import pytest


def test_incomplete_input(codec):
    for data in (
        b"",
        b"\x91",
        b"\xa1",
        b"\xcd\x01",
        b"\xc4",
        b"\xc4\x05a",
        b"\xd4",
        b"\xd4\x05",
        b"\x81\xa1k",
        b"\xcb\0",
    ):
        limited = len(data) == 1 and data in (b"\x91",)
        with pytest.raises(ValueError) as caught:
            codec.unpackb(data)
        assert type(caught.value) is ValueError
        if not limited:
            assert str(caught.value) == "Unpack failed: incomplete input"


def test_the_reserved_byte(codec):
    for data in (b"\xc1", b"\x91\xc1", b"\x81\xa1k\xc1", b"\x81\xc1\x01", b"\x92\x01\xc1"):
        with pytest.raises(codec.FormatError) as caught:
            codec.unpackb(data)
        assert str(caught.value) == ""
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, codec.UnpackException)


def test_extra_data_after_every_kind(codec):
    for data in (
        b"\xc0",
        b"\x01",
        b"\xa1a",
        b"\x91\x01",
        b"\x80",
        b"\xd4\x05a",
        b"\xcb" + bytes(8),
        b"\xd6\xff\0\0\0\0",
    ):
        with pytest.raises(codec.ExtraData) as caught:
            codec.unpackb(data + b"\xc1rest")
        assert caught.value.unpacked == codec.unpackb(data)
        assert caught.value.extra == b"\xc1rest"


def test_the_first_error_counts(codec):
    with pytest.raises(UnicodeDecodeError):
        codec.unpackb(b"\x92\xa1\xff\xc1")
    with pytest.raises(codec.FormatError):
        codec.unpackb(b"\x92\xc1\xa1\xff")
    with pytest.raises(ValueError, match="strict_map_key"):
        codec.unpackb(b"\x82\x01\x01\xc1\x01")


def test_known_inputs_that_once_hung_or_crashed(codec):
    for data, options in (
        ("dd7fffffff", {}),
        ("ddff000000", {}),
        ("9ffd74f7dd74ffffbd", {"use_list": False}),
        ("9ffd74f7dd74fffdbd", {"use_list": False}),
        ("d99723444c5f", {}),
        ("d7a3703d0ab77c40", {}),
        ("81a161d9647a7a7a7a7a", {}),
        ("df40000000", {}),
        ("df20000000", {}),
        ("df80000000", {}),
        ("dfffffffff", {}),
        ("dbfffffff0", {}),
        ("d4", {}),
        ("d5", {}),
        ("d6", {}),
        ("d7", {}),
        ("d8", {}),
    ):
        with pytest.raises(ValueError):
            codec.unpackb(bytes.fromhex(data), **options)


def test_an_exception_is_not_left_set(codec):
    for _ in range(3):
        with pytest.raises(ValueError):
            codec.unpackb(b"\x91")
        assert codec.unpackb(b"\x91\x01") == [1]
