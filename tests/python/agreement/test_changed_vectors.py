"""Every truncation, every changed byte and every split of every vector: the same outcome from all implementations."""

import pytest
import vectors
from agreement_checks import check_against_slow, check_between
from comparing import assert_same, outcome

SHORT = [
    vector
    for vector in vectors.ALL
    if len(vector.data) <= 64 and vector.topic not in ("first_bytes", "ints")
]
MEDIUM = [vector for vector in vectors.ALL if len(vector.data) <= 1100 and vector.topic != "depth"]
SPLIT = [vector for vector in vectors.VALID if 1 < len(vector.data) <= 300]
BITS = (0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF)
LOSSLESS = {"object_pairs_hook": vectors.Pairs, "ext_hook": vectors.Ext, "strict_map_key": False}


def by_topic(selection):
    topics = {}
    for vector in selection:
        topics.setdefault(vector.topic, []).append(vector)
    return pytest.mark.parametrize("group", topics.values(), ids=topics.keys())


@by_topic(MEDIUM)
def test_every_truncation(codec, group):
    for vector in group:
        step = 1 if len(vector.data) <= 100 else 7
        for length in range(0, len(vector.data), step):
            check_against_slow(codec, vector.data[:length])


@by_topic(SHORT)
def test_every_changed_byte(codec, group):
    for vector in group:
        for position in range(len(vector.data)):
            for bit in BITS:
                changed = bytearray(vector.data)
                changed[position] ^= bit
                check_against_slow(codec, bytes(changed))


@by_topic(SHORT)
def test_every_changed_byte_between_implementations(codecs, group):
    for vector in group:
        for position in range(min(len(vector.data), 24)):
            for bit in BITS:
                changed = bytearray(vector.data)
                changed[position] ^= bit
                check_between(codecs, bytes(changed))


@by_topic(SHORT)
def test_every_dropped_doubled_and_inserted_byte(codec, group):
    for vector in group:
        data = vector.data
        for position in range(len(data)):
            check_against_slow(codec, data[:position] + data[position + 1 :])
            check_against_slow(codec, data[: position + 1] + data[position:])
            check_against_slow(codec, data[:position] + b"\xc1" + data[position:])


@by_topic(SPLIT)
def test_every_split_in_two(codec, group):
    for vector in group:
        expected = vectors.object_of(vector.value, codec)
        step = 1 if len(vector.data) <= 80 else 5
        for position in range(1, len(vector.data), step):
            unpacker = codec.Unpacker(**LOSSLESS)
            unpacker.feed(vector.data[:position])
            early = outcome(unpacker.unpack)
            assert early[:2] == ("error", "OutOfData"), f"{vector}: split at {position}: {early}"
            unpacker.feed(vector.data[position:])
            assert_same(unpacker.unpack(), expected)


@by_topic(SPLIT)
def test_byte_by_byte(codec, group):
    for vector in group:
        unpacker = codec.Unpacker(**LOSSLESS)
        for byte in vector.data[:-1]:
            unpacker.feed(bytes([byte]))
            assert outcome(unpacker.unpack)[1] == "OutOfData", str(vector)
        unpacker.feed(vector.data[-1:])
        assert_same(unpacker.unpack(), vectors.object_of(vector.value, codec))


@by_topic(
    [
        vector
        for vector in vectors.INVALID
        if len(vector.data) <= 300 and vector.error["code"] not in ("TRUNCATED", "EXTRA_DATA")
    ]
)
def test_errors_are_the_same_however_the_bytes_arrive(codec, group):
    for vector in group:
        whole = codec.Unpacker(**LOSSLESS)
        whole.feed(vector.data)
        expected = outcome(whole.unpack)
        pieces = codec.Unpacker(**LOSSLESS)
        actual = None
        for byte in vector.data:
            pieces.feed(bytes([byte]))
            actual = outcome(pieces.unpack)
            if actual[1] != "OutOfData":
                break
        assert actual == expected, str(vector)


def test_a_stream_of_all_vectors(codec):
    selected = [vector for vector in vectors.VALID if len(vector.data) <= 2000]
    data = b"".join(vector.data for vector in selected)
    for size in (1, 13, 4096, len(data)) if codec.is_compiled else (4096,):
        unpacker = codec.Unpacker(**LOSSLESS)
        results = []
        for start in range(0, len(data), size):
            unpacker.feed(data[start : start + size])
            results.extend(unpacker)
        assert_same(results, [vectors.object_of(vector.value, codec) for vector in selected])


@pytest.mark.parametrize("offset", range(8))
def test_every_vector_at_every_alignment(codec, offset):
    for vector in vectors.VALID:
        if len(vector.data) <= 300:
            view = memoryview(b"\xc1" * offset + vector.data + b"\xc1" * 8)[
                offset : offset + len(vector.data)
            ]
            assert_same(codec.unpackb(view, **LOSSLESS), vectors.object_of(vector.value, codec))
