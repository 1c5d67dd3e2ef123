"""The options of Packer and packb, and what they refuse."""

import pytest


@pytest.mark.parametrize("value", [1, "x", object(), [], b""], ids=repr)
def test_default_must_be_callable(codec, value):
    with pytest.raises(TypeError, match=r"(?m)^default must be a callable\.?$"):
        codec.Packer(default=value)
    with pytest.raises(TypeError):
        codec.packb(1, default=value)


def test_options_are_keyword_only(codec):
    with pytest.raises(TypeError):
        codec.Packer(None, False, True)


def test_buf_size_of_zero_or_any_other_size_makes_no_difference(codec):
    value = ["abc", 1.5, b"x" * 5000]
    for size in (0, 1, 2, 9, 1000, 1 << 20):
        assert codec.Packer(buf_size=size).pack(value) == codec.packb(value)


def test_buf_size_is_converted_once(codec):
    class Size:
        calls = 0

        def __index__(self):
            Size.calls += 1
            return 8

        __int__ = __index__

    if not codec.is_compiled:
        pytest.skip("the pure-Python packer has no buffer of its own to size")
    packer = codec.Packer(buf_size=Size())
    assert packer.pack(b"x" * 5000) == codec.packb(b"x" * 5000)
    assert Size.calls == 1


@pytest.mark.parametrize(
    "value, error",
    [(None, TypeError), ("1", TypeError), (-1, OverflowError), (1 << 70, OverflowError)],
)
def test_buf_size_must_be_a_size(codec, value, error):
    if not codec.is_compiled:
        pytest.skip("the pure-Python packer has no buffer of its own to size")
    with pytest.raises(error):
        codec.Packer(buf_size=value)


@pytest.mark.parametrize(
    "option", ["use_single_float", "autoreset", "use_bin_type", "strict_types", "datetime"]
)
def test_switches_take_any_truth_value(codec, option):
    for value in (0, 1, "", "x", None, [], [0]):
        codec.Packer(**{option: value})


@pytest.mark.parametrize(
    "option", ["use_single_float", "autoreset", "use_bin_type", "strict_types", "datetime"]
)
def test_an_error_in_a_truth_value_is_raised(codec, option):
    class Undecided:
        def __bool__(self):
            raise RuntimeError("undecided")

    if not codec.is_compiled:
        pytest.skip("asked when it is used")
    with pytest.raises(RuntimeError, match="(?m)^undecided$"):
        codec.Packer(**{option: Undecided()})


@pytest.mark.parametrize("value", [1, object()], ids=["int", "object"])
def test_unicode_errors_must_be_text(codec, value):
    if not codec.is_compiled:
        pytest.skip("found out when it is used")
    with pytest.raises(TypeError):
        codec.Packer(unicode_errors=value)


def test_unicode_errors_alone(codec):
    """pynvim passes nothing else."""
    assert codec.Packer(unicode_errors="surrogateescape").pack("a") == b"\xa1a"


def test_init_again_changes_the_options_and_keeps_the_bytes(codec):
    if not codec.is_compiled:
        pytest.skip("the pure-Python packer starts over")
    packer = codec.Packer(autoreset=False)
    packer.pack(1)
    packer.__init__(autoreset=False, use_single_float=True)
    packer.pack(1.5)
    assert packer.bytes() == b"\x01\xca\x3f\xc0\0\0"


def test_a_bound_method_outlives_its_packer(codec):
    """falcon keeps nothing but the method."""
    pack = codec.Packer(autoreset=True).pack
    assert pack({"a": 1}) == b"\x81\xa1a\x01"
    assert pack(1) == b"\x01"


def test_earlier_results_do_not_change(codec):
    packer = codec.Packer()
    first = packer.pack(b"a" * 100)
    second = packer.pack(b"b" * 100)
    assert first == b"\xc4\x64" + b"a" * 100
    assert second == b"\xc4\x64" + b"b" * 100


def test_the_result_is_exactly_bytes(codec):
    for value in (1, "a", [], {}, b"x" * 100000):
        assert type(codec.packb(value)) is bytes
        assert type(codec.Packer().pack(value)) is bytes
