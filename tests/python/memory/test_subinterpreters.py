"""Interpreters inside the process: import and use in two at once, each with its own module state."""

import sys
import textwrap
import threading

import pytest

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="CPython's interpreters"
)

WORK = textwrap.dedent(
    """
    import sys
    sys.path[:] = {path!r}
    import packhorse
    assert packhorse.build_info()["implementation"] == {implementation!r}, packhorse.build_info()
    value = [{{"key": [1, 2.5, "text", b"bytes", None]}}] * 20
    for _ in range(200):
        data = packhorse.packb(value)
        assert packhorse.unpackb(data) == value
    unpacker = packhorse.Unpacker(ext_hook=packhorse.ExtType)
    unpacker.feed(packhorse.packb(packhorse.ExtType(5, b"x")))
    assert type(unpacker.unpack()) is packhorse.ExtType
    assert type(packhorse.unpackb(packhorse.packb(packhorse.Timestamp(1)))) is packhorse.Timestamp
    try:
        packhorse.unpackb(b"\\xc1")
    except packhorse.FormatError:
        pass
    else:
        raise AssertionError
    """
)


def interpreters_module():
    if sys.version_info >= (3, 13):
        import _interpreters

        return _interpreters
    import _xxsubinterpreters

    return _xxsubinterpreters


def run_in_new_interpreter(code, isolated=True):
    module = interpreters_module()
    if sys.version_info >= (3, 13):
        interpreter = module.create("isolated" if isolated else "legacy")
        try:
            failure = module.exec(interpreter, code)
            assert failure is None, failure
        finally:
            module.destroy(interpreter)
        return
    interpreter = module.create(isolated=isolated)
    try:
        module.run_string(interpreter, code)
    finally:
        module.destroy(interpreter)


@pytest.fixture
def code():
    import packhorse

    return WORK.format(path=sys.path, implementation=packhorse.build_info()["implementation"])


def test_import_and_use(code):
    run_in_new_interpreter(code)


def test_many_times_in_a_row(code):
    for _ in range(5):
        run_in_new_interpreter(code)


def test_two_at_once_while_the_main_one_works(code):
    import packhorse

    failures = []

    def work():
        try:
            for _ in range(3):
                run_in_new_interpreter(code)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    value = {"main": [1, "two", {"three": 3}]}
    # In 3.11 the interpreters share one lock and do not ask each other to let go of it.
    while sys.version_info >= (3, 12) and any(thread.is_alive() for thread in threads):
        assert packhorse.unpackb(packhorse.packb(value)) == value
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_classes_of_one_are_not_those_of_another(code):
    """An object of the main interpreter's class must not be mistaken for the other's: each has its own."""
    import packhorse

    before = id(packhorse.ExtType)
    run_in_new_interpreter(code + f"\nassert id(packhorse.ExtType) != {before}\n")


def test_the_main_interpreter_works_afterwards(code):
    import packhorse

    run_in_new_interpreter(code)
    assert packhorse.unpackb(packhorse.packb([packhorse.ExtType(1, b"a")])) == [
        packhorse.ExtType(1, b"a")
    ]
