"""A pytest plugin for peers' suites: msgpack (or orjson) is Packhorse, provably, and every outcome is written to a file.

Settings come by environment: PEER_IMPLEMENTATION (c or fallback), PEER_NAME (orjson, or empty for msgpack), PEER_VERSION
(the version to report, or empty), PEER_REPORT (the file for the outcomes).
"""

import json
import os
import sys
import types

import packhorse
import packhorse.compat
import packhorse.json
import pytest

IMPLEMENTATION = os.environ["PEER_IMPLEMENTATION"]
NAME = os.environ.get("PEER_NAME") or "msgpack"
VERSION = os.environ.get("PEER_VERSION") or None

outcomes = {}


def install_as_orjson():
    """packhorse.json has orjson's names."""
    module = types.ModuleType("orjson")
    vars(module).update({name: getattr(packhorse.json, name) for name in packhorse.json.__all__})
    module.__version__ = "3.13.0"
    sys.modules["orjson"] = module


def check_that_orjson_is_ours():
    check_implementation()
    core = sys.modules["packhorse._core" if IMPLEMENTATION == "c" else "packhorse.json.fallback"]
    prefix = "json_" if IMPLEMENTATION == "c" else ""
    for name in ("dumps", "loads"):
        assert getattr(sys.modules["orjson"], name) is getattr(core, prefix + name)


def check_implementation():
    implementation = packhorse.build_info()["implementation"]
    assert implementation == {"c": "c", "fallback": "python"}[IMPLEMENTATION], implementation


def install():
    options = {"version": tuple(map(int, VERSION.split(".")))} if VERSION else {}
    packhorse.compat.install("msgpack", **options)


def check_that_msgpack_is_ours():
    check_implementation()
    module = sys.modules["msgpack"]
    for name in ("Packer", "Unpacker", "packb", "unpackb", "ExtType", "Timestamp", "exceptions"):
        assert getattr(module, name) is not None
    origin = "packhorse._core" if IMPLEMENTATION == "c" else "packhorse.fallback"
    core = sys.modules[origin]
    for name in ("Packer", "Unpacker"):
        assert issubclass(getattr(module, name), getattr(core, name)), (
            f"msgpack.{name} is not {origin}'s"
        )
    foreign = [
        name
        for name, found in sys.modules.items()
        if name.split(".")[0] == "msgpack"
        and "packhorse" not in (getattr(found, "__file__", None) or "packhorse")
    ]
    assert not foreign, f"modules of another msgpack were imported: {foreign}"


if NAME == "orjson":
    install_as_orjson()
    check = check_that_orjson_is_ours
else:
    install()
    check = check_that_msgpack_is_ours
check()


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        previous = outcomes.get(report.nodeid)
        if previous != "failed":
            outcomes[report.nodeid] = report.outcome


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid or "collection"] = "failed"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    patched = os.environ.get("PEER_PATCHES_MSGPACK")
    if not patched:
        check()
    with open(os.environ["PEER_REPORT"], "w") as file:
        json.dump(outcomes, file, indent=1)
