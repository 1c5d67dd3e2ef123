"""Several values in one text, and texts that come in chunks."""

import asyncio

import pytest

RECORDS = [
    {"id": at, "text": "x\u00e9\u20ac\n" * (at % 7), "list": [at, [], {}]} for at in range(50)
]


def lines(api, end="\n"):
    return b"".join(api.encode(record) + end.encode() for record in RECORDS)


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"", []),
        (b"\n \r\n\t\n", []),
        (b"1", [1]),
        (b"1\n2\n", [1, 2]),
        (b"1\r\n2\r\n", [1, 2]),
        (b"\n\n1\n\n{}\n", [1, {}]),
        (b"[1,\n2]\n3", [[1, 2], 3]),
        (b"1 2", [1, 2]),
        (b"[1][2]", [[1], [2]]),
        (b'"a"null', ["a", None]),
    ],
)
def test_decode_lines(api, data, values):
    assert api.Decoder().decode_lines(data) == values
    assert api.Decoder().decode_lines(data.decode()) == values


@pytest.mark.parametrize(
    ("data", "offset", "path"),
    [
        (b"1\nx", 2, "$[1]"),
        (b"1\n[2,x]", 5, "$[1][1]"),
        (b"1,2", 1, "$[1]"),
        (b"{}\n[1", 5, "$[1][1]"),
        (b"1\n\xff", 2, "$[1]"),
    ],
)
def test_decode_lines_says_where(api, data, offset, path):
    with pytest.raises(api.DecodeError) as caught:
        api.Decoder().decode_lines(data)
    assert (caught.value.offset, caught.value.path) == (offset, path)


def test_decode_lines_with_options(api):
    assert api.Decoder(allow="jsonc").decode_lines(b"1 // one\n[2,]\n// end") == [1, [2]]
    assert api.Decoder(float_hook=str).decode_lines(b"1.5\n2.50") == ["1.5", "2.50"]


def test_encode_lines_and_back(api):
    encoder = api.Encoder()
    data = encoder.encode_lines(RECORDS)
    assert data == lines(api)
    assert api.Decoder().decode_lines(data) == RECORDS
    assert encoder.encode_lines(iter(RECORDS)) == data
    assert encoder.encode_lines([]) == b""
    with pytest.raises(TypeError, match="not iterable"):
        encoder.encode_lines(1)
    with pytest.raises(TypeError) as caught:
        encoder.encode_lines([1, {"a": object()}])
    assert caught.value.path == "$[1].a"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000, 100_000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n \n"])
def test_records_from_chunks_of_every_size(api, size, end):
    data = lines(api, end)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(api.iter_lines(chunks, decoder=api.Decoder())) == RECORDS
    assert list(api.iter_lines(map(bytearray, chunks), decoder=api.Decoder())) == RECORDS
    assert list(api.iter_lines([data.rstrip()], decoder=api.Decoder())) == RECORDS


def test_records_cut_at_every_byte(api):
    data = '{"a":"\u00e9\\u20ac"}\n[1.5,"\\\\"]\n\n3'.encode()
    for cut in range(len(data) + 1):
        chunks = [data[:cut], b"", data[cut:]]
        expected = [{"a": "\u00e9\u20ac"}, [1.5, "\\"], 3]
        assert list(api.iter_lines(chunks, decoder=api.Decoder())) == expected


def test_records_from_text_chunks_and_files(api, tmp_path):
    text = lines(api).decode()
    assert list(api.iter_lines([text[:100], text[100:]], decoder=api.Decoder())) == RECORDS
    file = tmp_path / "records.jsonl"
    file.write_text(text, encoding="utf-8")
    with file.open("rb") as opened:
        assert list(api.iter_lines(opened, decoder=api.Decoder())) == RECORDS


def test_records_come_as_soon_as_they_are_whole(api):
    seen = []

    def chunks():
        yield b'{"a":1}\n{"b"'
        seen.append("second chunk")
        yield b":2}\n"
        seen.append("end")

    found = []
    for record in api.iter_lines(chunks(), decoder=api.Decoder()):
        found.append((record, list(seen)))
    assert found == [({"a": 1}, []), ({"b": 2}, ["second chunk"])]


def test_an_error_in_a_record_has_line_and_offset_in_the_stream(api):
    found = []
    with pytest.raises(api.DecodeError) as caught:
        for record in api.iter_lines([b"1\n\n[2,", b"x]\n3\n"], decoder=api.Decoder()):
            found.append(record)
    assert found == [1]
    error = caught.value
    assert (error.offset, error.path, error.line) == (6, "$[1]", 3)
    assert "(byte 6)" in str(error)
    assert error.__notes__ == ["at $[1], byte 6", "in line 3"]
    with pytest.raises(api.DecodeError, match="truncated") as caught:
        list(api.iter_lines([b"1\n[2"], decoder=api.Decoder()))
    assert (caught.value.offset, caught.value.line) == (4, 2)


def test_one_line_has_one_value(api):
    with pytest.raises(api.DecodeError, match="trailing characters"):
        list(api.iter_lines([b"1 2\n"], decoder=api.Decoder()))


def test_long_lines_are_refused(api):
    from packhorse.exceptions import BufferFull

    chunks = [b'"' + b"x" * 100, b"x" * 100, b'"\n1\n']
    assert len(list(api.iter_lines(chunks, decoder=api.Decoder(), max_buffer_size=202))) == 2
    with pytest.raises(BufferFull, match="line 1"):
        list(api.iter_lines(chunks, decoder=api.Decoder(), max_buffer_size=201))
    with pytest.raises(BufferFull):
        api.decode_chunks(chunks, decoder=api.Decoder(), max_buffer_size=150)


def test_memory_is_bounded_by_one_record(api):
    tracemalloc = pytest.importorskip("tracemalloc")
    record = api.encode({"text": "x" * 10_000}) + b"\n"

    def chunks():
        for _ in range(500):
            yield record[:5000]
            yield record[5000:]

    for _ in api.iter_lines([record] * 3, decoder=api.Decoder()):
        pass
    tracemalloc.start()
    try:
        count = sum(1 for _ in api.iter_lines(chunks(), decoder=api.Decoder()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 500
    assert peak < 10 * len(record)


@pytest.mark.parametrize("size", [1, 5, 4096])
def test_one_document_from_chunks(api, size):
    data = api.encode(RECORDS)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert api.decode_chunks(chunks, decoder=api.Decoder()) == RECORDS
    assert api.decode_chunks(chunks) == RECORDS
    with pytest.raises(api.DecodeError, match="truncated"):
        api.decode_chunks(chunks[:-1], decoder=api.Decoder())
    with pytest.raises(api.DecodeError, match="truncated"):
        api.decode_chunks([], decoder=api.Decoder())


async def asynchronously(chunks):
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


def test_asynchronous_chunks(api):
    data = lines(api)
    chunks = [data[at : at + 97] for at in range(0, len(data), 97)]

    async def read():
        records = api.aiter_lines(asynchronously(chunks), decoder=api.Decoder())
        found = [record async for record in records]
        whole = asynchronously([b"[1,", b"2]"])
        return found, await api.adecode_chunks(whole, decoder=api.Decoder())

    assert asyncio.run(read()) == (RECORDS, [1, 2])


def test_errors_in_asynchronous_chunks(api):
    async def read():
        return [record async for record in api.aiter_lines(asynchronously([b"1\nx"]))]

    with pytest.raises(api.DecodeError) as caught:
        asyncio.run(read())
    assert (caught.value.offset, caught.value.line) == (2, 2)
