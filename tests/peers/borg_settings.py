"""What borg's own test run sets up before its tests, and the installed package leaves out: logging, a clean environment."""

import os

import pytest


def pytest_configure():
    from borg.logger import setup_logging

    setup_logging()


@pytest.fixture(autouse=True)
def clean_environment(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("borg")
    for name in list(os.environ):
        if name.startswith("BORG_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
