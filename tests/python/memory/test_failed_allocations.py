"""Memory that runs out at every possible point: MemoryError, nothing worse, and the objects stay usable."""

import subprocess
import sys
import textwrap

import pytest

if sys.implementation.name != "cpython":
    pytest.skip("CPython's allocator is what fails here", allow_module_level=True)
_testcapi = pytest.importorskip("_testcapi")

SCRIPT = textwrap.dedent(
    """
    import sys
    sys.path[:] = {path!r}
    import _testcapi, dataclasses, decimal, importlib, gc
    import packhorse
    if {name!r} == "c":
        from packhorse import json, packb, unpackb, Packer, Unpacker
    value = [{{"key": [1, 2.5, "text" * 20, b"bytes" * 20, None, 2**40]}}, {{"key": ["\\u3042" * 30]}}] * 3
    data = packb(value)
    # Long enough for what is only done in large inputs, with objects that end early and go on longer.
    large = [value, "x" * 5000, {{"a": 1000, "b": [[]]}}, {{"a": 1000}}, {{"a": 1, "b": 2.5, "c": {{"a": 9}}}}, {{"a": 2, "z": 3}}]
    large_data = packb(large)
    text_value = [[1000, {{"k": "\\u3042", "e": "\\n"}}]] + large[1:]
    text = json.encode(text_value)
    unpacker = Unpacker()
    packer = Packer(autoreset=False)

    def stream():
        one = Unpacker()
        one.feed(data)
        return one.unpack()

    def shared_stream():
        unpacker.feed(data)
        return unpacker.unpack()

    def shared_packer():
        packer.reset()
        packer.pack(value)
        return packer.bytes()

    def big():
        return unpackb(packb(b"x" * 300000))

    def hooked():
        return unpackb(data, object_hook=dict, list_hook=list)

    def pairs():
        return unpackb(data, object_pairs_hook=list)

    def lines():
        return json.Decoder().decode_lines(json.Encoder().encode_lines(text_value))

    @dataclasses.dataclass
    class Plain:
        x: object
        y: object = 2

    class Own(Plain):
        def __getattr__(self, name):
            raise AttributeError(name)

    slotted = dataclasses.make_dataclass("Slotted", ["x", "y"], slots=True)
    like_attrs = type("Attrs", (), {{"__slots__": ("b", "a", "_c"), "__attrs_attrs__": ()}})()
    like_attrs.a = like_attrs.b = like_attrs._c = 1

    def objects():
        more = Plain(1)
        more.z = 3
        values = [Plain(1), more, Own(2), slotted(1, 2), like_attrs]
        form = lambda value: {{"decimal": [str(value)]}}
        buffer = bytearray(20)
        json.Encoder().encode_into(values[0], buffer, 2)
        encoder = json.Encoder(enc_hook=str, decimal_format=form)
        return json.encode(values), encoder.encode([*values, 1j, decimal.Decimal(1)]), json.dumps(values[:4]), buffer

    calls = {{
        "objects": objects,
        "large": lambda: unpackb(large_data), "JSON": lambda: json.decode(text), "to JSON": lambda: json.encode(text_value),
        "lines": lines, "JSON error": lambda: raised(lambda: json.decode(text[:-1])),
        "packb": lambda: packb(value), "unpackb": lambda: unpackb(data), "stream": stream, "big": big,
        "tuples": lambda: unpackb(data, use_list=False), "hooked": hooked, "pairs": pairs, "packer": shared_packer,
        "error": lambda: raised(lambda: unpackb(data[:-1])), "pack error": lambda: raised(lambda: packb([value, 1j])),
    }}

    def raised(call):
        try:
            call()
        except (ValueError, TypeError):
            return "raised"

    expected = {{name: call() for name, call in calls.items()}}
    gc.disable()
    for name, call in calls.items():
        good = expected[name]
        for start in range(400):
            result = None
            _testcapi.set_nomemory(start, start + {length})
            try:
                result = call()
            except MemoryError:
                pass
            except SystemError as error:
                _testcapi.remove_mem_hooks()
                # The interpreter has this one itself, where it has no memory for a frame.
                if str(error) != "error return without exception set":
                    raise AssertionError((name, start, error))
            finally:
                _testcapi.remove_mem_hooks()
            if result is not None:
                assert result == good, (name, start)
        assert call() == good, name
    print("done")
    """
)


PROBE = textwrap.dedent(
    """
    import _testcapi, json

    def call(function):
        return function()

    for start in range(400):
        _testcapi.set_nomemory(start, start + 1)
        try:
            call(lambda: json.loads('{"a": [1, 2,'))
        except (ValueError, MemoryError, SystemError):
            pass
        finally:
            _testcapi.remove_mem_hooks()

    # 3.13 without a GIL gives back what a list held that it takes from its free list, if it finds no
    # memory for the new items: those were given back before.
    for start in list(range(6)) * 20:
        del [f"{at}a {at}b {at}c".split() for at in range(80)][:]
        _testcapi.set_nomemory(start, start + 1)
        try:
            call(lambda: "a b c".split())
        except MemoryError:
            pass
        finally:
            _testcapi.remove_mem_hooks()
        lists = [f"{at}x {at}y {at}z".split() for at in range(3000)]
        assert all(one == [f"{at}x", f"{at}y", f"{at}z"] for at, one in enumerate(lists))
        del lists
    """
)


@pytest.fixture(scope="module")
def surviving_interpreter():
    """Some releases of CPython crash without any extension when memory fails at the wrong moment."""
    try:
        subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=True, timeout=60)
    except subprocess.SubprocessError:
        pytest.skip("this interpreter itself does not survive failing allocations")


@pytest.mark.usefixtures("surviving_interpreter")
@pytest.mark.parametrize("length", [1, 3])
def test_each_allocation_once(length):
    """In a process of its own: the hook fails every allocation of the interpreter, ours or not."""
    code = SCRIPT.format(path=sys.path, name="c", length=length)
    result = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.strip() == "done"
