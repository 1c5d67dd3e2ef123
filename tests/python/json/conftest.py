"""The `api` fixture: the names of packhorse.json over the implementation that `codec` stands for.

The tests here run for the extension and for the pure-Python package. Peers (json, msgspec, orjson) are compared with where
they are installed.
"""

import importlib
import pathlib
import sys
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

CORE_NAMES = {
    "decode": "json_decode",
    "encode": "json_encode",
    "format": "json_format",
    "loads": "json_loads",
    "dumps": "json_dumps",
    "Decoder": "JsonDecoder",
    "Encoder": "JsonEncoder",
}


def load_api(name):
    package = importlib.import_module("packhorse.json")
    api = types.SimpleNamespace(name=name, package=package, is_compiled=name == "c")
    for public in package.__all__:
        setattr(api, public, getattr(package, public))
    module = importlib.import_module(
        "packhorse._core" if name == "c" else "packhorse.json.fallback"
    )
    for public, core in CORE_NAMES.items():
        setattr(api, public, getattr(module, core if name == "c" else public))
    return api


_loaded = {}


@pytest.fixture
def api(codec):
    if codec.is_reference:
        pytest.skip("JSON is not msgpack's")
    if codec.name not in _loaded:
        _loaded[codec.name] = load_api(codec.name)
    return _loaded[codec.name]
