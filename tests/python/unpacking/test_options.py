"""raw, use_list, unicode_errors, and what each option refuses."""

import pytest


def test_raw_gives_bytes_for_text(codec):
    data = b"\x81\xa1k\x92\xa1v\xc4\x01b"
    assert codec.unpackb(data, raw=True) == {b"k": [b"v", b"b"]}
    assert codec.unpackb(data) == {"k": ["v", b"b"]}


@pytest.mark.parametrize("length", [0, 1, 31, 32, 255, 256, 65535, 65536])
def test_raw_at_every_length(codec, length):
    value = codec.unpackb(codec.packb("\xe9" * length), raw=True)
    assert value == ("\xe9" * length).encode()
    assert type(value) is bytes


def test_use_list_false_gives_tuples_everywhere(codec):
    data = codec.packb([[], [1, [2]], {"k": [3]}])
    assert codec.unpackb(data, use_list=False) == ((), (1, (2,)), {"k": (3,)})
    assert type(codec.unpackb(b"\x90", use_list=False)) is tuple


def test_arrays_can_be_keys_as_tuples(codec):
    data = b"\x81\x92\x01\x02\xa5value"
    assert codec.unpackb(data, use_list=False, strict_map_key=False) == {(1, 2): "value"}


@pytest.mark.parametrize(
    "handler, expected",
    [
        ("surrogateescape", "a\udcffb"),
        ("replace", "a\ufffdb"),
        ("ignore", "ab"),
        ("backslashreplace", "a\\xffb"),
    ],
)
def test_decoding_error_handlers(codec, handler, expected):
    assert codec.unpackb(b"\xa3a\xffb", unicode_errors=handler) == expected
    assert codec.unpackb(b"\x81\xa3a\xffb\xa3a\xffb", unicode_errors=handler) == {
        expected: expected
    }
    unpacker = codec.Unpacker(unicode_errors=handler)
    unpacker.feed(b"\xa3a\xffb")
    assert unpacker.unpack() == expected


def test_good_text_is_the_same_with_any_handler(codec):
    for text in ("", "a", "caf\xe9", "\u3042" * 100, "\U0001f40e"):
        for handler in (None, "strict", "replace", "surrogateescape", "ignore"):
            assert codec.unpackb(codec.packb(text), unicode_errors=handler) == text


def test_strict_errors_say_where(codec):
    with pytest.raises(UnicodeDecodeError) as caught:
        codec.unpackb(b"\x92\xa1a\xa4ab\xffc")
    error = caught.value
    assert (error.encoding.lower().replace("-", ""), error.object, error.start, error.end) == (
        "utf8",
        b"ab\xffc",
        2,
        3,
    )
    assert error.reason == "invalid start byte"


def test_an_unknown_handler_is_reported_when_it_is_needed(codec):
    assert codec.unpackb(b"\xa1a", unicode_errors="nonsense") == "a"
    with pytest.raises(LookupError):
        codec.unpackb(b"\xa1\xff", unicode_errors="nonsense")


@pytest.mark.parametrize("name", ["object_hook", "object_pairs_hook", "list_hook", "ext_hook"])
@pytest.mark.parametrize("value", [1, "x", b"", []], ids=repr)
def test_hooks_must_be_callable(codec, name, value):
    with pytest.raises(TypeError):
        codec.unpackb(b"\x90", **{name: value})
    with pytest.raises(TypeError):
        codec.Unpacker(**{name: value})


def test_the_texts_for_hooks(codec):
    for name in ("object_hook", "object_pairs_hook", "list_hook", "ext_hook"):
        with pytest.raises(
            TypeError, match=rf"(?m)^{name} must be a callable\.?$|^.*must be callable.*$"
        ):
            codec.unpackb(b"\x90", **{name: 5})


def test_object_hook_and_pairs_hook_exclude_each_other(codec):
    with pytest.raises(
        TypeError, match=r"(?m)^object_pairs_hook and object_hook are mutually exclusive\.$"
    ):
        codec.unpackb(b"\x80", object_hook=dict, object_pairs_hook=dict)
    with pytest.raises(
        TypeError, match=r"(?m)^object_pairs_hook and object_hook are mutually exclusive\.$"
    ):
        codec.Unpacker(object_hook=dict, object_pairs_hook=dict)


@pytest.mark.parametrize("value", [-1, 4, 100, -(2**31)])
def test_timestamp_must_be_0_to_3(codec, value):
    with pytest.raises(ValueError, match=r"(?m)^timestamp must be 0\.\.3$"):
        codec.unpackb(b"\x01", timestamp=value)
    with pytest.raises(ValueError, match=r"(?m)^timestamp must be 0\.\.3$"):
        codec.Unpacker(timestamp=value)


@pytest.mark.parametrize(
    "name", ["max_str_len", "max_bin_len", "max_array_len", "max_map_len", "max_ext_len"]
)
@pytest.mark.parametrize("value", ["1", None, [], b"1"], ids=repr)
def test_limits_must_be_integers(codec, name, value):
    if not codec.is_compiled:
        pytest.skip("compared when they are needed")
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", **{name: value})
    with pytest.raises(TypeError):
        codec.Unpacker(**{name: value})


@pytest.mark.parametrize("name", ["use_list", "raw", "strict_map_key"])
def test_switches_take_any_truth_value(codec, name):
    for value in (0, 1, "", "x", None, [0]):
        codec.unpackb(b"\x01", **{name: value})
        codec.Unpacker(**{name: value})


def test_an_error_in_a_truth_value_is_raised(codec):
    class Undecided:
        def __bool__(self):
            raise RuntimeError("undecided")

    if not codec.is_compiled:
        pytest.skip("asked when it is used")
    for name in ("use_list", "raw", "strict_map_key"):
        with pytest.raises(RuntimeError, match="(?m)^undecided$"):
            codec.unpackb(b"\x01", **{name: Undecided()})


@pytest.mark.ours
def test_ext_hook_none_is_the_default_or_refused(codec):
    """msgpack calls a hook of an earlier call, or crashes."""
    for make in (
        lambda: codec.unpackb(b"\xd4\x05a", ext_hook=None),
        lambda: fed(codec, b"\xd4\x05a", ext_hook=None),
    ):
        try:
            value = make()
        except TypeError:
            continue
        assert value == codec.ExtType(5, b"a")


@pytest.mark.ours
def test_init_again_with_ext_hook_none(codec):
    unpacker = codec.Unpacker(ext_hook=lambda code, data: "old")
    try:
        unpacker.__init__(ext_hook=None)
    except TypeError:
        return
    unpacker.feed(b"\xd4\x05a")
    assert unpacker.unpack() == codec.ExtType(5, b"a")


def fed(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return unpacker.unpack()
