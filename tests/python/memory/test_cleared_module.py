"""What is called after the collector has cleared the extension, or while the interpreter ends: no crash.

Functions and methods are kept by an object whose finalizer calls them all. Each program runs in a process of its own, because
nothing of the module is usable afterwards.
"""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.ours

CALLS = """
import sys
import packhorse
import packhorse.json
from packhorse import _core

class Odd:
    pass

METHODS = []

def late(
    core=_core, ext=packhorse.ExtType, timestamp=packhorse.Timestamp, object=object, Odd=Odd, set=set, len=len,
    packb=_core.packb, unpackb=_core.unpackb, Packer=_core.Packer, Unpacker=_core.Unpacker,
    encode=_core.json_encode, decode=_core.json_decode, dumps=_core.json_dumps, loads=_core.json_loads, format=_core.json_format,
    JsonEncoder=_core.JsonEncoder, JsonDecoder=_core.JsonDecoder, build_info=_core.build_info,
    methods=METHODS, Exception=Exception, bytearray=bytearray, next=next, write=sys.stdout.write, flush=sys.stdout.flush,
):
    calls = [
        lambda: packb([1, "a", {"k": b"b"}, 1.5, None]),
        lambda: packb([timestamp(1), ext(1, b"")]),
        lambda: packb([object()]),
        lambda: packb([Odd()], default=lambda value: [1]),
        lambda: packb({(1,): 1, 2: 3, "a": 4}, order="sorted"),
        lambda: packb(1, wrong=1),
        lambda: packb(1 << 70),
        lambda: unpackb(bytes([0x92, 1, 0xA1, 0x61])),
        lambda: unpackb(bytes([0x82, 0xA1, 0x61, 1, 0xA1, 0x62, 2])),
        lambda: unpackb(bytes([0xD4, 5, 0])),
        lambda: unpackb(bytes([0xD6, 0xFF, 0, 0, 0, 1])),
        lambda: unpackb(bytes([0xC1])),
        lambda: unpackb(bytes([0x91])),
        lambda: unpackb(bytes([0x91] * 1100)),
        lambda: unpackb(bytes([1, 2])),
        lambda: unpackb(bytes([0x81, 1, 2])),
        lambda: unpackb(bytes([0x81, 0x90, 2]), strict_map_key=False),
        lambda: unpackb(bytes([0x81, 0xC1])),
        lambda: unpackb(bytes([0x91, 0xA1, 0xFF])),
        lambda: unpackb(bytes([0x01]), ext_hook=ext, wrong=1),
        lambda: encode([1, "a", {"k": None}]),
        lambda: encode([Odd()]),
        lambda: encode({"b": 1, "a": set()}, order="sorted"),
        lambda: decode(b'{"a":[1,2.5,"x"]}'),
        lambda: decode(b"[1,"),
        lambda: dumps([object()]),
        lambda: loads(b"[1"),
        lambda: format(b"[1 ]"),
        lambda: format(b"[1 "),
        lambda: Packer().pack(1),
        lambda: Unpacker().unpack(),
        lambda: Unpacker(max_buffer_size=1).feed(b"12"),
        lambda: JsonEncoder(decimal_format=len).encode(1),
        lambda: JsonDecoder(float_hook=len).decode(b"1.5"),
        lambda: build_info(),
        *methods,
    ]
    for call in calls:
        try:
            call()
        except Exception:
            pass
    write(f"{len(calls)} calls\\n")
    flush()

def bound(unpacker, packer, encoder, decoder, waiting=_core.Unpacker().__anext__()):
    from decimal import Decimal
    feed, unpack = unpacker.feed, unpacker.unpack
    return [
        lambda: feed(bytes([1, 0x92, 0xC1])), unpack, unpack, unpack, unpacker.resync, unpacker.skip, unpacker.unpack_raw,
        unpacker.read_array_header, unpacker.tell, unpacker.__anext__, waiting.close, unpacker.__sizeof__, unpacker.__init__,
        lambda: feed(bytes([0x80, 0x90, 0xD4, 5, 0, 0xA1])), unpack, unpack, unpack, unpack, unpacker.__next__,
        lambda call=packer.pack: call([1, {"a": 2}]), lambda call=packer.pack: call([object()]),
        lambda call=packer.pack_ext_type: call(1, b"x"), lambda call=packer.pack_map_pairs: call([(1, 2)]),
        packer.bytes, packer.getbuffer, packer.reset, packer.__init__,
        lambda call=encoder.encode: call([1, Decimal(1)]), lambda call=encoder.encode: call([object()]),
        lambda call=encoder.encode_lines: call([1, 2]), encoder.__repr__,
        lambda call=decoder.decode: call(b"[1.5]"), lambda call=decoder.decode: call(b"["),
        lambda call=decoder.decode_lines: call(b"1 2"), decoder.__repr__,
    ]

objects = [
    (_core.Unpacker(), _core.Packer(), _core.JsonEncoder(), _core.JsonDecoder()),
    (
        _core.Unpacker(object_hook=len, list_hook=len, ext_hook=divmod),
        _core.Packer(default=repr, autoreset=False),
        _core.JsonEncoder(enc_hook=repr, decimal_format=repr),
        _core.JsonDecoder(float_hook=repr),
    ),
]
METHODS.extend(call for group in objects for call in bound(*group))
del METHODS

class Late:
    __slots__ = ()

    def __del__(self, late=late):
        late()
"""

FORGET = """
for name in [name for name in sys.modules if name.startswith("packhorse")]:
    del sys.modules[name]
"""

CLEAR = """
import ctypes

def clear(what):
    kind = type(what)
    offset = object.__basicsize__ + 8 + 168  # of tp_clear
    while not (address := ctypes.c_void_p.from_address(id(kind) + offset).value):
        kind = kind.__base__
    assert ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object)(address)(what) == 0
"""

PROGRAMS = {
    "the module cleared": CLEAR + "clear(_core)\nlate()",
    "the types cleared": CLEAR
    + """
for group in objects:
    for one in group:
        clear(type(one))
late()
""",
    "the objects cleared": CLEAR
    + """
for group in objects:
    for one in group:
        clear(one)
late()
""",
    "all of them, and the function that adds paths": CLEAR
    + """
import packhorse.location
clear(packhorse.location.locate)
clear(_core)
for group in objects:
    for one in group:
        clear(type(one))
        clear(one)
late()
""",
    "collected, kept by the module": "_core.bag = [Late()]\n_core.self = _core\n"
    + FORGET
    + """
import gc, weakref
module = weakref.ref(_core)
del packhorse, _core, late, Late, bound, objects, Odd
gc.collect()
assert module() is None
""",
    "collected, kept by a cycle": "bag = [Late(), objects]\nbag.append(bag)\n"
    + FORGET
    + """
import gc, weakref
module = weakref.ref(_core)
del packhorse, _core, late, Late, bound, objects, Odd, bag
gc.collect()
assert module() is None
""",
    "at the end, kept by the module": "_core.bag = [Late()]",
    "at the end, kept by builtins": "import builtins\nbuiltins.bag = [Late()]",
    "at the end, kept by sys": "sys.bag = [Late()]\nsys.bag.append(sys.bag)\ndel Late",
    "at the end, kept by a thread": """
import threading
local = threading.local()
local.bag = Late()
del Late
""",
    "atexit": "import atexit\natexit.register(late)",
}
INTERPRETER = """
import sys
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    made = interpreters.create("isolated")
    failure = interpreters.exec(made, {code!r})
    assert failure is None, failure
else:
    import _xxsubinterpreters as interpreters
    made = interpreters.create(isolated=True)
    interpreters.run_string(made, {code!r})
interpreters.destroy(made)
"""


def run(program):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def all_called(output):
    return output.count(" calls\n") >= 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_crashes(codec, name):
    if not codec.is_compiled:
        pytest.skip("about the extension")
    output = run(CALLS + PROGRAMS[name])
    assert all_called(output) or name == "at the end, kept by sys"


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.startswith("at the end")])
def test_nothing_crashes_when_a_subinterpreter_ends(codec, name):
    if not codec.is_compiled:
        pytest.skip("about the extension")
    path = f"import sys\nsys.path[:] = {sys.path!r}\n"
    run(INTERPRETER.format(code=path + CALLS + PROGRAMS[name]))
