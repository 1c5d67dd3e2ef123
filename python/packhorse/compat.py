"""Packhorse under the name of another package, for programs that can not be edited.

In a program: ``packhorse.compat.install("msgpack")``, before anything imports msgpack.

For a whole program::

    python -m packhorse.compat msgpack -- script.py arguments...
    python -m packhorse.compat msgpack -- -m module arguments...
    python -m packhorse.compat msgpack --version 1.2.1 -- -c "import msgpack; print(msgpack.version)"

Processes that such a program starts get msgpack from elsewhere, unless ``--children`` is given: it puts
the folder that ``python -m packhorse.compat --folder`` prints in front of ``PYTHONPATH``.  There lies a
package msgpack that does nothing but install Packhorse; ``PYTHONPATH`` can be set so by hand as well.
``PACKHORSE_COMPAT_VERSION=1.2.1`` says what it reports as its version.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import packhorse

__all__ = ["install"]

# The release whose behaviour Packhorse has.
_VERSION = (1, 2, 4)


def install(name="msgpack", version=_VERSION):
    """Make ``import name`` give Packhorse, with the submodules that msgpack has; return the module.

    The module reports `version`, a tuple of ints: some programs accept only a range.  Modules of that
    name that were imported before are forgotten, but whoever holds them keeps them.
    """
    version = tuple(version)
    from packhorse import fallback

    compiled = packhorse.build_info()["implementation"] == "c"
    for known in list(sys.modules):
        if known == name or known.startswith(name + "."):
            del sys.modules[known]

    package = _module(name, packhorse.__doc__, is_package=True)
    for public in packhorse.__all__:
        setattr(package, public, getattr(packhorse, public))
    package.version = version
    package.__version__ = ".".join(map(str, version))

    origin = f"{name}._cmsgpack" if compiled else f"{name}.fallback"
    package.Packer = _renamed(packhorse.Packer, origin)
    package.Unpacker = _renamed(packhorse.Unpacker, origin)

    submodules = {
        "exceptions": packhorse.exceptions,
        "ext": packhorse.ext,
        "fallback": _fallback_module(name, fallback, None if compiled else package),
    }
    if compiled:
        submodules["_cmsgpack"] = _compiled_module(name, package)
    for submodule_name, submodule in submodules.items():
        sys.modules[f"{name}.{submodule_name}"] = submodule
        setattr(package, submodule_name, submodule)
    return package


def _module(name, documentation, is_package=False):
    """A new module that says where it comes from, in sys.modules."""
    module = ModuleType(name, documentation)
    module.__spec__ = ModuleSpec(name, None, origin=packhorse.__file__, is_package=is_package)
    module.__file__ = packhorse.__file__
    if is_package:
        module.__path__ = []
    sys.modules[name] = module
    return module


def _renamed(base, module_name):
    """A subclass that differs in nothing but the module it names."""
    contents = {"__slots__": (), "__module__": module_name, "__doc__": base.__doc__}
    return type(base.__name__, (base,), contents)


def _fallback_module(name, fallback, package):
    """The pure-Python classes; those of `package`, if it has no others."""
    module = _module(f"{name}.fallback", fallback.__doc__)
    for public in fallback.__all__:
        setattr(module, public, getattr(fallback, public))
    for public in ("BufferFull", "ExtraData", "FormatError", "OutOfData", "StackError"):
        setattr(module, public, getattr(packhorse, public))
    for public in ("Packer", "Unpacker"):
        renamed = _renamed(getattr(fallback, public), module.__name__)
        setattr(module, public, getattr(package, public, renamed))
    return module


def _compiled_module(name, package):
    """What msgpack keeps in its extension."""
    module = _module(f"{name}._cmsgpack", packhorse.__doc__)
    for public in (
        *("BufferFull", "ExtraData", "FormatError", "OutOfData", "StackError"),
        *("Packer", "Unpacker", "unpackb"),
    ):
        setattr(module, public, getattr(package, public))
    module.default_read_extended_type = _default_read_extended_type
    return module


def _default_read_extended_type(typecode, data):
    """An ext_hook that refuses everything."""
    raise NotImplementedError(f"Cannot decode extended type with typecode={typecode}")


def _shims_folder():
    from os.path import dirname, join

    return join(dirname(packhorse.__file__), "shims")


def _run(program):
    """Run a script, `-m module` or `-c code` with its arguments, as the interpreter would."""
    import runpy
    from os.path import dirname, realpath

    first, *rest = program
    if first in ("-m", "-c") and not rest:
        sys.exit(f"packhorse.compat: argument expected for {first}")
    if first == "-m":
        sys.argv = ["-m", *rest[1:]]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        main = ModuleType("__main__")
        sys.modules["__main__"] = main
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        sys.argv = list(program)
        sys.path[0] = dirname(realpath(first))
        runpy.run_path(first, run_name="__main__")


def _main(arguments):
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    own, program = arguments, []
    if "--" in arguments:
        separator = arguments.index("--")
        own, program = arguments[:separator], arguments[separator + 1 :]
    parser = ArgumentParser(
        prog="python -m packhorse.compat",
        usage="%(prog)s NAME [--version V] [--children] -- (SCRIPT | -m MODULE | -c CODE) [ARGUMENT ...]",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the package to stand in for")
    parser.add_argument("--version", metavar="V", help="the version to report (1.2.4)")
    parser.add_argument("--children", action="store_true", help="for child processes too")
    parser.add_argument("--folder", action="store_true", help="print the folder for PYTHONPATH")
    options = parser.parse_args(own)
    if options.folder:
        print(_shims_folder())
        return
    if options.name is None or not program:
        parser.error("a name and, behind --, a program are needed")
    version = _VERSION
    if options.version is not None:
        try:
            version = tuple(map(int, options.version.split(".")))
        except ValueError:
            parser.error(f"not a version: {options.version}")
    if options.children:
        _prepare_children(parser, options.name, version)
    install(options.name, version)
    _run(program)


def _prepare_children(parser, name, version):
    import os

    if name != "msgpack":
        parser.error("--children is for the name msgpack only")
    folders = [_shims_folder(), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    os.environ["PACKHORSE_COMPAT_VERSION"] = ".".join(map(str, version))


if __name__ == "__main__":
    _main(sys.argv[1:])
