"""The `codec` fixture: every test that asks for it runs once for each implementation of the interface.

`c` is the extension, `fallback` the pure-Python package, `reference` msgpack itself: `--implementation reference` shows that
a test states a fact about msgpack, not an opinion of ours. Tests marked `ours` describe what only Packhorse does. Tests with
`codecs` compare all implementations with each other, msgpack included where its C version is installed.
"""

import gc
import importlib
import importlib.util
import pathlib
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
if importlib.util.find_spec("packhorse") is None:
    sys.path.insert(0, str(ROOT / "python"))

IMPLEMENTATIONS = ("c", "fallback", "reference")
EXCEPTIONS = [
    "UnpackException",
    "BufferFull",
    "OutOfData",
    "FormatError",
    "StackError",
    "ExtraData",
    "UnpackValueError",
    "PackException",
    "PackValueError",
    "PackOverflowError",
]


def load_codec(name):
    """A namespace with the public names of one implementation."""
    if name == "reference":
        module = importlib.import_module("msgpack")
        assert module.Packer.__module__ == "msgpack._cmsgpack", (
            "the reference is msgpack's C version"
        )
        package = core = module
    else:
        package = importlib.import_module("packhorse")
        core = importlib.import_module("packhorse._core" if name == "c" else "packhorse.fallback")
    exceptions = importlib.import_module(package.__name__ + ".exceptions")
    codec = types.SimpleNamespace(name=name, package=package, exceptions=exceptions)
    codec.is_reference = name == "reference"
    codec.is_compiled = name != "fallback"
    codec.ExtType = package.ExtType
    codec.Timestamp = package.Timestamp
    codec.Packer = core.Packer
    codec.Unpacker = core.Unpacker
    codec.unpackb = core.unpackb
    codec.packb = getattr(core, "packb", None) or (
        lambda o, **options: core.Packer(**options).pack(o)
    )
    for exception in EXCEPTIONS:
        setattr(codec, exception, getattr(exceptions, exception))
    return codec


def pytest_addoption(parser):
    parser.addoption(
        "--implementation",
        default="",
        help="comma-separated: which of c, fallback and reference to test (default: c,fallback)",
    )
    parser.addoption(
        "--exhaustive", action="store_true", help="also run the tests that take minutes"
    )


def selected(config):
    names = [name for name in config.getoption("--implementation").split(",") if name]
    unknown = set(names) - set(IMPLEMENTATIONS)
    if unknown:
        raise pytest.UsageError(f"unknown implementation: {', '.join(sorted(unknown))}")
    return names or ["c", "fallback"]


def compared(config):
    """The selected implementations, and the reference where it is installed."""
    names = selected(config)
    return [*names, "reference"] if "reference" not in names and is_reference_here() else names


def is_reference_here():
    """The reference is msgpack's C version, which it does not have for every interpreter."""
    return (
        importlib.util.find_spec("msgpack") is not None
        and importlib.util.find_spec("msgpack._cmsgpack") is not None
    )


def pytest_generate_tests(metafunc):
    if "codec" in metafunc.fixturenames:
        names = selected(metafunc.config)
        if metafunc.definition.get_closest_marker("ours"):
            names = [name for name in names if name != "reference"] or [
                pytest.param(
                    "reference", marks=pytest.mark.skip(reason="not a behaviour of msgpack")
                )
            ]
        metafunc.parametrize("codec", names, indirect=True, scope="session")


def pytest_collection_modifyitems(config, items):
    left_out = {}
    if not config.getoption("--exhaustive"):
        left_out["exhaustive"] = pytest.mark.skip(reason="takes minutes: --exhaustive")
    if not hasattr(sys, "getrefcount"):
        left_out["counts_references"] = pytest.mark.skip(
            reason="this interpreter counts no references"
        )
    for item in items:
        for name, skip in left_out.items():
            if item.get_closest_marker(name):
                item.add_marker(skip)


def pytest_collection_finish(session):
    """Thirteen thousand tests are many objects: collections that tests ask for need not walk them."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


_loaded = {}


def codec_named(name):
    if name not in _loaded:
        _loaded[name] = load_codec(name)
    return _loaded[name]


@pytest.fixture(scope="session")
def codec(request):
    return codec_named(request.param)


@pytest.fixture(scope="session")
def codecs(request):
    """All implementations at once, msgpack's too if it is installed, for tests that compare them."""
    names = compared(request.config)
    if len(names) < 2:
        pytest.skip(f"{names[0]} is alone here: msgpack has no C version for this interpreter")
    return [codec_named(name) for name in names]
