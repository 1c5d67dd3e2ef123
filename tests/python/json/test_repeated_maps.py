"""Objects whose sequence of keys was seen before: cut, ended early, continued longer or otherwise at any pair, they are
what they would be if it had not been seen."""

import json

import pytest

# Around the number of pairs beyond which dicts are laid out otherwise (30), and small ones.
SIZES = [1, 2, 3, 7, 8, 9, 29, 30, 31, 40]


def record(size):
    return {f"key number {i}": [f"value {i}", i * 1000] for i in range(size)}


def text_of(value):
    return json.dumps(value, separators=(",", ":")).encode()


def warm(api, *sizes):
    for _ in range(3):
        for size in sizes:
            assert api.decode(text_of(record(size))) == record(size)


@pytest.mark.parametrize("size", SIZES)
def test_cut_anywhere(api, size):
    warm(api, size)
    text = text_of(record(size))
    for end in range(len(text)):
        with pytest.raises(api.DecodeError):
            api.decode(text[:end])
    assert api.decode(text) == record(size)


@pytest.mark.parametrize("before", SIZES)
def test_a_record_of_any_size_after_one_of_another(api, before):
    """A list predicts for each element what the one before it was."""
    for after in SIZES:
        for _ in range(3):
            pair = [record(before), record(after)]
            made = api.decode(text_of(pair))
            assert made == pair
            assert [list(one) for one in made] == [list(one) for one in pair]


@pytest.mark.parametrize("size", SIZES)
def test_it_ends_after_any_pair(api, size):
    warm(api, size)
    for shorter in range(size):
        for _ in range(3):  # a new sequence, seen before, and known
            assert api.decode(text_of([record(size), record(shorter)])) == [
                record(size),
                record(shorter),
            ]


@pytest.mark.parametrize("size", SIZES)
def test_another_key_in_any_place(api, size):
    warm(api, size)
    for place in range(size):
        pairs = list(record(size).items())
        pairs[place] = (f"another at {place}", None)
        for more in (0, 1, 25):
            longer = dict(pairs + [(f"more {i}", {"i": i}) for i in range(more)])
            for _ in range(3):
                assert list(api.decode(text_of([record(size), longer]))[1].items()) == list(
                    longer.items()
                )


@pytest.mark.parametrize("size", SIZES)
def test_a_broken_value_in_any_place(api, size):
    warm(api, size)
    for place in range(size):
        text = b"{"
        for i, (key, value) in enumerate(record(size).items()):
            text += text_of(key) + b":" + (b"nul," if i == place else text_of(value) + b",")
        with pytest.raises(api.DecodeError):
            api.decode(text[:-1] + b"}")
    assert api.decode(text_of(record(size))) == record(size)


def test_dicts_made_so_can_be_changed(api):
    warm(api, 7, 8)
    made = api.decode(text_of([record(8), record(7), record(8)]))
    made[1]["key number 7"] = 1
    made[1]["yet another"] = made
    del made[2]["key number 0"]
    assert list(made[1]) == [*record(8), "yet another"]
    assert made[0] == record(8)
    assert list(made[2]) == list(record(8))[1:]


# Many that fall together in any table by hash, the largest, and those at the ends of digits.
NUMBERS = sorted(
    {
        *range(250, 262),
        *(2**bits + off for bits in (10, 15, 30, 31, 32, 53, 60, 62, 63, 64) for off in (-1, 0, 1)),
        *(i << 20 for i in range(1, 700)),
    }
)


def test_numbers_of_a_field_are_those_of_the_document(api):
    """A field may share equal ints between records; never unequal ones."""
    for order in (NUMBERS, NUMBERS[::-1], [n for n in NUMBERS for _ in range(3)], NUMBERS * 3):
        records = [{"number": n, "next": n + 1, "negative": -n} for n in order]
        made = api.decode(text_of(records))
        assert made == records
        assert all(type(value) is int for one in made for value in one.values())
