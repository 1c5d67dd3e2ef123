"""Errors say where: .offset and .path while reading, .path while packing, and a note that tracebacks show."""

import pytest

pytestmark = pytest.mark.ours


def reading(codec, data, **options):
    with pytest.raises(Exception) as caught:
        codec.unpackb(data, **options)
    return caught.value


def packing(codec, value, **options):
    with pytest.raises(Exception) as caught:
        codec.packb(value, **options)
    return caught.value


READING = [
    (b"\xc1", 0, "$"),
    (b"\x92\x01\xc1", 2, "$[1]"),
    (b"\x81\xa1k\xc1", 3, "$.k"),
    (b"\x81\xa1k\x92\x01\xc1", 5, "$.k[1]"),
    (b"\x81\xa5users\x94\xc0\xc0\xc0\x81\xa5photo\xc1", 18, "$.users[3].photo"),
    (b"\x91\xa1\xff", 1, "$[0]"),
    (b"\x81\xa3a b\xa1\xff", 5, '$["a b"]'),
    (b"\x81\xa0\xa1\xff", 2, '$[""]'),
    (b"\x81\xc4\x01k\xc1", 4, "$[b'k']"),
    (b"\x91\xd4\xff\x00", 1, "$[0]"),
    (b"\x82\xa1a\x01\xa1b", 6, "$.b"),
    (b"\x93\x01\x02", 3, "$[2]"),
    (b"\x81\xa1\xff\x01", 1, "$.<key>"),
    (b"\x81\xc1", 1, "$.<key>"),
    (b"\x91\xdd\xff\xff\xff\xff", 1, "$[0]"),
    (b"", 0, "$"),
]


@pytest.mark.parametrize(
    "data, offset, path",
    READING,
    ids=lambda value: value.hex() if isinstance(value, bytes) else str(value),
)
def test_reading(codec, data, offset, path):
    error = reading(codec, data, max_array_len=100, max_map_len=100)
    assert (error.offset, error.path) == (offset, path)
    assert error.__notes__ == [f"at {path}, byte {offset}"]


def test_a_key_that_is_not_allowed(codec):
    error = reading(codec, b"\x91\x82\xa1a\x01\x05\x06")
    assert error.offset == 5
    assert error.path in ("$[0][5]", "$[0].<key>")
    assert str(error) == "int is not allowed for map key when strict_map_key=True"


def test_an_unhashable_key(codec):
    for before in (b"", b"\x91" * 5, b"\x91" * 300, b"\x91" * 1000):
        for data, offset in (
            (b"\x81\x90\x06", 1),
            (b"\x82\xa1a\x01\x90\x01", 4),
            (b"\x81\x91\x80\x01", 1),
        ):
            error = reading(codec, before + data, strict_map_key=False, max_map_len=100)
            assert isinstance(error, TypeError)
            assert error.offset == len(before) + offset


def test_extra_data(codec):
    error = reading(codec, b"\x91\x01\x02\x03")
    assert (error.offset, error.path) == (2, "$")


@pytest.mark.parametrize("count", [3, 20, 300])
def test_indexes_and_keys_far_in(codec, count):
    data = codec.packb([{"items": list(range(count))}, 1])[:-1]
    error = reading(codec, b"\x92" + data[1:] + b"\xc1")
    assert error.path == "$[1]"
    error = reading(
        codec, codec.packb({f"k{number}": None for number in range(count)})[:-1] + b"\xc1"
    )
    assert error.path.startswith("$.k")


def test_long_paths_are_shortened(codec):
    error = reading(codec, b"\x91" * 1025 + b"\x01")
    assert error.path.startswith("$[0][0]")
    assert len(error.path) < 1000


def test_int_keys_in_paths(codec):
    assert reading(codec, b"\x81\x05\xc1", strict_map_key=False).path == "$[5]"
    assert reading(codec, b"\x81\xff\xc1", strict_map_key=False).path == "$[-1]"


class Image:
    pass


PACKING = [
    (Image(), "$"),
    ([1, Image()], "$[1]"),
    ({"k": Image()}, "$.k"),
    ({"users": [0, 1, 2, {"photo": Image()}]}, "$.users[3].photo"),
    (({"a b": (Image(),)},), '$[0]["a b"][0]'),
    ({5: Image()}, "$[5]"),
    ({"state": [0, {"bad": 2**70}]}, "$.state[1].bad"),
    ({"text": ["\ud800"]}, "$.text[0]"),
    ({Image(): 1}, "$.<key>"),
]


@pytest.mark.parametrize("value, path", PACKING, ids=[path for _, path in PACKING])
def test_packing(codec, value, path):
    error = packing(codec, value)
    assert error.path == path
    assert error.__notes__ == [f"at {path}"]
    assert not hasattr(error, "offset") or error.offset is None


def test_types_and_texts_stay_those_of_msgpack(codec):
    error = packing(codec, {"users": [{"photo": Image()}]})
    assert type(error) is TypeError
    assert str(error) == "can not serialize 'Image' object"
    assert error.args == ("can not serialize 'Image' object",)


def test_sorted_packing_knows_the_path_too(codec):
    assert packing(codec, {"b": {"d": Image()}, "a": 1}, order="sorted").path == "$.b.d"


def test_inside_what_default_gives(codec):
    error = packing(
        codec, {"a": Image()}, default=lambda value: [1, 2**70] if type(value) is Image else value
    )
    assert error.path in ("$.a[1]", "$.a")


def test_exceptions_of_hooks_are_left_alone(codec):
    def hook(*arguments):
        raise KeyError("mine")

    error = reading(codec, b"\x81\xa1k\x90", list_hook=hook)
    assert not hasattr(error, "__notes__") and not hasattr(error, "path")
    error = packing(codec, [Image()], default=hook)
    assert not hasattr(error, "__notes__") and not hasattr(error, "path")


def test_streams_count_from_their_beginning(codec):
    unpacker = codec.Unpacker()
    for _ in range(1000):
        unpacker.feed(b"\x93\x01\x02\x03")
        unpacker.unpack()
    unpacker.feed(b"\x81\xa1k\xc1")
    with pytest.raises(codec.FormatError) as caught:
        unpacker.unpack()
    assert (caught.value.offset, caught.value.path) == (4003, "$.k")


def test_the_note_is_shown(codec):
    import traceback

    error = packing(codec, {"users": [Image()]})
    assert "at $.users[0]" in "".join(traceback.format_exception(error))
