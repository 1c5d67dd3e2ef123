"""autoreset=False, bytes(), reset(), getbuffer() and the buffer protocol."""

import pytest


def test_without_autoreset_data_accumulates(codec):
    packer = codec.Packer(autoreset=False)
    assert packer.pack(1) is None
    assert packer.pack_array_header(2) is None
    assert packer.pack_map_header(0) is None
    assert packer.pack_map_pairs([("a", 1)]) is None
    assert packer.pack_ext_type(5, b"x") is None
    assert packer.bytes() == b"\x01\x92\x80\x81\xa1a\x01\xd4\x05x"
    assert packer.bytes() == b"\x01\x92\x80\x81\xa1a\x01\xd4\x05x"


def test_reset_clears(codec):
    packer = codec.Packer(autoreset=False)
    packer.pack("a")
    assert packer.reset() is None
    assert packer.bytes() == b""
    packer.pack(2)
    assert packer.bytes() == b"\x02"


def test_with_autoreset_nothing_is_kept(codec):
    packer = codec.Packer()
    assert packer.pack(1) == b"\x01"
    assert packer.bytes() == b""
    packer.reset()
    assert packer.pack(2) == b"\x02"


def test_every_pack_method_returns_bytes_with_autoreset(codec):
    packer = codec.Packer()
    assert packer.pack_array_header(2) == b"\x92"
    assert packer.pack_map_header(2) == b"\x82"
    assert packer.pack_map_pairs([(1, 2)]) == b"\x81\x01\x02"
    assert packer.pack_ext_type(1, b"a") == b"\xd4\x01a"
    assert packer.bytes() == b""


def test_two_ext_objects_accumulate_in_order(codec):
    packer = codec.Packer(autoreset=False)
    packer.pack_ext_type(1, b"a")
    packer.pack_ext_type(2, b"b")
    assert packer.bytes() == b"\xd4\x01a\xd4\x02b"


def test_getbuffer_is_a_read_only_view(codec):
    packer = codec.Packer(autoreset=False)
    packer.pack([1, 2])
    view = packer.getbuffer()
    assert type(view) is memoryview
    assert view.readonly or not codec.is_compiled
    assert view.format == "B" and view.ndim == 1
    assert bytes(view) == b"\x92\x01\x02"


def test_the_packer_supports_the_buffer_protocol(codec):
    if not codec.is_compiled:
        pytest.skip("a plain Python class has no buffer protocol before 3.12")
    packer = codec.Packer(autoreset=False)
    packer.pack([1, 2])
    assert bytes(memoryview(packer)) == b"\x92\x01\x02"
    assert bytes(packer) == b"\x92\x01\x02"
    assert codec.unpackb(packer) == [1, 2]


def test_an_empty_buffer(codec):
    packer = codec.Packer(autoreset=False)
    assert bytes(packer.getbuffer()) == b""


@pytest.mark.parametrize(
    "call",
    [
        lambda packer: packer.pack(1),
        lambda packer: packer.pack_array_header(1),
        lambda packer: packer.pack_map_header(1),
        lambda packer: packer.pack_map_pairs([]),
        lambda packer: packer.pack_ext_type(1, b""),
        lambda packer: packer.reset(),
    ],
    ids=[
        "pack",
        "pack_array_header",
        "pack_map_header",
        "pack_map_pairs",
        "pack_ext_type",
        "reset",
    ],
)
def test_an_exported_buffer_can_not_be_changed(codec, call):
    packer = codec.Packer(autoreset=False)
    packer.pack([1, 2])
    view = packer.getbuffer()
    if not codec.is_compiled:
        pytest.skip("the pure-Python packer hands out a view of its BytesIO, which guards itself")
    with pytest.raises(
        BufferError, match="(?m)^Existing exports of data: Packer cannot be changed$"
    ):
        call(packer)
    assert packer.bytes() == b"\x92\x01\x02"
    assert bytes(view) == b"\x92\x01\x02"
    view.release()
    packer.reset()
    assert packer.bytes() == b""


def test_a_view_keeps_the_packer_alive(codec):
    import gc

    packer = codec.Packer(autoreset=False)
    packer.pack(b"x" * 1000)
    view = packer.getbuffer()
    del packer
    gc.collect()
    assert bytes(view) == b"\xc5\x03\xe8" + b"x" * 1000


def test_growing_from_small_to_large(codec):
    packer = codec.Packer(autoreset=False, buf_size=1)
    expected = b""
    for size in (0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        packer.pack(b"y" * size)
        expected += codec.packb(b"y" * size)
        assert packer.bytes() == expected


def test_many_small_values(codec):
    packer = codec.Packer(autoreset=False)
    for number in range(100_000):
        packer.pack(number)
    assert packer.bytes() == b"".join(map(codec.packb, range(100_000)))
