"""Equal keys are one object, and whatever remembers them is never seen in results: the properties of the key cache."""

import sys

import pytest


def keys_of(value):
    return list(value)


def unpack_all(codec, data, **options):
    unpacker = codec.Unpacker(**options)
    unpacker.feed(data)
    return list(unpacker)


def stored_pairs(count, names, value=1):
    return [dict.fromkeys(names, value) for _ in range(count)]


def test_repeated_keys_are_one_object_within_a_call(codec):
    maps = codec.unpackb(
        codec.packb(stored_pairs(100, ["id", "name", "a longer key than the others"]))
    )
    # Where keys are interned when they are seen again, the first may be another object than the rest.
    for position in range(3):
        assert len({id(keys_of(one)[position]) for one in maps[1:]}) == 1


@pytest.mark.parametrize("name", ["k", "identifier", "x" * 31, "x" * 32, "x" * 64])
def test_from_the_second_time_on(codec, name):
    """No warm-up that small messages never reach."""
    maps = codec.unpackb(codec.packb(stored_pairs(3, [name])))
    assert keys_of(maps[1])[0] is keys_of(maps[2])[0]


def test_repeated_keys_are_one_object_across_the_objects_of_an_unpacker(codec):
    name = "shared across objects"
    _, *rest = unpack_all(codec, codec.packb({name: 1}) * 50)
    assert {id(keys_of(one)[0]) for one in rest[1:]} == {id(keys_of(rest[0])[0])}


def test_across_feeds_and_files(codec):
    import io

    unpacker = codec.Unpacker(
        io.BytesIO(codec.packb({"shared across reads": 1}) * 50), read_size=7, max_buffer_size=100
    )
    values = list(unpacker)
    assert len({id(keys_of(one)[0]) for one in values[1:]}) == 1


def test_nested_maps_share_too(codec):
    value = codec.unpackb(codec.packb([{"outer key": {"outer key": {"outer key": 1}}}] * 2))
    first = keys_of(value[1])[0]
    assert keys_of(value[1]["outer key"])[0] is first
    assert keys_of(value[1]["outer key"]["outer key"])[0] is first


def test_pairs_hooks_get_shared_keys(codec):
    value = codec.unpackb(codec.packb(stored_pairs(4, ["key for pairs"])), object_pairs_hook=list)
    assert value[1][0][0] is value[2][0][0]


def test_keys_are_right_whatever_came_before(codec):
    """More distinct keys than any cache holds, then again in another order, and keys that share a hash of their ends."""
    names = [f"key-{number}" for number in range(5000)]
    names += [f"{number:05d}-key" for number in range(5000)]
    names += ["x" * length for length in range(100)]
    names += ["\u3042" * length for length in range(1, 50)] + [
        "\xe9" * length for length in range(1, 50)
    ]
    maps = [{name: index} for index, name in enumerate(names)] + [
        {name: -index} for index, name in enumerate(reversed(names))
    ]
    assert codec.unpackb(codec.packb(maps)) == maps


@pytest.mark.parametrize(
    "length", [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100]
)
def test_keys_that_differ_in_one_byte_stay_apart(codec, length):
    base = bytearray(b"m" * length)
    names = []
    for position in range(length):
        for byte in b"an~":
            changed = bytearray(base)
            changed[position] = byte
            names.append(changed.decode())
    maps = [{name: name} for name in names] * 3
    assert codec.unpackb(codec.packb(maps)) == maps


def test_a_key_and_its_prefixes_stay_apart(codec):
    names = ["a" * length for length in range(1, 70)] + [
        "a" * length + "\0" for length in range(1, 40)
    ]
    maps = [{name: name} for name in names] * 3
    assert codec.unpackb(codec.packb(maps)) == maps


def test_the_empty_key(codec):
    maps = [{"": number} for number in range(50)]
    assert codec.unpackb(codec.packb(maps)) == maps


def test_the_same_key_in_another_header_form(codec):
    forms = [b"\xa1k", b"\xd9\x01k", b"\xda\x00\x01k", b"\xdb\x00\x00\x00\x01k"]
    data = b"\xdc\x00\x10" + b"".join(b"\x81" + form + b"\x01" for form in forms * 4)
    assert codec.unpackb(data) == [{"k": 1}] * 16
    bins = [b"\xc4\x01k", b"\xa1k"]
    data = b"\x98" + b"".join(b"\x81" + form + b"\x01" for form in bins * 4)
    assert codec.unpackb(data) == [{b"k": 1}, {"k": 1}] * 4


def test_raw_keys_are_bytes_even_after_text(codec):
    data = codec.packb(stored_pairs(40, ["key", "\u3042"]))
    assert codec.unpackb(data, raw=True) == [{b"key": 1, "\u3042".encode(): 1}] * 40
    assert codec.unpackb(data) == [{"key": 1, "\u3042": 1}] * 40
    assert all(type(key) is bytes for one in codec.unpackb(data, raw=True) for key in one)


def test_values_are_not_keys(codec):
    """A string that is a key elsewhere may come back as a value: equal, and harmless whichever object it is."""
    value = codec.unpackb(codec.packb([{"word": "word"}] * 5))
    assert value == [{"word": "word"}] * 5


def test_max_str_len_counts_for_keys_that_are_known(codec):
    data = codec.packb({"longkey": 1})
    unpacker = codec.Unpacker()
    unpacker.feed(data * 50)
    assert len(list(unpacker)) == 50
    with pytest.raises(ValueError, match=r"(?m)^7 exceeds max_str_len\(6\)$"):
        codec.unpackb(codec.packb([{"longkey": 1}] * 50), max_str_len=6)


def test_bad_text_as_a_key_with_a_warm_cache(codec):
    good = b"\x81\xa3abc\x01"
    data = b"\xdc\x00\x33" + good * 50 + b"\x81\xa3ab\xff\x01"
    with pytest.raises(UnicodeDecodeError):
        codec.unpackb(data)
    assert codec.unpackb(b"\xdc\x00\x32" + good * 50) == [{"abc": 1}] * 50


def test_an_error_handler_with_a_warm_cache(codec):
    data = b"\x94" + b"\x81\xa3abc\x01" * 2 + b"\x81\xa3ab\xff\x01" * 2
    assert codec.unpackb(data, unicode_errors="replace") == [{"abc": 1}] * 2 + [{"ab\ufffd": 1}] * 2
    assert codec.unpackb(data, unicode_errors="ignore") == [{"abc": 1}] * 2 + [{"ab": 1}] * 2
    assert codec.unpackb(data, unicode_errors="surrogateescape")[3] == {"ab\udcff": 1}


def test_errors_and_reuse(codec):
    for _ in range(20):
        with pytest.raises(ValueError):
            codec.unpackb(codec.packb(stored_pairs(40, ["abc", "def"]))[:-1])
        with pytest.raises(ValueError):
            codec.unpackb(b"\x92\x81\xa3abc\x01\x81\x01\x01")
        assert codec.unpackb(codec.packb(stored_pairs(3, ["abc", "def"]))) == stored_pairs(
            3, ["abc", "def"]
        )


def test_no_key_is_kept_for_a_pair_that_never_arrived(codec):
    """An attacker must not be able to leave keys behind with pairs that are cut short."""
    import gc

    # Where interned text is immortal, the test itself keeps its name for good.
    name = f"never-completed-{codec.name}-" + "z" * 20
    data = b"\x81" + codec.packb(name)
    for _ in range(3):
        with pytest.raises(ValueError):
            codec.unpackb(data)
    other = "".join([name[:8], name[8:]])
    gc.collect()
    if sys.implementation.name == "cpython" and sys.version_info < (3, 13):
        assert sys.intern(other) is other, "an interned copy of the key is alive"


def test_many_distinct_keys_do_not_accumulate(codec):
    """Rounds of keys that never come again: nothing may keep more than a bounded number of them alive."""
    tracemalloc = pytest.importorskip("tracemalloc")
    if sys.version_info[:2] == (3, 12) or (
        codec.is_reference and not getattr(sys, "_is_gil_enabled", lambda: True)()
    ):
        pytest.skip("interned strings are immortal there")
    unpacker = codec.Unpacker(strict_map_key=True)

    def round_of(number):
        unpacker.feed(
            codec.packb(
                [{f"round {number} key {index} " + "p" * 30: None for index in range(1000)}]
            )
        )
        unpacker.unpack()
        codec.unpackb(
            codec.packb({f"call {number} key {index} " + "p" * 30: None for index in range(1000)})
        )

    for number in range(5):
        round_of(number)
    tracemalloc.start()
    try:
        round_of("warm")
        before = tracemalloc.get_traced_memory()[0]
        for number in range(100, 140):
            round_of(number)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 4 << 20, (
        f"{grown} bytes for 80,000 keys that are gone"
    )  # all of them would be 8 MB


@pytest.mark.counts_references
def test_the_cache_dies_with_its_unpacker(codec):
    """A key held by an Unpacker alone goes with it (keys that some thread-wide cache holds are bounded, see above)."""
    import gc

    unpacker = codec.Unpacker()
    unpacker.feed(codec.packb([{"a key of this unpacker": 1}] * 10))
    value = unpacker.unpack()
    key = keys_of(value[0])[0]
    del value, unpacker
    gc.collect()
    assert sys.getrefcount(key) < 20


def test_results_are_equal_to_those_of_single_maps(codec):
    """With or without anything remembered: each map alone and all of them together give the same."""
    maps = [
        {f"k{number % 7}": number, f"unique {number}": None, "\xe9": number}
        for number in range(500)
    ]
    assert codec.unpackb(codec.packb(maps)) == [codec.unpackb(codec.packb(one)) for one in maps]


def test_same_shapes_with_different_order_and_duplicates(codec):
    """Maps whose key sequence repeats, then differs in one place."""
    base = [("a", 1), ("b", 2), ("c", 3), ("d", 4)]
    variants = [
        base,
        base[::-1],
        base[:3],
        [*base, ("e", 5)],
        [base[0], base[0], base[1], base[2]],
        base[1:] + base[:1],
        [],
        base,
    ]
    packer = codec.Packer()
    sequence = [variant for _ in range(20) for variant in (base, base, *variants)]
    data = packer.pack_array_header(len(sequence)) + b"".join(
        packer.pack_map_pairs(variant) for variant in sequence
    )
    result = codec.unpackb(data)
    assert result == [dict(variant) for variant in sequence]
    assert [list(one) for one in result] == [list(dict(variant)) for variant in sequence]


def test_a_result_can_be_changed_without_touching_others(codec):
    data = codec.packb(stored_pairs(10, ["a", "b", "c"]))
    first = codec.unpackb(data)
    for number, one in enumerate(first):
        one["new"] = number
        del one["a"]
        one["b"] = "changed"
    assert codec.unpackb(data) == stored_pairs(10, ["a", "b", "c"])
    assert [one["new"] for one in first] == list(range(10))


@pytest.mark.parametrize("raw", [b"yvagvba\xa6", b"a" + b"\xff" * 40])
def test_what_an_error_handler_made_of_a_key_is_not_found_again(codec, raw):
    """The first key has the hash that the C version gives to its text with a NUL behind it."""
    text = raw.decode(errors="ignore")
    for _ in range(20):
        assert codec.unpackb(b"\x81\xd9%c%b\x01" % (len(raw), raw), unicode_errors="ignore") == {
            text: 1
        }
    longer = text + "\0" * (len(raw) - len(text))
    assert codec.unpackb(codec.packb({longer: 1})) == {longer: 1}
