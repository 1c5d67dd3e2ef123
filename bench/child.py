"""What is measured in a process of its own: `child.py WHAT MODULE [FILE]` prints one number.

import  MODULE        nanoseconds of CPU time that importing it takes
first   MODULE FILE   nanoseconds of the first decoding of FILE (page faults included)
held    MODULE FILE   bytes that the process grows by while it holds the decoded FILE
peak    MODULE FILE   bytes that decoding needs at its highest point
left    MODULE FILE   bytes that stay when the result has been dropped and the C library was asked
                      to give back what is free
packing MODULE FILE   bytes that packing the decoded FILE needs at its highest point
idle    MODULE        bytes of one idle Unpacker, from ten thousand
drained MODULE FILE   bytes that stay, as for "left", with an Unpacker that FILE went through
"""

import ctypes
import importlib
import sys
import time

PAGE = 4096


def resident():
    """Bytes in memory now."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * PAGE


def highest():
    """Most bytes in memory since forget_highest()."""
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    raise OSError("the system does not tell the highest resident size")


def forget_highest():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def give_back():
    """Asks the C library to return free memory, where it knows how to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def functions(name):
    """(unpack, pack) of a module."""
    if name == "msgspec":
        part = importlib.import_module("msgspec.msgpack")
        return part.Decoder().decode, part.Encoder().encode
    module = importlib.import_module(name)
    return module.unpackb, module.packb


def measure_import(name, _):
    start = time.thread_time_ns()
    importlib.import_module(name)
    return time.thread_time_ns() - start


def measure_first(name, data):
    unpack, _ = functions(name)
    start = time.thread_time_ns()
    result = unpack(data)
    del result
    return time.thread_time_ns() - start


def measure_held(name, data):
    unpack, _ = functions(name)
    unpack(b"\x81\xa1a\xc3")
    before = resident()
    result = unpack(data)
    grown = resident() - before
    del result
    return grown


def measure_peak(name, data):
    unpack, _ = functions(name)
    unpack(b"\x81\xa1a\xc3")
    before = resident()
    forget_highest()
    unpack(data)
    return highest() - before


def measure_left(name, data):
    unpack, _ = functions(name)
    unpack(b"\x81\xa1a\xc3")
    give_back()
    before = resident()
    unpack(data)
    give_back()
    return resident() - before


def measure_packing(name, data):
    unpack, pack = functions(name)
    value = unpack(data)
    pack({"a": True})
    before = resident()
    forget_highest()
    pack(value)
    return highest() - before


def measure_idle(name, _):
    unpacker_type = importlib.import_module(name).Unpacker
    held = [None] * 10_000
    held[0] = unpacker_type()
    before = resident()
    for i in range(1, len(held)):
        held[i] = unpacker_type()
    return (resident() - before) // (len(held) - 1)


def measure_drained(name, data):
    unpacker = importlib.import_module(name).Unpacker()
    small = b"\x81\xa1a\xc3"
    unpacker.feed(small)
    list(unpacker)
    give_back()
    before = resident()
    for at in range(0, len(data), 65_536):
        unpacker.feed(data[at : at + 65_536])
        for _ in unpacker:
            pass
    unpacker.feed(small)
    list(unpacker)
    give_back()
    return resident() - before


def main():
    what, name = sys.argv[1:3]
    data = None
    if len(sys.argv) > 3:
        with open(sys.argv[3], "rb") as file:
            data = file.read()
    print(globals()["measure_" + what](name, data))


if __name__ == "__main__":
    main()
