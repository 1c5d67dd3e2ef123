"""Numbers: integers of every length, doubles by their bits, hard decimal cases, both ways."""

import fractions
import json
import math
import random
import struct
import sys

import pytest


def same_double(left, right):
    return struct.pack("<d", left) == struct.pack("<d", right)


def random_doubles(count, seed):
    chosen = random.Random(seed)
    data = chosen.randbytes(8 * count)
    return [value for (value,) in struct.iter_unpack("<d", data) if math.isfinite(value)]


def test_random_doubles_come_back_and_are_shortest(api):
    values = random_doubles(100_000 if api.is_compiled else 10_000, 1)
    written = api.encode(values)
    read = api.decode(written)
    assert all(map(same_double, read, values))
    texts = written[1:-1].decode().split(",")
    for text, value in zip(texts, values, strict=True):
        digits = text.lstrip("-").partition("e")[0].replace(".", "").strip("0")
        expected = repr(value).lstrip("-").partition("e")[0].replace(".", "").strip("0")
        assert digits == expected, (text, value)


def test_doubles_read_from_repr(api):
    values = random_doubles(100_000 if api.is_compiled else 10_000, 2)
    assert all(map(same_double, api.decode(repr(values)), values))
    plain = [value for value in values if 1e-300 < abs(value) < 1e300][:3000]
    text = "[" + ",".join(f"{value:.20e}" for value in plain) + "]"
    assert all(map(same_double, api.decode(text), plain))
    text = "[" + ",".join(f"{value:.400e}" for value in plain[:300]) + "]"
    assert all(map(same_double, api.decode(text), plain[:300]))


@pytest.mark.parametrize("digits", range(1, 18))
def test_decimal_fractions_of_every_length(api, digits):
    chosen = random.Random(digits)
    texts = []
    for _ in range(500):
        number = chosen.randrange(10**digits)
        scale = chosen.randrange(1, 20)
        whole, fraction = divmod(number, 10**scale)
        texts.append(f"{chosen.choice(['', '-'])}{whole}.{fraction:0{scale}}")
    for pad in ("", " " * 40):  # with and without room to read whole words
        values = api.decode("[" + ",".join(texts) + "]" + pad)
        assert all(map(same_double, values, map(float, texts)))
    assert all(same_double(api.decode(text), float(text)) for text in texts[:50])


def test_powers_of_ten_and_two(api):
    texts = [f"{sign}1e{power}" for power in range(-400, 309) for sign in ("", "-")]
    texts += [
        f"{mantissa}e{power}"
        for mantissa in ("9007199254740993", "123.456", "0.001")
        for power in range(-340, 290)
    ]
    values = api.decode("[" + ",".join(texts) + "]")
    assert all(map(same_double, values, map(float, texts)))
    powers = [2.0**power for power in range(-1074, 1024)]
    near = [
        edge
        for power in powers
        for edge in (power, math.nextafter(power, 0), math.nextafter(power, math.inf))
    ]
    near = [value for value in near if math.isfinite(value)]
    assert all(map(same_double, api.decode(api.encode(near)), near))
    assert all(map(same_double, json.loads(api.encode(near)), near))


def exact_decimal(fraction):
    """The digits of a fraction whose denominator is a power of two, all of them."""
    twos = fraction.denominator.bit_length() - 1
    digits = str(fraction.numerator * 5**twos)
    return f"{digits}e-{twos}"


@pytest.mark.parametrize("seed", range(4))
def test_halfway_between_two_doubles(api, seed):
    chosen = random.Random(seed)
    for _ in range(60):
        bits = chosen.choice(
            [chosen.getrandbits(63), chosen.getrandbits(52), chosen.getrandbits(8)]
        )
        (low,) = struct.unpack("<d", struct.pack("<Q", min(bits, 0x7FEFFFFFFFFFFFFE)))
        high = math.nextafter(low, math.inf)
        middle = (fractions.Fraction(low) + fractions.Fraction(high)) / 2
        mantissa, exponent = exact_decimal(middle).split("e")
        even = low if struct.unpack("<Q", struct.pack("<d", low))[0] % 2 == 0 else high
        assert same_double(api.decode(f"{mantissa}e{exponent}"), even)
        longer = int(exponent) - 1
        assert same_double(api.decode(f"{mantissa}1e{longer}"), high)
        assert same_double(api.decode(f"{int(mantissa) * 10 - 1}e{longer}"), low)


@pytest.mark.parametrize("digits", [17, 18, 19, 20, 21, 25, 40, 100, 300, 767, 768, 769, 800])
def test_many_digits(api, digits):
    chosen = random.Random(digits)
    for _ in range(40):
        number = "".join(chosen.choice("0123456789") for _ in range(digits)).lstrip("0") or "1"
        exponent = chosen.randrange(-330 - digits, 300 - digits)
        for text in (
            f"{number}e{exponent}",
            f"{number[0]}.{number[1:] or '0'}e{exponent}",
            f"0.{number}",
        ):
            assert same_double(api.decode(text), float(text)), text


@pytest.mark.parametrize(
    "text",
    [
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062328e-324",
        "2.4703282292062327e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "179769313486231580793e288",
        "9007199254740992.5",
        "9007199254740993.0",
        "0.1",
        "3322.1755149730398",
        "31.245270191439438",
        "-100.78399658203125",
        "1e-400",
        "-0.0",
        "-0e5",
        "0.0000000000000000000000000000000000000000000001",
        "1" + "0" * 300 + ".0",
        "0." + "0" * 400 + "1e401",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        "1e0000000000000000000000001",
    ],
)
def test_hard_cases(api, text):
    for spelled in (text, text.replace("e", "E")):
        for data in (spelled, f"[{spelled}]" + " " * 40):
            value = api.decode(data)
            assert same_double(value[0] if isinstance(value, list) else value, float(text))


@pytest.mark.parametrize(
    "text",
    [
        "1.7976931348623159e308",
        "1e309",
        "-1e309",
        "1e99999999999999999999",
        "1" + "0" * 310 + ".5",
        "9" * 400 + "e0",
    ],
)
def test_what_overflows_is_an_error(api, text):
    for data in (text, f"[{text}]" + " " * 40):
        with pytest.raises(api.DecodeError, match="number out of range"):
            api.decode(data)


LENGTHS = [*range(1, 45), 100, 308, 309, 310, 400, 1000, 2000, 4299, 4300]


@pytest.mark.parametrize("length", LENGTHS)
def test_integers_of_every_length(api, length):
    for digit in ("1", "9"):
        for number in (digit + "0" * (length - 1), digit * length, "1" * length):
            for text in (number, f"-{number}"):
                assert api.decode(text) == int(text)
                assert api.decode(f"[{text},0]" + " " * 40) == [int(text), 0]
                assert api.encode(int(text)) == text.encode()


def test_integers_longer_than_the_interpreter_allows(api):
    for text in ("1" * 4301, "-" + "9" * 5000):
        with pytest.raises(api.DecodeError, match="number out of range") as caught:
            api.decode(f"[{text}]")
        assert (caught.value.offset, caught.value.path) == (1, "$[0]")
        assert api.format(text) == text
    with pytest.raises(ValueError, match="Exceeds the limit"):
        api.encode([10**5000])


def test_the_interpreters_limit_can_be_lifted(api):
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert api.decode("7" * 6000) == int("7" * 6000)
        assert api.encode(int("7" * 6000)) == b"7" * 6000
    finally:
        sys.set_int_max_str_digits(limit)


def test_integers_at_the_edges_of_words(api):
    edges = [
        0,
        2**31,
        2**32,
        2**53,
        2**62,
        2**63,
        2**64,
        10**19,
        2**64 + 10**19,
        19999999999999999999,
        73786976294838206464,
    ]
    numbers = [sign * (edge + off) for edge in edges for off in (-1, 0, 1) for sign in (1, -1)]
    assert api.decode(repr(numbers)) == numbers
    assert all(type(value) is int for value in api.decode(repr(numbers)))
    assert api.decode(api.encode(numbers)) == numbers
    assert api.decode("-80241446968629135069") == -80241446968629135069


def test_bools_are_no_numbers_and_subclasses_are_refused(api):
    assert api.encode([True, 1, False, 0]) == b"[true,1,false,0]"
    for kind in (int, float, str):
        with pytest.raises(TypeError, match="Encoding objects of type Sub is unsupported"):
            api.encode(type("Sub", (kind,), {})())


FLOAT_TEXTS = [
    (0.0, "0.0", "0.0"),
    (-0.0, "-0.0", "-0.0"),
    (1.0, "1.0", "1.0"),
    (0.0001, "0.0001", "0.0001"),
    (0.00001, "0.00001", "0.00001"),
    (-0.000015, "-0.000015", "-0.000015"),
    (1e-6, "1e-6", "1e-6"),
    (1.5e-7, "1.5e-7", "1.5e-7"),
    (1e15, "1000000000000000.0", "1000000000000000.0"),
    (1e16, "1e16", "1e+16"),
    (123456789012345680.0, "1.2345678901234568e17", "1.2345678901234568e+17"),
    (1e22, "1e22", "1e+22"),
    (1.7976931348623157e308, "1.7976931348623157e308", "1.7976931348623157e+308"),
    (5e-324, "5e-324", "5e-324"),
    (math.nan, "null", "null"),
    (math.inf, "null", "null"),
    (-math.inf, "null", "null"),
]


@pytest.mark.parametrize(
    ("value", "encoded", "dumped"), FLOAT_TEXTS, ids=[repr(row[0]) for row in FLOAT_TEXTS]
)
def test_the_text_of_floats(api, value, encoded, dumped):
    assert api.encode(value) == encoded.encode()
    assert api.dumps(value) == dumped.encode()
    values = [value for _ in range(9)]  # PyPy loses the sign of zeros that are multiplied
    assert api.encode(values) == f"[{','.join([encoded] * 9)}]".encode()
    assert api.dumps(values) == f"[{','.join([dumped] * 9)}]".encode()


def scalar_texts(count, seed):
    chosen = random.Random(seed)
    for _ in range(count):
        kind = chosen.randrange(8)
        number = chosen.randrange(10 ** chosen.randrange(1, 21))
        if kind < 3:
            yield f"{chosen.choice(['', '-'])}{number}"
        elif kind < 6:
            yield f"{chosen.choice(['', '-'])}{number % 1000}.{number}"
        elif kind == 6:
            yield chosen.choice(["true", "false", "null"])
        else:
            yield f"{number % 100}e{number % 5}"


@pytest.mark.parametrize("comma", [",", ", ", " ,", ",\n    "])
def test_arrays_of_numbers_and_words(api, comma):
    for seed in range(200):
        text = "[" + comma.join(scalar_texts(seed % 90, seed)) + "]"
        values, wanted = api.decode(text), json.loads(text)
        assert list(map(repr, values)) == list(map(repr, wanted))


@pytest.mark.parametrize(
    "wrong", ["1-2", "01", "1.", "1.-5", "nul", "truee", "--1", "1 2", "-", "]1"]
)
def test_what_is_wrong_within_many_numbers_is_found_where_it_is(api, wrong):
    """As it is with nothing behind it, wherever it stands."""
    texts = list(scalar_texts(60, 3))
    with pytest.raises(api.DecodeError) as alone:
        api.decode(f"[0,{wrong} ,1]")
    for index in range(1, len(texts)):
        front = ",".join(texts[:index])
        text = f"[{front},{wrong} ,{','.join(texts[index:])}]" + 100 * " "
        with pytest.raises(api.DecodeError) as caught:
            api.decode(text)
        assert caught.value.offset - len(front) - 2 == alone.value.offset - 3
        steps = {f"$[{back}]": f"$[{index - 1 + back}]" for back in (1, 2)}
        path = alone.value.path
        assert caught.value.path == steps.get(path, path)


@pytest.mark.parametrize("comma", [",", ", "])
def test_rows_of_numbers(api, comma):
    chosen = random.Random(comma)
    for seed in range(200):
        texts = list(scalar_texts(seed, seed))
        rows = []
        while texts:
            size = chosen.choice([2, 2, 2, 2, chosen.randrange(5)])
            rows.append(f"[{comma.join(texts[:size])}]")
            texts = texts[size:]
        text = f'{{"rows":[{comma.join(rows)}]{100 * " "}}}'
        assert repr(api.decode(text)) == repr(json.loads(text))


@pytest.mark.parametrize("wrong", ["1-2", "01", "1.", "-", "[1]]", "1]", "],[", "1,"])
def test_what_is_wrong_within_many_rows_is_found_where_it_is(api, wrong):
    """As it is in front of no others."""
    rows = [f"[{index},-{index}.25]" for index in range(60)]
    end = 100 * " " + "]"
    with pytest.raises(api.DecodeError) as alone:
        api.decode(f"[[{wrong},0] ,0{end}")
    for index in range(1, len(rows)):
        front = ",".join(rows[:index])
        with pytest.raises(api.DecodeError) as caught:
            api.decode(f"[{front},[{wrong},0] ,{','.join(rows[index:])}{end}")
        assert caught.value.offset - len(front) - 1 == alone.value.offset
