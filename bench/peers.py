"""The candidates: Packhorse and what is installed of its peers, each called as its users do."""

import dataclasses
import importlib
import importlib.metadata
import importlib.util
import pathlib
import sys


@dataclasses.dataclass
class Peer:
    """One library for one format. `unpack` and `pack` take one argument."""

    name: str
    unpack: object
    pack: object
    module: object = None


def load_package(folder, name):
    """The package in `folder` (the one that holds packhorse/), imported under another name."""
    where = pathlib.Path(folder) / "packhorse"
    spec = importlib.util.spec_from_file_location(
        name, where / "__init__.py", submodule_search_locations=[str(where)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def own(name, module, format_name):
    """Packhorse itself, from an imported package; None where it lacks the format."""
    if format_name == "msgpack":
        return Peer(name, module.unpackb, module.packb, module)
    try:
        text = importlib.import_module(module.__name__ + ".json")
    except ImportError:
        return None
    return Peer(name, text.decode, text.encode, text)


def _msgspec(module, format_name):
    part = importlib.import_module("msgspec." + format_name).Decoder
    encoder = importlib.import_module("msgspec." + format_name).Encoder
    return Peer("msgspec", part().decode, encoder().encode, module)


def _json(module, _):
    import functools

    dumps = functools.partial(module.dumps, ensure_ascii=False, separators=(",", ":"))
    return Peer("json", module.loads, lambda value: dumps(value).encode(), module)


FORMATS = {
    "msgpack": {
        "msgpack": lambda module, _: Peer("msgpack", module.unpackb, module.packb, module),
        "msgspec": _msgspec,
        "ormsgpack": lambda module, _: Peer("ormsgpack", module.unpackb, module.packb, module),
    },
    "json": {
        "orjson": lambda module, _: Peer("orjson", module.loads, module.dumps, module),
        "ssrjson": lambda module, _: Peer("ssrjson", module.loads, module.dumps_to_bytes, module),
        "msgspec": _msgspec,
        "json": _json,
    },
}


def peers(format_name):
    """({name: Peer}, [a line for each that is not installed])."""
    found, absent = {}, []
    for name, make in FORMATS[format_name].items():
        try:
            found[name] = make(importlib.import_module(name), format_name)
        except ImportError as error:
            absent.append(f"{name} is not measured: {error}")
    return found, absent


def versions():
    """Version of each installed peer."""
    known = {}
    for name in sorted({name for group in FORMATS.values() for name in group} - {"json"}):
        try:
            known[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return known
