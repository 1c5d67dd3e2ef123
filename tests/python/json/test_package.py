"""packhorse.json as a module: its names, what it imports and when, which implementation it takes."""

import inspect
import os
import pickle
import subprocess
import sys

import pytest


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_packhorse_does_not_import_json():
    assert (
        run("import sys, packhorse; print('packhorse.json' in sys.modules, 'json' in sys.modules)")
        == "False False"
    )


def test_the_choice_of_implementation():
    code = "import packhorse.json as j, packhorse; print(packhorse.build_info()['implementation'], type(j.decode).__name__)"
    assert run(code, PACKHORSE_PURE="1") == "python function"
    import packhorse

    if packhorse.build_info()["implementation"] == "c":
        assert run(code, PACKHORSE_PURE="") == "c builtin_function_or_method"


@pytest.mark.parametrize("pure", ["", "1"])
def test_every_name_is_there(pure):
    code = "import packhorse.json as j; print(all(hasattr(j, n) for n in j.__all__), all(getattr(j, n).__doc__ for n in j.__all__ if n[0].islower()))"
    assert run(code, PACKHORSE_PURE=pure) == "True True"


def test_classes_say_where_they_are_found(api):
    for kind in (api.Decoder, api.Encoder):
        assert kind.__name__ in ("Decoder", "Encoder")
        assert kind.__module__.startswith("packhorse.json")


def test_the_example_of_the_front_page(api):
    assert api.decode(b'{"a": [1, 2.5, "x"]}') == {"a": [1, 2.5, "x"]}
    assert api.encode({"a": [1, 2.5, "x"]}) == b'{"a":[1,2.5,"x"]}'


FUNCTIONS = {
    "decode": "(buf, /, *, type=Ellipsis, strict=True, dec_hook=None, allow=None, duplicate_keys='last')",
    "encode": "(obj, /, *, enc_hook=None, order=None)",
    "format": "(buf, *, indent=2)",
    "dumps": "(obj, /, default=None, option=None)",
    "loads": "(obj, /)",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_say_how_they_are_called(api, name):
    if not api.is_compiled:
        pytest.skip("functions in Python always do")
    function = getattr(api, name)
    assert str(inspect.signature(function)) == FUNCTIONS[name]
    assert (function.__module__, function.__name__) == ("packhorse.json", name)
    assert pickle.loads(pickle.dumps(function)) is function


def test_classes_say_how_they_are_called(api):
    for made in (api.Encoder, api.Decoder, api.Fragment):
        assert inspect.signature(made).parameters
