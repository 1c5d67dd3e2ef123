"""The `default` hook: when it is asked, how often, and what happens to what it gives or raises."""

import pytest


class Unknown:
    def __init__(self, content=None):
        self.content = content


def test_it_is_asked_for_unsupported_objects_only(codec):
    asked = []

    def default(value):
        asked.append(value)
        return "replaced"

    unknown = Unknown()
    value = [None, True, 1, 1.5, "a", b"b", (), {}, unknown, {"k": unknown}]
    assert codec.unpackb(codec.packb(value, default=default)) == [
        None, True, 1, 1.5, "a", b"b", [], {}, "replaced", {"k": "replaced"},
    ]  # fmt: skip
    assert asked == [unknown, unknown]


def test_its_result_is_packed_whatever_it_is(codec):
    for result in (None, 5, "text", [1, [2]], {"a": b"b"}, 2**64 - 1, 1.5):
        assert codec.packb([Unknown()], default=lambda value, result=result: result) == codec.packb(
            [result]
        )


def test_it_is_asked_once_for_one_place(codec):
    asked = []

    def default(value):
        asked.append(value)
        return value

    unknown = Unknown()
    with pytest.raises(TypeError, match="(?m)^can not serialize 'Unknown' object$"):
        codec.packb(unknown, default=default)
    assert asked == [unknown]


def test_it_is_asked_again_inside_its_result(codec):
    def default(value):
        return [value.content] if value.content is not None else "end"

    assert codec.unpackb(codec.packb(Unknown(Unknown(Unknown())), default=default)) == [["end"]]


def test_endless_nesting_ends_in_an_error(codec):
    with pytest.raises((ValueError, RecursionError)) as caught:
        codec.packb(Unknown(), default=lambda value: [value])
    if codec.is_compiled:
        assert type(caught.value) is ValueError
        assert str(caught.value) == "recursion limit exceeded."


@pytest.mark.parametrize(
    "error",
    [
        KeyError("x"),
        TypeError("mine"),
        MemoryError(),
        KeyboardInterrupt(),
        SystemExit(3),
        StopIteration(),
    ],
)
def test_its_exceptions_come_through_unchanged(codec, error):
    def default(value):
        raise error

    with pytest.raises(type(error)) as caught:
        codec.packb({"a": [1, Unknown()]}, default=default)
    assert caught.value is error


def test_the_packer_is_usable_afterwards(codec):
    def default(value):
        raise KeyError

    packer = codec.Packer(default=default)
    for _ in range(3):
        with pytest.raises(KeyError):
            packer.pack([1, 2, Unknown()])
        assert packer.pack([1]) == b"\x91\x01"


def test_a_map_that_fails_half_way_leaves_nothing(codec):
    packer = codec.Packer()
    with pytest.raises(TypeError):
        packer.pack({"a": 1, "b": Unknown()})
    assert packer.pack(None) == b"\xc0"


def test_map_keys_go_through_it_too(codec):
    class Key:
        pass

    assert codec.packb({Key(): 1}, default=lambda value: "key") == b"\x81\xa3key\x01"


def test_a_class_can_be_the_hook(codec):
    assert codec.packb({1, 2}, default=list) in (b"\x92\x01\x02", b"\x92\x02\x01")


def test_it_is_not_asked_for_tuples_unless_types_are_strict(codec):
    assert codec.packb((1,), default=lambda value: "asked") == b"\x91\x01"
    assert codec.packb((1,), default=lambda value: "asked", strict_types=True) == b"\xa5asked"


def test_it_is_kept_alive_and_let_go(codec):
    import gc
    import weakref

    class Hook:
        def __call__(self, value):
            return 1

    hook = Hook()
    alive = weakref.ref(hook)
    packer = codec.Packer(default=hook)
    del hook
    assert packer.pack(Unknown()) == b"\x01"
    assert alive() is not None
    del packer
    gc.collect()
    assert alive() is None


def test_a_cycle_through_the_hook_is_collected(codec):
    import gc
    import weakref

    class Owner:
        def __init__(self):
            self.packer = codec.Packer(default=self.default)

        def default(self, value):
            return None

    owner = Owner()
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is None
