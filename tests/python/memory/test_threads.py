"""Threads that share or do not share an object: no crash, and results of one call never mix with another's."""

import threading

import pytest

COUNT = 4


def run_threads(work, count=COUNT):
    failures = []
    barrier = threading.Barrier(count)

    def guarded(number):
        try:
            barrier.wait()
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_packb_and_unpackb_in_parallel(codec):
    def work(number):
        value = [
            {f"key {number}": [number] * 50, "shared": "x" * number, "\u3042": number}
            for _ in range(50)
        ]
        expected = codec.packb(value)
        for _ in range(100 if codec.is_compiled else 10):
            assert codec.packb(value) == expected
            assert codec.unpackb(expected) == value

    run_threads(work)


def test_hooks_in_parallel(codec):
    def work(number):
        def hook(value):
            return {"number": number, **value}

        data = codec.packb([{"a": 1}] * 20)
        for _ in range(50 if codec.is_compiled else 10):
            assert codec.unpackb(data, object_hook=hook) == [{"number": number, "a": 1}] * 20

    run_threads(work)


def test_a_packer_for_each_thread(codec):
    def work(number):
        packer = codec.Packer()
        for index in range(1000 if codec.is_compiled else 100):
            assert packer.pack([number, index]) == codec.packb([number, index])

    run_threads(work)


def test_an_unpacker_for_each_thread(codec):
    data = codec.packb({"key": [1, 2, 3]})

    def work(number):
        unpacker = codec.Unpacker()
        for _ in range(1000 if codec.is_compiled else 100):
            unpacker.feed(data)
            assert unpacker.unpack() == {"key": [1, 2, 3]}

    run_threads(work)


@pytest.mark.ours
def test_one_packer_shared_by_threads(codec):
    """Each result is whole, or the call is refused."""
    if not codec.is_compiled:
        pytest.skip("plain Python objects are guarded by the interpreter only")
    packer = codec.Packer(default=lambda value: "d")
    values = [[{"number": number, "text": "x" * 100, "object": 1j}] * 5 for number in range(COUNT)]
    expected = [codec.packb(value, default=lambda value: "d") for value in values]

    def work(number):
        for _ in range(500):
            try:
                assert packer.pack(values[number]) == expected[number]
            except RuntimeError:
                pass

    run_threads(work)


@pytest.mark.ours
def test_one_unpacker_shared_by_threads(codec):
    """Each object arrives once and whole, or the call is refused."""
    if not codec.is_compiled:
        pytest.skip("plain Python objects are guarded by the interpreter only")
    data = codec.packb(["whole", {"key": 1}])
    unpacker = codec.Unpacker()
    unpacker.feed(data * 2000)
    seen = []

    def work(number):
        while True:
            try:
                seen.append(unpacker.unpack())
            except codec.OutOfData:
                return
            except RuntimeError:
                pass

    run_threads(work)
    assert seen == [["whole", {"key": 1}]] * 2000


@pytest.mark.ours
def test_feeding_and_reading_from_two_threads(codec):
    if not codec.is_compiled:
        pytest.skip("plain Python objects are guarded by the interpreter only")
    unpacker = codec.Unpacker()
    seen = []
    done = threading.Event()

    def work(number):
        if number == 0:
            for index in range(2000):
                while True:
                    try:
                        unpacker.feed(codec.packb({"index": index}))
                        break
                    except RuntimeError:
                        pass
            done.set()
            return
        while True:
            finished = done.is_set()
            try:
                seen.append(unpacker.unpack()["index"])
            except codec.OutOfData:
                if finished:
                    return
            except RuntimeError:
                pass

    run_threads(work, 2)
    assert seen == list(range(2000))


def test_the_input_changed_by_another_thread(codec):
    """The bytes may be anything; they are never read from memory that is gone."""
    data = bytearray(codec.packb([["text" * 10, {"key": 1}]] * 200))
    stop = threading.Event()

    def disturb():
        number = 0
        while not stop.is_set():
            number = (number * 31 + 7) % len(data)
            data[number] ^= 0x55

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(300):
            try:
                codec.unpackb(data, strict_map_key=False)
            except (ValueError, TypeError, codec.UnpackException):
                pass
    finally:
        stop.set()
        thread.join()


@pytest.mark.ours
def test_containers_changed_by_another_thread_while_they_are_packed(codec):
    """Each result is a whole value, or the change is noticed."""
    numbers = list(range(200))
    pairs = {f"key {index}": [index, {"text": "x" * index}] for index in range(50)}
    value = [numbers, pairs, {"again": numbers, "inner": pairs}]
    stop = threading.Event()

    def disturb():
        turn = 0
        while not stop.is_set():
            turn += 1
            numbers.append("text" * (turn % 50))
            pairs[f"key {turn % 60}"] = [turn, (turn, 1.5)]
            pairs.pop(f"key {turn * 7 % 60}", None)
            if turn % 100 == 0:
                numbers[:] = range(100)

    thread = threading.Thread(target=disturb)
    thread.start()
    whole = 0
    try:
        while whole < (200 if codec.is_compiled else 20):
            try:
                packed = codec.packb(value)
            except RuntimeError:
                continue
            assert len(codec.unpackb(packed)) == 3
            whole += 1
    finally:
        stop.set()
        thread.join()
