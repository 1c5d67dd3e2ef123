"""pack_array_header, pack_map_header, pack_map_pairs, pack_ext_type."""

import pytest

ARRAY = {
    0: "90",
    1: "91",
    15: "9f",
    16: "dc0010",
    65535: "dcffff",
    65536: "dd00010000",
    2**32 - 1: "ddffffffff",
}
MAP = {
    0: "80",
    1: "81",
    15: "8f",
    16: "de0010",
    65535: "deffff",
    65536: "df00010000",
    2**32 - 1: "dfffffffff",
}
EXT = {
    0: "c70005", 1: "d405", 2: "d505", 3: "c70305", 4: "d605", 5: "c70505", 8: "d705", 16: "d805", 17: "c71105",
    255: "c7ff05", 256: "c8010005", 65535: "c8ffff05", 65536: "c90001000005",
}  # fmt: skip


@pytest.mark.parametrize("size, data", ARRAY.items())
def test_array_header(codec, size, data):
    assert codec.Packer().pack_array_header(size).hex() == data


@pytest.mark.parametrize("size, data", MAP.items())
def test_map_header(codec, size, data):
    assert codec.Packer().pack_map_header(size).hex() == data


@pytest.mark.parametrize("size, data", EXT.items())
def test_ext_header(codec, size, data):
    assert codec.Packer().pack_ext_type(5, b"z" * size) == bytes.fromhex(data) + b"z" * size
    assert codec.packb(codec.ExtType(5, b"z" * size)) == bytes.fromhex(data) + b"z" * size


@pytest.mark.parametrize("name, kind", [("pack_array_header", "array"), ("pack_map_header", "map")])
def test_sizes_have_a_range(codec, name, kind):
    packer = codec.Packer(autoreset=False)
    packer.pack(1)
    with pytest.raises(ValueError, match=f"(?m)^{kind} size must be non-negative$"):
        getattr(packer, name)(-1)
    with pytest.raises((ValueError, OverflowError)):
        getattr(packer, name)(2**32)
    with pytest.raises((ValueError, OverflowError)):
        getattr(packer, name)(2**64)
    assert packer.bytes() == b"\x01"


@pytest.mark.parametrize("name", ["pack_array_header", "pack_map_header"])
@pytest.mark.parametrize("size", [None, "1", b"1", [], object()], ids=repr)
def test_sizes_must_be_numbers(codec, name, size):
    packer = codec.Packer(autoreset=False)
    with pytest.raises(TypeError):
        getattr(packer, name)(size)
    assert packer.bytes() == b""


@pytest.mark.ours
@pytest.mark.parametrize("name", ["pack_array_header", "pack_map_header"])
def test_sizes_must_be_integers(codec, name):
    """msgpack truncates."""
    with pytest.raises(TypeError):
        getattr(codec.Packer(), name)(1.5)


def test_map_pairs(codec):
    packer = codec.Packer()
    assert packer.pack_map_pairs([("a", 1), ("a", 2)]) == b"\x82\xa1a\x01\xa1a\x02"
    assert packer.pack_map_pairs((("a", {"b": []}),)) == b"\x81\xa1a\x81\xa1b\x90"
    assert packer.pack_map_pairs({"a": 1}.items()) == b"\x81\xa1a\x01"
    assert packer.pack_map_pairs([]) == b"\x80"
    assert packer.pack_map_pairs([([], {})]) == b"\x81\x90\x80"
    assert packer.pack_map_pairs([("k", i) for i in range(20)])[:3] == b"\xde\x00\x14"


@pytest.mark.parametrize(
    "pairs",
    [(pair for pair in [("a", 1)]), iter([]), None, 5],
    ids=["generator", "iterator", "None", "int"],
)
def test_map_pairs_need_a_length(codec, pairs):
    with pytest.raises(TypeError):
        codec.Packer().pack_map_pairs(pairs)


@pytest.mark.parametrize(
    "pairs", [[1], [("a",)], [("a", 1, 2)], [("a", 1), None], ["abc"]], ids=repr
)
def test_map_pairs_must_be_pairs(codec, pairs):
    with pytest.raises((TypeError, ValueError)):
        codec.Packer().pack_map_pairs(pairs)


def test_map_pairs_ask_default(codec):
    assert codec.Packer(default=str).pack_map_pairs([(1j, 2j)]) == b"\x81\xa21j\xa22j"


@pytest.mark.parametrize("code", [-129, 128, 256, 2**40])
def test_ext_codes_have_a_range(codec, code):
    packer = codec.Packer(autoreset=False)
    with pytest.raises((ValueError, OverflowError)):
        packer.pack_ext_type(code, b"x")
    assert packer.bytes() == b""


@pytest.mark.parametrize("code", ["1", None, 1.5 + 0j], ids=repr)
def test_ext_codes_must_be_numbers(codec, code):
    with pytest.raises(TypeError):
        codec.Packer().pack_ext_type(code, b"x")


@pytest.mark.parametrize("data", [None, 5, [1]], ids=repr)
def test_ext_data_must_be_bytes(codec, data):
    packer = codec.Packer(autoreset=False)
    packer.pack(1)
    with pytest.raises(TypeError):
        packer.pack_ext_type(1, data)
    if not codec.is_reference:
        assert packer.bytes() == b"\x01"


def test_streaming_a_document_by_its_headers(codec):
    packer = codec.Packer(autoreset=False)
    packer.pack_map_header(2)
    packer.pack("list")
    packer.pack_array_header(3)
    for item in (1, 2, 3):
        packer.pack(item)
    packer.pack("nested")
    packer.pack_map_pairs([("x", None)])
    assert codec.unpackb(packer.bytes()) == {"list": [1, 2, 3], "nested": {"x": None}}
