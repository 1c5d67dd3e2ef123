"""The ways in which borg, salt, msgpack-numpy and others build on Packer and Unpacker."""

import contextlib
import functools
import io

import pytest


def test_overridden_pack_is_called_and_can_call_up(codec):
    class Wrapped(codec.Packer):
        def __init__(self, *, default=None, use_bin_type=False):
            super().__init__(default=default, use_bin_type=use_bin_type)

        def pack(self, value):
            try:
                return super().pack(value)
            except Exception as error:
                raise RuntimeError("wrapped") from error

    assert Wrapped().pack(b"x" * 40) == b"\xda\x00\x28" + b"x" * 40
    with pytest.raises(RuntimeError, match="(?m)^wrapped$"):
        Wrapped().pack(object())


def test_init_with_positional_arguments_of_its_own(codec):
    """The first positional argument reaches msgpack's allocator when it is no int; ours ignores what __init__ handles."""

    class Named(codec.Packer):
        def __init__(self, default=None, single=False):
            super().__init__(
                default=functools.partial(self.convert, default), use_single_float=single
            )

        @staticmethod
        def convert(chain, value):
            return chain(value) if chain else value

    assert Named().pack(1) == b"\x01"
    if not codec.is_reference:
        assert Named(str).pack(1j) == b"\xa21j"
        assert Named(str, True).pack([1j, 1.5]) == b"\x92\xa21j\xca\x3f\xc0\0\0"


def test_unpacker_subclass_with_defaults_of_its_own(codec):
    class Salted(codec.Unpacker):
        def __init__(self, *arguments, **options):
            options.setdefault("raw", True)
            options.setdefault("strict_map_key", False)
            super().__init__(*arguments, **options)

    unpacker = Salted()
    unpacker.feed(b"\x81\x01\xa1a")
    assert unpacker.unpack() == {1: b"a"}
    assert Salted(io.BytesIO(b"\xa1a")).unpack() == b"a"


def test_overridden_next_and_unpack(codec):
    class Wrapped(codec.Unpacker):
        def __next__(self):
            return ("item", super().__next__())

        def unpack(self):
            return ("unpacked", super().unpack())

    unpacker = Wrapped(io.BytesIO(b"\x01\x02\x03"))
    assert unpacker.unpack() == ("unpacked", 1)
    assert list(unpacker) == [("item", 2), ("item", 3)]


def test_attributes_on_subclass_instances(codec):
    class Noted(codec.Packer):
        pass

    packer = Noted()
    packer.note = "kept"
    assert packer.note == "kept"


def test_a_subclass_that_forgets_to_call_init(codec):
    if not codec.is_compiled:
        pytest.skip("a plain Python class misses its attributes")

    class Forgetful(codec.Unpacker):
        def __init__(self):
            pass

    class ForgetfulPacker(codec.Packer):
        def __init__(self):
            pass

    allowed = (RuntimeError, ValueError, TypeError, codec.BufferFull)
    with contextlib.suppress(*allowed):
        assert ForgetfulPacker().pack([1]) in (None, b"\x91\x01")
    if codec.is_reference:
        return  # not defined there
    with contextlib.suppress(*allowed):
        unpacker = Forgetful()
        unpacker.feed(b"\x01")
        assert unpacker.unpack() == 1
