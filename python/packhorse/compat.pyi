"""Types of packhorse.compat."""

from types import ModuleType

__all__ = ["install"]

def install(name: str = "msgpack", version: tuple[int, ...] = (1, 2, 4)) -> ModuleType: ...
