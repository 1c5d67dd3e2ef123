"""object_hook, object_pairs_hook, list_hook, ext_hook: their arguments, order, results and exceptions."""

import sys

import pytest

DATA = b"\x92\x81\xa1a\x81\xa1b\x90\xd4\x05x"  # [{"a": {"b": []}}, ext 5]


def unpackb(codec, data, **options):
    return codec.unpackb(data, **options)


def stream(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return unpacker.unpack()


both = pytest.mark.parametrize("unpack", [unpackb, stream])


@both
def test_object_hook_gets_each_dict_innermost_first(codec, unpack):
    calls = []

    def hook(value):
        assert type(value) is dict
        calls.append(dict(value))
        return len(calls)

    assert unpack(codec, DATA, object_hook=hook) == [2, codec.ExtType(5, b"x")]
    assert calls == [{"b": []}, {"a": 1}]


@both
def test_object_hook_is_called_for_empty_maps(codec, unpack):
    assert unpack(codec, b"\x80", object_hook=lambda value: "empty") == "empty"
    assert unpack(codec, b"\x81\xa1k\x80", object_hook=lambda value: ("hooked", value)) == (
        "hooked",
        {"k": ("hooked", {})},
    )


@both
def test_pairs_hook_gets_a_list_of_tuples(codec, unpack):
    calls = []

    def hook(pairs):
        assert type(pairs) is list
        assert all(type(pair) is tuple for pair in pairs)
        calls.append(pairs)
        return "pairs"

    assert unpack(codec, b"\x82\xa1a\x01\xa1a\x80", object_pairs_hook=hook) == "pairs"
    assert calls == [[], [("a", 1), ("a", "pairs")]]


@both
def test_pairs_hook_sees_duplicates_and_order(codec, unpack):
    data = b"\x83\xa1b\x01\xa1a\x02\xa1b\x03"
    assert unpack(codec, data, object_pairs_hook=list) == [("b", 1), ("a", 2), ("b", 3)]
    assert list(unpack(codec, data).items()) == [("b", 3), ("a", 2)]


@both
def test_pairs_hook_may_keep_or_ignore_its_argument(codec, unpack):
    kept = []
    assert unpack(codec, b"\x92\x81\xa1a\x01\x07", object_pairs_hook=kept.append) == [None, 7]
    assert kept == [[("a", 1)]]


@both
def test_pairs_hook_allows_keys_that_can_not_be_hashed(codec, unpack):
    data = b"\x82\x90\x01\x80\x02"
    assert unpack(codec, data, object_pairs_hook=list, strict_map_key=False) == [([], 1), ([], 2)]


@both
@pytest.mark.parametrize("use_list, expected", [(True, list), (False, tuple)])
def test_list_hook_gets_the_container(codec, unpack, use_list, expected):
    calls = []

    def hook(value):
        calls.append(value)
        return len(calls)

    assert unpack(codec, b"\x92\x91\x05\x90", list_hook=hook, use_list=use_list) == 3
    if codec.is_compiled:
        assert [type(value) for value in calls] == [expected] * 3
    assert [list(value) for value in calls] == [[5], [], [1, 2]]


@both
def test_list_hook_may_keep_its_argument(codec, unpack):
    kept = []

    def hook(value):
        kept.append(value)
        return value

    result = unpack(codec, b"\x92\x91\x05\x91\x06", list_hook=hook)
    assert result is kept[-1]
    assert result == [[5], [6]]


@both
def test_ext_hook_gets_code_and_bytes(codec, unpack):
    calls = []

    def hook(code, data):
        assert type(code) is int and type(data) is bytes
        calls.append((code, data))
        return data.decode()

    assert unpack(codec, b"\x94\xd4\x05x\xc7\x00\x80\xc7\x03\x7fabc\xd8\x00" + b"y" * 16, ext_hook=hook) == [
        "x", "", "abc", "y" * 16,
    ]  # fmt: skip
    assert calls == [(5, b"x"), (-128, b""), (127, b"abc"), (0, b"y" * 16)]


@both
def test_ext_hook_never_gets_timestamps(codec, unpack):
    def hook(code, data):
        raise AssertionError

    assert unpack(codec, b"\xd6\xff\0\0\0\x01", ext_hook=hook) == codec.Timestamp(1)


@both
@pytest.mark.parametrize("code", [-2, -128])
def test_the_default_ext_hook_refuses_negative_codes(codec, unpack, code):
    with pytest.raises(ValueError, match="(?m)^code must be 0~127$"):
        unpack(codec, b"\xd4" + code.to_bytes(1, "big", signed=True) + b"x")


def test_ext_hook_may_unpack_with_the_same_options(codec):
    inner = codec.packb({1: ["inner"]})
    options = {"strict_map_key": False, "use_list": False}

    def hook(code, data):
        return codec.unpackb(data, ext_hook=hook, **options)

    packed = codec.packb([codec.ExtType(1, codec.packb(codec.ExtType(2, inner))), {2: 3}])
    assert codec.unpackb(packed, ext_hook=hook, **options) == ({1: ("inner",)}, {2: 3})


HOOKS = {
    "object_hook": b"\x83\xa1a\x01\xa1b\x81\xa1c\x01\xa1d\x02",
    "object_pairs_hook": b"\x83\xa1a\x01\xa1b\x81\xa1c\x01\xa1d\x02",
    "list_hook": b"\x83\xa1a\x01\xa1b\x91\x01\xa1d\x02",
    "ext_hook": b"\x83\xa1a\x01\xa1b\xd4\x05x\xa1d\x02",
}


@both
@pytest.mark.parametrize("name, data", HOOKS.items())
@pytest.mark.parametrize(
    "error",
    [KeyError("k"), ValueError("v"), MemoryError(), KeyboardInterrupt(), StopIteration(5)],
    ids=repr,
)
def test_exceptions_come_through_unchanged(codec, unpack, name, data, error):
    def hook(*arguments):
        raise error

    with pytest.raises(type(error)) as caught:
        unpack(codec, data, **{name: hook})
    assert caught.value is error


@pytest.mark.counts_references
@pytest.mark.parametrize("name, data", HOOKS.items())
@pytest.mark.parametrize("empty", [False, True])
def test_nothing_leaks_when_a_hook_raises(codec, name, data, empty):
    def hook(*arguments):
        raise error

    if empty:
        data = {"list_hook": b"\x90", "ext_hook": b"\xc7\0\x05"}.get(name, b"\x80")
    error = KeyError()
    before = sys.getrefcount(hook)
    for _ in range(50):
        with pytest.raises(KeyError):
            codec.unpackb(data, **{name: hook})
    error.__traceback__ = None
    assert sys.getrefcount(hook) == before


@pytest.mark.counts_references
@pytest.mark.parametrize("name", ["object_hook", "object_pairs_hook", "list_hook", "ext_hook"])
def test_an_unpacker_keeps_its_hooks_alive_and_lets_them_go(codec, name):
    class Owner:
        def hook(self, *arguments):
            return "hooked"

    data = {"list_hook": b"\x90", "ext_hook": b"\xd4\x05x"}.get(name, b"\x80")
    hook = Owner().hook
    before = sys.getrefcount(hook)
    unpacker = codec.Unpacker(**{name: hook})
    assert sys.getrefcount(hook) > before
    unpacker.feed(data)
    assert unpacker.unpack() == "hooked"
    del unpacker
    assert sys.getrefcount(hook) == before
    unpacker = codec.Unpacker(**{name: Owner().hook})
    unpacker.feed(data)
    assert unpacker.unpack() == "hooked"


def test_a_cycle_through_a_hook_is_collected(codec):
    import gc
    import weakref

    class Owner:
        def __init__(self):
            self.unpacker = codec.Unpacker(object_hook=self.hook)

        def hook(self, value):
            return value

    owner = Owner()
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is None


def test_hooks_may_change_what_they_were_given(codec):
    def list_hook(value):
        value.extend(range(100)) if isinstance(value, list) else None
        return value

    def object_hook(value):
        value.clear()
        value["seen"] = True
        return value

    assert codec.unpackb(b"\x92\x91\x01\x80", list_hook=list_hook, object_hook=object_hook)[1] == {
        "seen": True
    }


def test_hooks_may_collect_garbage(codec):
    import gc

    def hook(value):
        gc.collect()
        return value

    data = codec.packb([{"a": [1, {"b": [[], {}]}]}] * 3)
    assert codec.unpackb(data, object_hook=hook, list_hook=hook) == codec.unpackb(data)


def test_a_hooked_key_must_still_be_hashable(codec):
    with pytest.raises(TypeError, match="unhashable|cannot use"):
        codec.unpackb(b"\x81\x80\x01", strict_map_key=False)
    data = b"\x81\x80\x01"
    assert codec.unpackb(
        data, strict_map_key=False, object_hook=lambda value: tuple(value.items())
    ) == (((), 1),)


@pytest.mark.ours
def test_a_hook_can_find_the_container_that_is_being_built(codec):
    """With gc.get_objects a hook may reach half-built lists: no slot is read before it is filled (msgpack crashes)."""
    import gc

    def hook(code, data):
        for found in gc.get_objects():
            if type(found) is list and len(found) < 50:
                repr(len(found)), list(found)
        return code

    data = b"\xdc\x00\x14" + b"\xd4\x05x" * 20
    assert codec.unpackb(data, ext_hook=hook) == [5] * 20
