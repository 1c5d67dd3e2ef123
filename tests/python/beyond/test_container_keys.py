"""Keys that are arrays or maps: what they become, which hooks see them, and what the path calls them.

The same wherever they stand: near the top, deeper than the decoder recurses, and in containers that claim more than is there,
whose elements are read although no object can come of them.
"""

import pytest

pytestmark = pytest.mark.ours

PLACES = {
    "outermost": b"",
    "nested": b"\x92\x01\x81\xa1k",
    "deep": b"\x91" * 100,
    "very deep": b"\x81\xa1k\x91" * 500,
    "claimed array": b"\xdc\xff\x00",
    "claimed map": b"\xdf\x00\x00\xff\x00\xa1k",
    "claimed, nested": b"\x93\x01\x02\x93\x01\x02",
    "claimed, deep": b"\x91" * 100 + b"\xdc\xff\x00",
}
MAPS = {"map": b"\x81", "map that claims more": b"\xde\x00\xff", "larger map": b"\xde\x00\x02"}
LOOSE = {"max_array_len": 2**20, "max_map_len": 2**20, "max_str_len": 2**20}
places = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
maps = pytest.mark.parametrize("head", MAPS.values(), ids=MAPS.keys())


class Frozen(tuple):
    """What a hook makes of a container."""


KEYS = [
    ("list", b"\x92\x01\x02", {}, "[<list>]"),
    ("empty list", b"\x90", {}, "[<list>]"),
    ("tuple", b"\x92\x01\x02", {"use_list": False}, "[<tuple>]"),
    ("tuple key", b"\x92\x01\x91\x02", {"tuple_keys": True}, "[<tuple>]"),
    ("dict", b"\x81\xa1a\x01", {}, "[<dict>]"),
    ("empty dict", b"\x80", {}, "[<dict>]"),
    ("pairs as list", b"\x81\xa1a\x01", {"object_pairs_hook": list}, "[<list>]"),
    ("pairs as hooked", b"\x81\xa1a\x01", {"object_pairs_hook": Frozen}, "[<Frozen>]"),
    ("map as number", b"\x82\xa1a\x01\xa1b\x02", {"object_hook": len}, "[2]"),
    ("map as text", b"\x80", {"object_hook": lambda value: "name"}, ".name"),
    ("array as number", b"\x93\x01\x02\x03", {"list_hook": len}, "[3]"),
    ("array as hooked", b"\x91\x01", {"list_hook": Frozen}, "[<Frozen>]"),
    ("tuple key, hook", b"\x91\x01", {"list_hook": len, "tuple_keys": True}, "[<tuple>]"),
    ("ext as number", b"\xd4\x05x", {"ext_hook": lambda code, data: code}, "[5]"),
    ("ext", b"\xd4\x05x", {}, "[<ExtType>]"),
]
keys = pytest.mark.parametrize(
    "key, options, segment", [row[1:] for row in KEYS], ids=[row[0] for row in KEYS]
)


def failure(codec, data, **options):
    with pytest.raises(Exception) as caught:
        codec.unpackb(data, strict_map_key=False, **LOOSE, **options)
    return caught.value


@places
@maps
@keys
def test_the_path_names_the_key_above_a_truncated_value(codec, place, head, key, options, segment):
    for value in (b"", b"\xcd\x01", b"\xa3ab"):
        data = place + head + key
        error = failure(codec, data + value, **options)
        assert (type(error), str(error)) == (ValueError, "Unpack failed: incomplete input")
        assert error.offset == len(data)
        assert error.path.endswith(segment)
        error = failure(codec, data + b"\x91" + value, **options)
        assert error.path.endswith(segment + "[0]")


@places
@maps
@keys
def test_the_path_ends_in_a_key_that_is_truncated(codec, place, head, key, options, segment):
    error = failure(codec, place + head + key[:-1], **options)
    assert error.offset == len(place + head) + (len(key) - 1 if key[0] < 0xA0 else 0)
    assert ".<key>" in error.path[-12:]


@places
@maps
@pytest.mark.parametrize(
    "key, options, name",
    [
        (b"\x91\x01", {}, "list"),
        (b"\x80", {}, "dict"),
        (b"\x92\x01\x80", {"tuple_keys": True}, "dict"),
        (b"\x93\xd4\x05x\xd6\xff\0\0\0\x01\x80", {"use_list": False}, "dict"),
        (b"\x91\x91\x91\x80", {"use_list": False}, "dict"),
        (b"\x91\x01", {"list_hook": list}, "list"),
        (b"\x80", {"object_hook": dict, "ext_hook": lambda code, data: None}, "dict"),
        (b"\x80", {"unicode_errors": "ignore"}, "dict"),
        (b"\xd4\x05x", {"ext_hook": lambda code, data: [code]}, "list"),
    ],
)
def test_an_unhashable_key_is_ours_to_explain_with_hooks_too(
    codec, place, head, key, options, name
):
    error = failure(codec, place + head + key + b"\x01", **options)
    assert type(error) is TypeError
    assert f"unhashable type: '{name}'" in str(error)
    assert error.offset == len(place + head)
    assert error.path.endswith(".<key>")


class WithoutHash(list):
    pass


class RaisingHash(tuple):
    def __hash__(self):
        raise ValueError("mine")


class RaisingEq(tuple):
    def __hash__(self):
        return 5

    def __eq__(self, other):
        raise ValueError("mine")


@places
@maps
@pytest.mark.parametrize("rest", [b"", b"\x90\x01", b"\xc1"], ids=["end", "more", "reserved"])
@pytest.mark.parametrize(
    "key, options",
    [
        (b"\x91\x01", {"list_hook": RaisingHash}),
        (b"\x81\x01\x02", {"object_hook": lambda value: RaisingHash()}),
        (b"\xd4\x05x", {"ext_hook": lambda code, data: (code, RaisingHash(), [])}),
        (b"\xd4\x05x", {"ext_hook": lambda code, data: WithoutHash()}),
    ],
)
def test_what_hashing_a_hooks_object_raises_comes_at_once_and_unchanged(
    codec, place, head, rest, key, options
):
    error = failure(codec, place + head + key + b"\x01" + rest, **options)
    assert "mine" in str(error) or "WithoutHash" in str(error)
    assert not hasattr(error, "path") and not hasattr(error, "__notes__")


@pytest.mark.parametrize("second", [b"\xa1a", b"\x05", b"\xd9\x01a", b"\xc4\x01a"])
def test_what_comparing_with_a_hooks_object_raises_is_unchanged(codec, second):
    class Equal(RaisingEq):
        def __hash__(self):
            return hash({b"\xa1a": "a", b"\x05": 5, b"\xd9\x01a": "a", b"\xc4\x01a": b"a"}[second])

    data = b"\x82\xd4\x05x\x01" + second + b"\x02"
    error = failure(codec, data, ext_hook=lambda code, payload: Equal())
    assert str(error) == "mine"
    assert not hasattr(error, "path") and not hasattr(error, "__notes__")


@places
def test_hooks_see_the_containers_that_are_whole_in_any_claim(codec, place):
    """In msgpack too: what no object can come of is still read, and given to hooks, in the order of the input."""
    calls = []

    def hook(name, result):
        def called(*arguments):
            calls.append((name, *arguments))
            return result

        return called

    data = b"\x96\x80\x81\xa1a\x90\xd4\x05x\x91\x02\xde\xff\x00\x80\x91\x03"
    error = failure(
        codec,
        place + data,
        object_hook=hook("map", 1),
        list_hook=hook("array", 2),
        ext_hook=hook("ext", 3),
    )
    assert error.offset == len(place + data)
    assert calls == [
        ("map", {}),
        ("array", []),
        ("map", {"a": 2}),
        ("ext", 5, b"x"),
        ("array", [2]),
        ("map", {}),
        ("array", [3]),
    ]


@places
def test_a_hook_that_raises_in_a_claim_ends_the_call(codec, place):
    def hook(value):
        raise KeyError("mine")

    for options in ({"list_hook": hook}, {"object_hook": hook}, {"object_pairs_hook": hook}):
        data = place + (b"\x93\x90\x01" if "list_hook" in options else b"\x93\x80\x01")
        error = failure(codec, data, **options)
        assert type(error) is KeyError
        assert not hasattr(error, "path")


@pytest.mark.parametrize("levels", [1, 2, 95, 96, 97, 200])
def test_arrays_anywhere_in_a_key_become_tuples(codec, levels):
    """Also in maps in the key, which a hook must make hashable; values outside the key stay lists."""
    data = b"\x82" + b"\x91\x81\xa1k" * levels + b"\x91\x01" + b"\x91\x02" + b"\xa1x\x91\x03"
    expected = (1,)
    for _ in range(levels):
        expected = ((("k", expected),),)
    value = codec.unpackb(data, object_pairs_hook=tuple, tuple_keys=True)
    assert value == ((expected, [2]), ("x", [3]))


def test_the_list_hook_is_not_asked_about_keys(codec):
    calls = []

    def hook(value):
        calls.append(value)
        return value

    data = b"\x82\x92\x01\x91\x02\x91\x03\xa1k\x91\x04"
    assert codec.unpackb(data, tuple_keys=True, list_hook=hook) == {(1, (2,)): [3], "k": [4]}
    assert calls == [[3], [4]]
    calls.clear()
    unpacker = codec.Unpacker(tuple_keys=True, list_hook=hook)
    for at in range(len(data)):
        unpacker.feed(data[at : at + 1])
        if at + 1 < len(data):
            with pytest.raises(codec.OutOfData):
                unpacker.unpack()
    assert unpacker.unpack() == {(1, (2,)): [3], "k": [4]}
    assert calls == [[3], [4]]


@pytest.mark.parametrize("timestamp", ["7fffffffffffffff", "0000ffffffffffff", "8000000000000000"])
def test_dates_out_of_range_are_ours_to_explain_with_an_ext_hook_too(codec, timestamp):
    data = b"\x92\x01\xc7\x0c\xff\0\0\0\0" + bytes.fromhex(timestamp)
    error = failure(codec, data, timestamp=3, ext_hook=lambda code, payload: None)
    assert type(error) is OverflowError
    assert str(error).startswith("days=")
    assert (error.offset, error.path) == (2, "$[1]")


def test_what_an_error_handler_raises_is_unchanged(codec):
    import codecs

    def strict(error):
        raise error

    codecs.register_error("packhorse-test-strict", strict)
    for handler in ("packhorse-test-strict", "no such handler"):
        error = failure(codec, b"\x91\xa1\xff", unicode_errors=handler)
        assert isinstance(error, (UnicodeDecodeError, LookupError))
        assert not hasattr(error, "path")
