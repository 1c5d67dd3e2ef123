"""The names of the package and of its submodules, and what they are."""

import importlib
import inspect

import pytest

FUNCTIONS = ["pack", "packb", "unpack", "unpackb"]
ALIASES = {"dump": "pack", "dumps": "packb", "load": "unpack", "loads": "unpackb"}
CLASSES = ["Packer", "Unpacker", "ExtType", "Timestamp"]
EXCEPTIONS = [
    "UnpackException", "BufferFull", "OutOfData", "FormatError", "StackError", "ExtraData", "UnpackValueError",
    "PackException", "PackValueError", "PackOverflowError",
]  # fmt: skip

PACKER_OPTIONS = {
    "default": None, "use_single_float": False, "autoreset": True, "use_bin_type": True, "strict_types": False,
    "datetime": False, "unicode_errors": None, "buf_size": 262144,
}  # fmt: skip
UNPACKB_OPTIONS = {
    "object_hook": None, "list_hook": None, "use_list": True, "raw": False, "timestamp": 0, "strict_map_key": True,
    "unicode_errors": None, "object_pairs_hook": None, "max_str_len": -1, "max_bin_len": -1, "max_array_len": -1,
    "max_map_len": -1, "max_ext_len": -1,
}  # fmt: skip
UNPACKER_OPTIONS = {"read_size": 0, "max_buffer_size": 104857600, **UNPACKB_OPTIONS}


@pytest.mark.parametrize("name", FUNCTIONS + list(ALIASES) + CLASSES + EXCEPTIONS)
def test_the_package_exports(codec, name):
    assert callable(getattr(codec.package, name))


@pytest.mark.parametrize("alias, name", ALIASES.items())
def test_aliases_are_the_same_object(codec, alias, name):
    assert getattr(codec.package, alias) is getattr(codec.package, name)


@pytest.mark.parametrize("name", ["exceptions", "ext", "fallback"])
def test_submodules_can_be_imported(codec, name):
    module = importlib.import_module(f"{codec.package.__name__}.{name}")
    assert inspect.ismodule(module)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_the_exceptions_module_holds_the_same_classes(codec, name):
    assert getattr(codec.exceptions, name) is getattr(codec.package, name)


def test_the_ext_module_holds_the_same_classes(codec):
    ext = importlib.import_module(f"{codec.package.__name__}.ext")
    assert ext.ExtType is codec.package.ExtType
    assert ext.Timestamp is codec.package.Timestamp


@pytest.mark.parametrize("name", ["Packer", "Unpacker", "unpackb", "DEFAULT_RECURSE_LIMIT"])
def test_the_fallback_module_offers(codec, name):
    module = importlib.import_module(f"{codec.package.__name__}.fallback")
    assert getattr(module, name) is not None


def test_the_fallback_classes_are_not_the_fast_ones(codec):
    """borg tells a slow installation by this identity."""
    if codec.package.Packer.__module__.endswith("fallback"):
        pytest.skip("the package itself runs without the extension")
    fallback = importlib.import_module(f"{codec.package.__name__}.fallback")
    assert fallback.Packer is not codec.package.Packer
    assert fallback.Unpacker is not codec.package.Unpacker


def test_version_is_a_tuple_and_a_text(codec):
    assert isinstance(codec.package.version, tuple)
    assert isinstance(codec.package.__version__, str)


@pytest.mark.parametrize("option, default", PACKER_OPTIONS.items())
def test_packer_accepts_every_option_with_its_default(codec, option, default):
    assert codec.Packer(**{option: default}).pack([1, "a"]) == b"\x92\x01\xa1a"
    assert codec.packb([1, "a"], **{option: default}) == b"\x92\x01\xa1a"


@pytest.mark.parametrize("option, default", UNPACKB_OPTIONS.items())
def test_unpackb_accepts_every_option_with_its_default(codec, option, default):
    assert codec.unpackb(b"\x92\x01\xa1a", **{option: default}) == [1, "a"]


@pytest.mark.parametrize("option, default", UNPACKER_OPTIONS.items())
def test_unpacker_accepts_every_option_with_its_default(codec, option, default):
    unpacker = codec.Unpacker(**{option: default})
    unpacker.feed(b"\x92\x01\xa1a")
    assert unpacker.unpack() == [1, "a"]


@pytest.mark.parametrize("option", ["encoding", "unknown", "tuple_key"])
def test_unknown_options_are_refused(codec, option):
    with pytest.raises(TypeError):
        codec.Packer(**{option: 1})
    with pytest.raises(TypeError):
        codec.Unpacker(**{option: 1})
    with pytest.raises(TypeError):
        codec.packb(1, **{option: 1})
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", **{option: 1})


@pytest.mark.parametrize("option", ["max_buffer_size", "read_size", "file_like"])
def test_options_of_streams_are_refused_by_unpackb(codec, option):
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", **{option: 1})


def test_the_input_can_be_given_by_keyword(codec):
    """influxdb's client calls it so."""
    assert codec.unpackb(packed=b"\x01") == 1
    assert codec.packb(o=1) == b"\x01"


def test_unpackb_needs_exactly_one_input(codec):
    with pytest.raises(TypeError):
        codec.unpackb()
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", b"\x01")
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", packed=b"\x01")


def test_options_of_unpackb_are_keyword_only(codec):
    with pytest.raises(TypeError):
        codec.unpackb(b"\x01", None)


def test_the_file_of_an_unpacker_may_be_positional(codec):
    import io

    assert list(codec.Unpacker(io.BytesIO(b"\x01\x02"))) == [1, 2]
    assert list(codec.Unpacker(file_like=io.BytesIO(b"\x01\x02"))) == [1, 2]


def test_pack_writes_to_a_stream_and_unpack_reads_it_once(codec):
    import io

    class Reader:
        reads = 0

        def read(self, *arguments):
            self.reads += 1
            assert arguments == ()
            return b"\x92\x01\x02"

    stream = io.BytesIO()
    assert codec.package.pack([1, 2], stream, use_bin_type=True) is None
    assert stream.getvalue() == b"\x92\x01\x02"
    reader = Reader()
    assert codec.package.unpack(reader, use_list=False) == (1, 2)
    assert reader.reads == 1


@pytest.mark.ours
def test_build_info_tells_what_runs(codec):
    information = codec.package.build_info()
    assert information["version"] == codec.package.__version__
    assert information["implementation"] in ("c", "python")
    assert (codec.package.Packer.__module__ == "packhorse._core") == (
        information["implementation"] == "c"
    )


def test_the_classes_can_be_subclassed(codec):
    class MyPacker(codec.Packer):
        pass

    class MyUnpacker(codec.Unpacker):
        pass

    assert MyPacker().pack(1) == b"\x01"
    unpacker = MyUnpacker()
    unpacker.feed(b"\x01")
    assert unpacker.unpack() == 1


@pytest.mark.parametrize("name", ["Packer", "Unpacker"])
def test_instances_have_a_docstring_but_no_spare_attributes(codec, name):
    if not codec.is_compiled:
        pytest.skip("a plain Python class")
    instance = getattr(codec, name)()
    assert type(instance).__doc__
    with pytest.raises(AttributeError):
        instance.spare = 1


@pytest.mark.parametrize("name", ["Packer", "Unpacker"])
def test_instances_can_not_be_pickled(codec, name):
    import pickle

    if not codec.is_compiled:
        pytest.skip("a plain Python class")
    with pytest.raises(TypeError):
        pickle.dumps(getattr(codec, name)())
