"""strict_map_key, duplicate keys, keys that can not be hashed."""

import pytest

NOT_ALLOWED = {
    "int": b"\x81\x01\x02",
    "bool": b"\x81\xc3\x02",
    "NoneType": b"\x81\xc0\x02",
    "float": b"\x81\xcb\x3f\xf0\0\0\0\0\0\0\x02",
    "list": b"\x81\x90\x02",
    "dict": b"\x81\x80\x02",
    "ExtType": b"\x81\xd4\x05x\x02",
    "Timestamp": b"\x81\xd6\xff\0\0\0\0\x02",
}
kinds = pytest.mark.parametrize("name, data", NOT_ALLOWED.items())


def full_name(codec, name):
    return {"ExtType": "ExtType", "Timestamp": "Timestamp"}.get(name, name)


@kinds
def test_by_default_keys_are_text_or_bytes(codec, name, data):
    with pytest.raises(ValueError) as caught:
        codec.unpackb(data)
    text = str(caught.value)
    assert text.endswith("is not allowed for map key when strict_map_key=True")
    assert name in text.split(" is not")[0]


def test_the_text_for_int(codec):
    for options in ({}, {"object_pairs_hook": list}, {"object_hook": dict}):
        with pytest.raises(
            ValueError, match="(?m)^int is not allowed for map key when strict_map_key=True$"
        ):
            codec.unpackb(b"\x81\x01\x02", **options)


@kinds
def test_the_same_in_a_stream_and_with_a_pairs_hook(codec, name, data):
    unpacker = codec.Unpacker(object_pairs_hook=list)
    unpacker.feed(data)
    with pytest.raises(
        ValueError, match="(?m)is not allowed for map key when strict_map_key=True$"
    ):
        unpacker.unpack()


@kinds
def test_strict_map_key_false_allows_what_can_be_hashed(codec, name, data):
    if name in ("list", "dict"):
        with pytest.raises(TypeError, match=name):
            codec.unpackb(data, strict_map_key=False)
    else:
        (value,) = codec.unpackb(data, strict_map_key=False).values()
        assert value == 2


def test_the_interpreters_own_text_for_unhashable_keys(codec):
    try:
        {[]: 1}
    except TypeError as error:
        expected = str(error)
    with pytest.raises(TypeError) as caught:
        codec.unpackb(b"\x81\x90\x02", strict_map_key=False)
    assert str(caught.value) == expected


def test_bytes_keys_are_allowed(codec):
    assert codec.unpackb(b"\x81\xc4\x01k\x01") == {b"k": 1}
    assert codec.unpackb(b"\x81\xa1k\x01", raw=True) == {b"k": 1}


def test_the_check_comes_when_the_pair_is_complete(codec):
    with pytest.raises(ValueError, match="(?m)^Unpack failed: incomplete input$"):
        codec.unpackb(b"\x81\x01")
    calls = []
    with pytest.raises(ValueError, match="strict_map_key"):
        codec.unpackb(b"\x81\x01\x90", list_hook=calls.append)
    assert calls == [[]]


def test_a_key_made_by_a_hook_is_checked_too(codec):
    with pytest.raises(
        ValueError, match="(?m)^int is not allowed for map key when strict_map_key=True$"
    ):
        codec.unpackb(b"\x81\x90\x01", list_hook=lambda value: 5)
    assert codec.unpackb(b"\x81\x90\x01", list_hook=lambda value: "key") == {"key": 1}


def test_subclasses_of_text_are_not_exact(codec):
    class Text(str):
        pass

    with pytest.raises(
        ValueError, match="(?m)is not allowed for map key when strict_map_key=True$"
    ):
        codec.unpackb(b"\x81\x90\x01", list_hook=lambda value: Text("key"))


def test_the_last_duplicate_wins_at_the_first_position(codec):
    data = b"\x83\xa1b\x01\xa1a\x02\xa1b\x03"
    value = codec.unpackb(data)
    assert list(value.items()) == [("b", 3), ("a", 2)]


def test_equal_keys_of_different_types(codec):
    data = b"\x83\x01\xa1i\xcb\x3f\xf0\0\0\0\0\0\0\xa1f\xc3\xa1b"
    value = codec.unpackb(data, strict_map_key=False)
    assert value == {1: "b"}
    assert [type(key) for key in value] == [int]
    assert codec.unpackb(b"\x82\xa1a\x01\xc4\x01a\x02") == {"a": 1, b"a": 2}


def test_nan_keys_stay_apart(codec):
    nan = b"\xcb\x7f\xf8\0\0\0\0\0\0"
    # For PyPy two floats of the same bits are the same object, and one key.
    expected = len({float("nan"): 1, float("nan"): 2})
    value = codec.unpackb(b"\x82" + nan + b"\x01" + nan + b"\x02", strict_map_key=False)
    assert len(value) == expected


def test_a_key_whose_hash_raises(codec):
    class Key(tuple):
        def __hash__(self):
            raise RuntimeError("no hash")

    with pytest.raises(RuntimeError, match="(?m)^no hash$"):
        codec.unpackb(b"\x81\x90\x01", strict_map_key=False, list_hook=Key)


def test_a_key_whose_comparison_raises(codec):
    class Key(tuple):
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise RuntimeError("no comparison")

    with pytest.raises(RuntimeError, match="(?m)^no comparison$"):
        codec.unpackb(b"\x82\x90\x01\x91\x01\x02", strict_map_key=False, list_hook=Key)


@pytest.mark.parametrize("count", [0, 1, 5, 6, 7, 15, 16, 17, 100, 1000, 65535, 65536, 70000])
def test_maps_of_any_size(codec, count):
    value = {f"key{number}": number for number in range(count)}
    assert codec.unpackb(codec.packb(value)) == value


def test_the_dicts_are_ordinary(codec):
    value = codec.unpackb(codec.packb({"a": {"b": 1}, "c": 2}))
    value["d"] = 3
    del value["a"]
    assert value == {"c": 2, "d": 3}
    value.update(value)
    assert list(value.copy().items()) == [("c", 2), ("d", 3)]


def test_an_unhashable_key_is_found_before_what_is_wrong_behind_its_pair(codec):
    for data in (
        b"\x82\x90\x01\xc1\x01",
        b"\x82\x90\x01\xa1",
        b"\x83\xa1a\x01\x80\x01\xa1\xff\x01",
    ):
        with pytest.raises(TypeError):
            codec.unpackb(data, strict_map_key=False, max_map_len=9)
