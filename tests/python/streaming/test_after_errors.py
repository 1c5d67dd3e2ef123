"""An Unpacker after an error: refuses to go on as if nothing had happened, says so, and never crashes."""

import pytest

BAD = {
    "reserved byte": b"\xc1",
    "reserved byte inside": b"\x93\x01\x81\xa1k\xc1",
    "bad text": b"\x92\xa3abc\xa2\xff\xff",
    "key not allowed": b"\x82\xa1a\x01\x05\x06",
    "too deep": b"\x91" * 1025 + b"\x01",
    "bad timestamp": b"\x91\xd4\xff\x00",
    "array claim": b"\xdd\xff\xff\xff\xff",
}
bad = pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())


@pytest.mark.ours
@bad
def test_every_further_call_is_refused_until_resync_or_a_new_one(codec, data):
    unpacker = codec.Unpacker()
    unpacker.feed(data)
    with pytest.raises(ValueError):
        unpacker.unpack()
    for take in (
        unpacker.unpack,
        lambda: next(unpacker),
        unpacker.unpack_raw,
        unpacker.read_array_header,
        unpacker.read_map_header,
    ):
        with pytest.raises(Exception) as caught:
            take()
        assert not isinstance(caught.value, (codec.OutOfData, StopIteration))
        assert str(caught.value)


@pytest.mark.ours
def test_skip_goes_on_behind_what_failed(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x92\xa1a\xa2\xff\xff\x05")
    with pytest.raises(UnicodeDecodeError):
        unpacker.unpack()
    assert unpacker.skip() is None
    assert unpacker.unpack() == 5


@bad
def test_feeding_and_reading_on_never_crashes(codec, data):
    if codec.is_reference and data != b"\xc1":
        pytest.skip("not defined there")
    for _ in range(10):
        unpacker = codec.Unpacker()
        unpacker.feed(data)
        for _ in range(5):
            try:
                unpacker.unpack()
            except Exception:
                pass
            try:
                unpacker.feed(b"\x01\x02\x03")
                unpacker.skip()
            except Exception:
                pass
        del unpacker


@bad
def test_objects_before_the_error_arrive(codec, data):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x02" + data)
    assert [unpacker.unpack(), unpacker.unpack()] == [1, 2]
    with pytest.raises(ValueError):
        unpacker.unpack()


@pytest.mark.ours
@bad
def test_init_again_makes_it_usable(codec, data):
    unpacker = codec.Unpacker()
    unpacker.feed(data)
    with pytest.raises(ValueError):
        unpacker.unpack()
    unpacker.__init__()
    unpacker.feed(b"\x91\x01")
    assert unpacker.unpack() == [1]


@pytest.mark.ours
@bad
def test_the_error_tells_the_offset_in_the_stream(codec, data):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x01\x02\x03")
    assert list(unpacker) == [1, 2, 3]
    unpacker.feed(data)
    with pytest.raises(ValueError) as caught:
        unpacker.unpack()
    offset = caught.value.offset
    with pytest.raises(ValueError) as caught:
        codec.unpackb(data, max_array_len=2**20)
    assert offset == 3 + caught.value.offset


def test_out_of_data_is_not_an_error_of_this_kind(codec):
    unpacker = codec.Unpacker()
    for _ in range(3):
        with pytest.raises(codec.OutOfData):
            unpacker.unpack()
    unpacker.feed(b"\x01")
    assert unpacker.unpack() == 1


def test_a_wrong_header_is_not_an_error_of_this_kind(codec):
    unpacker = codec.Unpacker()
    unpacker.feed(b"\x91\x01")
    with pytest.raises(ValueError):
        unpacker.read_map_header()
    assert unpacker.unpack() == [1]


@pytest.mark.ours
def test_an_error_inside_a_hook_is_not_one_of_the_stream(codec):
    """The hook unpacks in turn; its error has an offset and a path, but in other bytes."""
    if not codec.is_compiled:
        pytest.skip("the fallback calls the hook again in any case")
    broken = [True]

    def ext_hook(code, data):
        return codec.unpackb(b"\x92\x01" if broken else data)

    unpacker = codec.Unpacker(ext_hook=ext_hook)
    unpacker.feed(codec.packb([codec.ExtType(5, codec.packb("inner"))]))
    with pytest.raises(ValueError, match="incomplete input"):
        unpacker.unpack()
    broken.clear()
    assert unpacker.unpack() == ["inner"]


@pytest.mark.ours
@pytest.mark.parametrize("ahead", [b"", b"\x91" * 100, b"\xdc\x01\x00" + b"\x01" * 255])
@pytest.mark.parametrize(
    "data, name", [(b"\x92\x01\x91\x02", "list_hook"), (b"\x93\x01\xd4\x05x\x02", "ext_hook")]
)
def test_after_an_exception_of_a_hook_the_stream_is_where_the_object_begins(
    codec, ahead, data, name
):
    fails = [True]

    def hook(*arguments):
        if fails:
            raise KeyError("mine")
        return "made"

    unpacker = codec.Unpacker(**{name: hook})
    unpacker.feed(b"\x07" + ahead + data)
    assert unpacker.unpack() == 7
    for _ in range(3):
        with pytest.raises(KeyError):
            unpacker.unpack()
        assert unpacker.tell() == 1
    fails.clear()
    unpacker.unpack()
    assert unpacker.tell() == 1 + len(ahead + data)


@pytest.mark.ours
def test_after_an_exception_of_an_error_handler_the_call_repeats_it(codec):
    import codecs

    answers = [KeyError("mine"), KeyError("mine"), ("?", 3)]

    def handler(error):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    codecs.register_error("packhorse-test-later", handler)
    unpacker = codec.Unpacker(unicode_errors="packhorse-test-later")
    unpacker.feed(b"\x92\x01\xa4ab\xffc")
    for _ in range(2):
        with pytest.raises(KeyError):
            unpacker.unpack()
        assert unpacker.tell() == 0
    assert unpacker.unpack() == [1, "ab?c"]
