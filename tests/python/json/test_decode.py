"""decode and Decoder: what they take, what they give, what they say."""

import array
import contextlib
import mmap
import sysconfig
import typing

import pytest

VALUE = {"a": [1, 2.5, "x\u00e9", None, True, False, {}], "b": []}
TEXT = '{"a":[1,2.5,"x\u00e9",null,true,false,{}],"b":[]}'


def all_inputs():
    data = TEXT.encode()
    backward = memoryview(data[::-1])
    spread = memoryview(bytes(byte for pair in zip(data, data, strict=True) for byte in pair))
    return {
        "str": TEXT,
        "ASCII str": TEXT.replace("\u00e9", "\\u00e9"),
        "bytes": data,
        "bytearray": bytearray(data),
        "memoryview": memoryview(data),
        "slice": memoryview(b"--" + data + b"--")[2:-2],
        "reversed view": backward[::-1],
        "view with a step": spread[::2],
        "array": array.array("B", data),
    }


@pytest.mark.parametrize("name", all_inputs())
def test_every_kind_of_input(api, name):
    assert api.decode(all_inputs()[name]) == VALUE
    assert api.Decoder().decode(all_inputs()[name]) == VALUE
    assert api.loads(all_inputs()[name]) == VALUE
    assert api.Decoder().decode_lines(all_inputs()[name]) == [VALUE]


def test_mmap(api, tmp_path):
    file = tmp_path / "value.json"
    file.write_text(TEXT, encoding="utf-8")
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
    ):
        assert api.decode(mapped) == VALUE


@pytest.mark.parametrize("wrong", [None, 1, [], object()], ids=repr)
def test_other_inputs_are_type_errors(api, wrong):
    with pytest.raises(TypeError, match="a bytes-like object is required, not"):
        api.decode(wrong)
    with pytest.raises(TypeError, match="a bytes-like object is required, not"):
        api.Decoder().decode(wrong)
    with pytest.raises(TypeError, match="a bytes-like object is required, not"):
        api.Decoder().decode_lines(wrong)


def test_a_view_of_wide_items_is_refused(api):
    with pytest.raises(BufferError):
        api.decode(memoryview(array.array("I", [1])))


def test_an_exported_buffer_is_released(api):
    buffer = bytearray(b"[1")
    with pytest.raises(api.DecodeError):
        api.decode(buffer)
    buffer += b"]"
    assert api.decode(buffer) == [1]
    buffer.clear()


def test_lone_surrogates_in_str_input(api):
    with pytest.raises(UnicodeEncodeError):
        api.decode('"\ud800"')


def test_calling_conventions_are_those_of_msgspec(api):
    for wrong in [
        lambda: api.decode(),
        lambda: api.decode(b"1", int),
        lambda: api.decode(buf=b"1"),
        lambda: api.decode(b"1", other=1),
        lambda: api.decode(b"1", dec_hook=1),
        lambda: api.Decoder(float_hook=1),
        lambda: api.Decoder(dec_hook=1),
        lambda: api.Decoder(other=1),
        lambda: api.Decoder(typing.Any, True),
        lambda: api.Decoder().decode(),
        lambda: api.Decoder().decode(b"1", b"2"),
    ]:
        with pytest.raises(TypeError):
            wrong()
    assert api.decode(b"1", type=typing.Any, strict=False, dec_hook=None) == 1
    assert api.decode(b"1", **{"".join(["str", "ict"]): True}) == 1


def test_typed_decoding_is_refused_and_says_so(api):
    for make in (lambda: api.decode(b"1", type=int), lambda: api.Decoder(list[int])):
        with pytest.raises(TypeError, match=r"plain Python objects only: type must be typing\.Any"):
            make()
    assert api.decode(b"[1]", type=object) == [1]


def test_wrong_options_are_value_errors(api):
    for options in ({"allow": "json5"}, {"duplicate_keys": "first"}, {"duplicate_keys": None}):
        with pytest.raises(ValueError, match="must be"):
            api.decode(b"1", **options)
        with pytest.raises(ValueError, match="must be"):
            api.Decoder(**options)


def test_attributes_of_a_decoder_can_be_read_but_not_set(api):
    def hook(kind, value):
        return value

    decoder = api.Decoder(strict=False, dec_hook=hook, float_hook=str, allow="jsonc")
    assert decoder.type is typing.Any
    assert decoder.strict is False
    assert decoder.dec_hook is hook
    assert decoder.float_hook is str
    assert decoder.allow == "jsonc"
    assert decoder.duplicate_keys == "last"
    assert repr(decoder) == "packhorse.json.Decoder(typing.Any)"
    for name in ("type", "strict", "dec_hook", "float_hook", "allow", "duplicate_keys"):
        with pytest.raises(AttributeError):
            setattr(decoder, name, None)


def test_decoder_can_be_subscribed_but_not_subclassed(api):
    assert typing.get_args(api.Decoder[int]) == (int,)
    with pytest.raises(TypeError):
        type("Sub", (api.Decoder,), {})


def test_float_hook_gets_the_text_of_floats_only(api):
    decoder = api.Decoder(float_hook=lambda text: ("float", text))
    assert decoder.decode(b'[1.50,-2E+3,7,{"k":1e400},12345678901234567890]') == [
        ("float", "1.50"),
        ("float", "-2E+3"),
        7,
        {"k": ("float", "1e400")},
        12345678901234567890,
    ]


@pytest.mark.parametrize("error", [ValueError, KeyError, KeyboardInterrupt])
def test_exceptions_of_float_hook_pass_unchanged(api, error):
    raised = error("mine")

    def hook(text):
        raise raised

    with pytest.raises(error) as caught:
        api.Decoder(float_hook=hook).decode(b'{"a":[1.5]}')
    assert caught.value is raised
    assert not hasattr(raised, "path")


def test_float_hook_may_use_the_same_decoder(api):
    def hook(text):
        return decoder.decode(b'{"inner":[1]}') if text == "0.5" else float(text)

    decoder = api.Decoder(float_hook=hook)
    value = decoder.decode(b'[{"inner":[0.5]},{"inner":[1.5]},{"other":0.5}]')
    assert value == [{"inner": [{"inner": [1]}]}, {"inner": [1.5]}, {"other": {"inner": [1]}}]


def test_float_hook_may_drop_the_last_reference_to_its_decoder(api):
    kept = []

    def hook(text):
        kept.clear()
        return text

    kept.append(api.Decoder(float_hook=hook))
    assert kept[0].decode(b"[1.5,2.5]") == ["1.5", "2.5"]


def test_float_hook_can_not_resize_the_input(api):
    buffer = bytearray(b"[1.5,2.5]")

    # The fallback reads a copy, and without a GIL the extension too: another thread might write.
    copied = not api.is_compiled or sysconfig.get_config_var("Py_GIL_DISABLED")

    def hook(text):
        with contextlib.nullcontext() if copied else pytest.raises(BufferError):
            buffer.clear()
        return text

    assert api.Decoder(float_hook=hook).decode(buffer) == ["1.5", "2.5"]


def test_later_keys_win_and_the_first_place_stays(api):
    assert list(api.decode(b'{"a":1,"b":2,"a":3}').items()) == [("a", 3), ("b", 2)]


def test_keys_are_shared_between_objects(api):
    first, second = api.decode(b'[{"some key":1},{"some key":2}]')
    assert next(iter(first)) is next(iter(second))


def test_results_are_independent(api):
    first = api.decode(b'[{"a":[1]},{"a":[1]}]')
    first[0]["a"].append(2)
    first[0]["b"] = 1
    assert first[1] == {"a": [1]}
    assert api.decode(b'[{"a":[1]},{"a":[1]}]') == [{"a": [1]}, {"a": [1]}]


def test_objects_of_many_sizes_in_any_order(api):
    texts = []
    for size in [0, 1, 2, 3, 31, 32, 33, 64, 300, 5, 1, 0, 33]:
        texts.append("{" + ",".join(f'"key {at}":{at}' for at in range(size)) + "}")
    value = api.decode("[" + ",".join(texts * 3) + "]")
    sizes = [0, 1, 2, 3, 31, 32, 33, 64, 300, 5, 1, 0, 33] * 3
    assert [len(item) for item in value] == sizes
    assert all(item == {f"key {at}": at for at in range(len(item))} for item in value)
