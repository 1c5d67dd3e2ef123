"""Every target of the Makefile calls a script that exists, and continuous integration runs them."""

import re

from tree import files, text


def test_targets_call_scripts_that_exist():
    called = set(re.findall(r"^\t@?((?:tools|\.ci)/[\w.]+)", text("Makefile"), re.MULTILINE))
    assert len(called) > 5
    assert sorted(called - set(files())) == []


def test_every_target_is_explained():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    explained = set(re.findall(r"^([a-z-]+):.*## \w", text("Makefile"), re.MULTILINE))
    assert targets == explained


def test_continuous_integration_runs_the_targets():
    run = text(".ci/run")
    for target in ("demo", "test", "check", "sanitize", "peers", "fuzz", "bench", "docs", "dist"):
        assert f"make {target}" in run, target


def test_requirements_are_pinned():
    for name in files():
        if name.startswith("tools/requirements/"):
            for line in text(name).splitlines():
                assert line.startswith("#") or re.match(r"[\w-]+(\[\w+\])?==[\w.]+", line), (
                    name,
                    line,
                )
