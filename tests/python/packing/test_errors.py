"""A call that fails changes nothing: the packer is as it was before (msgpack drops all, or keeps a part)."""

import pytest

UNSUPPORTED = object()


class Failing(dict):
    def items(self):
        yield "a", 1
        raise RuntimeError("no more items")

    def __len__(self):
        return 2


FAILURES = {
    "unsupported value": (lambda packer: packer.pack(UNSUPPORTED), TypeError),
    "unsupported in a list": (lambda packer: packer.pack([1, UNSUPPORTED]), TypeError),
    "unsupported in a map": (lambda packer: packer.pack({"a": 1, "b": UNSUPPORTED}), TypeError),
    "unsupported key": (lambda packer: packer.pack({UNSUPPORTED: 1}), TypeError),
    "integer out of range": (lambda packer: packer.pack([1, 2**70]), OverflowError),
    "lone surrogate": (lambda packer: packer.pack(["a", "\ud800"]), UnicodeEncodeError),
    "too deep": (lambda packer: packer.pack(nested()), (ValueError, RecursionError)),
    "items that raise": (lambda packer: packer.pack([Failing()]), RuntimeError),
    "pairs with an unsupported value": (
        lambda packer: packer.pack_map_pairs([("a", 1), ("b", UNSUPPORTED)]),
        TypeError,
    ),
    "pairs that are none": (
        lambda packer: packer.pack_map_pairs([("a", 1), 5]),
        (TypeError, ValueError),
    ),
    "negative array size": (lambda packer: packer.pack_array_header(-1), ValueError),
    "negative map size": (lambda packer: packer.pack_map_header(-1), ValueError),
    "ext data of another type": (lambda packer: packer.pack_ext_type(1, [1]), TypeError),
    "ext code out of range": (
        lambda packer: packer.pack_ext_type(1000, b""),
        (ValueError, OverflowError),
    ),
}


def nested():
    value = 1
    for _ in range(5000):
        value = [value]
    return value


failures = pytest.mark.parametrize("call, error", FAILURES.values(), ids=FAILURES.keys())


@pytest.mark.ours
@failures
def test_earlier_bytes_stay(codec, call, error):
    packer = codec.Packer(autoreset=False)
    packer.pack(["before"])
    with pytest.raises(error):
        call(packer)
    assert packer.bytes() == b"\x91\xa6before"
    packer.pack(2)
    assert packer.bytes() == b"\x91\xa6before\x02"


@pytest.mark.ours
@failures
def test_the_next_result_is_clean(codec, call, error):
    packer = codec.Packer()
    for _ in range(3):
        with pytest.raises(error):
            call(packer)
        assert packer.pack(None) == b"\xc0"


@failures
def test_the_same_with_packb_and_pack(codec, call, error):
    """pack() itself is clean in msgpack too."""
    packer = codec.Packer()
    if call.__code__.co_names[0] != "pack":
        pytest.skip("only pack() clears in msgpack")
    with pytest.raises(error):
        call(packer)
    assert packer.pack(None) == b"\xc0"


def test_messages(codec):
    class Image:
        pass

    with pytest.raises(TypeError, match="(?m)^can not serialize 'Image' object$"):
        codec.packb(Image())
    with pytest.raises(OverflowError, match="(?m)^Integer value out of range$"):
        codec.packb(2**64)
