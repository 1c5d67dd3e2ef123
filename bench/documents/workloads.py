"""Generated values that show one thing each: keys, strings, numbers, nesting, bytes. Fixed seeds."""

import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = [
    "parser",
    "buffer",
    "stream",
    "codec",
    "message",
    "table",
    "column",
    "merge",
    "branch",
    "release",
    "handle",
    "index",
]
KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほ日本語文字列速度計測"
ACCENTED = "naïve café déjà vu Ünïcödé façade élève garçon über straße"


def unique_keys(maps=10_000, seed=21):
    """Maps of seven pairs, five of whose keys are found nowhere else."""
    random_source = random.Random(seed)
    return [
        {
            "id": number,
            **{"".join(random_source.choices(LETTERS, k=12)): i for i in range(5)},
            "kind": "record",
        }
        for number in range(maps)
    ]


def distinct_texts(count, seed, make):
    random_source = random.Random(seed)
    return [make(random_source) for _ in range(count)]


def short_ascii():
    return distinct_texts(50_000, 22, lambda r: "".join(r.choices(LETTERS, k=r.randrange(5, 20))))


def long_ascii():
    return distinct_texts(1_000, 23, lambda r: " ".join(r.choices(WORDS, k=600)))


def short_japanese():
    return distinct_texts(50_000, 24, lambda r: "".join(r.choices(KANA, k=r.randrange(4, 14))))


def long_japanese():
    return distinct_texts(500, 25, lambda r: "".join(r.choices(KANA, k=1_500)))


def short_latin():
    return distinct_texts(50_000, 26, lambda r: " ".join(r.choices(ACCENTED.split(), k=2)))


def emoji():
    return distinct_texts(10_000, 27, lambda r: " ".join(r.choices(WORDS, k=3)) + " 🎉")


def escapes():
    """Text that JSON has to escape: quotes, backslashes and line ends."""
    return distinct_texts(
        10_000, 28, lambda r: "\n".join('"' + w + '"' for w in r.choices(WORDS, k=8)) + "\\"
    )


def int32():
    random_source = random.Random(29)
    return [random_source.randrange(-(1 << 31), 1 << 31) for _ in range(100_000)]


def int64():
    random_source = random.Random(30)
    return [random_source.randrange(-(1 << 63), 1 << 63) for _ in range(20_000)]


def small_ints():
    random_source = random.Random(31)
    return [random_source.randrange(-32, 128) for _ in range(100_000)]


def many_floats():
    random_source = random.Random(32)
    return [random_source.uniform(-1e6, 1e6) for _ in range(100_000)]


def short_floats():
    """Prices: few digits, as people write them."""
    random_source = random.Random(33)
    return [random_source.randrange(100_000) / 100 for _ in range(20_000)]


def empty_lists():
    return [[] for _ in range(100_000)]


def empty_maps():
    return [{} for _ in range(50_000)]


def pairs():
    random_source = random.Random(34)
    return [(random_source.random(), random_source.random()) for _ in range(50_000)]


def nested(depth=100, count=200):
    """Lists and maps in turn, `depth` deep."""
    value = None
    for level in range(depth):
        value = [level, value] if level % 2 else {"level": level, "inner": value}
    return [value] * count


def ten_megabytes():
    return random.Random(35).randbytes(10_000_000)


def short_bytes():
    random_source = random.Random(36)
    return [random_source.randbytes(64) for _ in range(20_000)]


# Name of the row -> what makes its value.
BOTH_FORMATS = {
    "unique keys": unique_keys,
    "short strings, ASCII": short_ascii,
    "long strings, ASCII": long_ascii,
    "short strings, Japanese": short_japanese,
    "long strings, Japanese": long_japanese,
    "short strings, Latin": short_latin,
    "strings with one emoji": emoji,
    "100,000 small ints": small_ints,
    "100,000 32-bit ints": int32,
    "20,000 64-bit ints": int64,
    "100,000 floats": many_floats,
    "empty lists": empty_lists,
    "empty maps": empty_maps,
    "100 levels deep": nested,
}
MSGPACK_ONLY = {"10 MB of bytes": ten_megabytes, "20,000 short bytes": short_bytes}
JSON_ONLY = {"strings with escapes": escapes, "20,000 prices": short_floats}
