"""The candidates: Packhorse and what is installed of its peers, each called as its users do."""

import dataclasses
import functools
import importlib
import importlib.metadata
import sys


@dataclasses.dataclass
class Peer:
    """One library for one format. `unpack` and `pack` take one argument."""

    name: str
    unpack: object
    pack: object
    module: object = None


def _own_modules():
    return {name for name in sys.modules if name == "packhorse" or name.startswith("packhorse.")}


def load_package(folder):
    """The package in `folder` (the one that holds packhorse/), beside one that is imported already:
    it gets modules of its own, which nobody else finds."""
    aside = {name: sys.modules.pop(name) for name in _own_modules()}
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        module = importlib.import_module("packhorse")
        _json_of(module)
    finally:
        sys.path.remove(str(folder))
        for name in _own_modules():
            del sys.modules[name]
        sys.modules.update(aside)
    return module


@functools.cache
def _json_of(module):
    """packhorse.json of an imported package; None where there is none. Remembered, because a package
    that was loaded beside another is not found by its name later."""
    try:
        return importlib.import_module(module.__name__ + ".json")
    except ImportError:
        return None


def own(name, module, format_name):
    """Packhorse itself, from an imported package; None where it lacks the format."""
    if format_name == "msgpack":
        return Peer(name, module.unpackb, module.packb, module)
    text = _json_of(module)
    return None if text is None else Peer(name, text.decode, text.encode, text)


def _msgspec(module, format_name):
    part = importlib.import_module("msgspec." + format_name)
    return Peer("msgspec", part.Decoder().decode, part.Encoder().encode, module)


def _json(module, _):
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
