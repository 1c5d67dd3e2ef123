"""Words, names and addresses that the look-alike documents are filled with."""

WORDS = [
    "fix",
    "add",
    "remove",
    "refactor",
    "update",
    "parser",
    "cache",
    "buffer",
    "stream",
    "codec",
    "unpack",
    "pack",
    "type",
    "error",
    "test",
    "docs",
    "build",
    "wheel",
    "release",
    "support",
    "handle",
    "timeout",
    "retry",
    "index",
    "table",
    "column",
    "merge",
    "branch",
    "rebase",
    "async",
    "memory",
    "leak",
    "crash",
    "linux",
    "arm64",
    "notes",
    "changelog",
    "typing",
    "hints",
    "window",
    "socket",
    "thread",
    "schedule",
    "report",
]
KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろ今日本人気持言葉"
ACCENTED_NAMES = [
    "Arrière-scène central",
    "1ère catégorie",
    "Balcon côté jardin",
    "Orchestre pair",
    "Premier balcon milieu",
    "Série étendue",
]
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def words(random_source, count):
    return " ".join(random_source.choice(WORDS) for _ in range(count))


def kana(random_source, count):
    return "".join(random_source.choice(KANA) for _ in range(count))


def hexadecimal(random_source, digits=40):
    return f"{random_source.getrandbits(4 * digits):0{digits}x}"


def opaque(random_source, length):
    return "".join(random_source.choice(BASE64) for _ in range(length))


def moment(random_source):
    """A time in the form 2024-01-31T12:00:00Z."""
    pick = random_source.randrange
    date = f"{pick(2019, 2027)}-{pick(1, 13):02}-{pick(1, 29):02}"
    return f"{date}T{pick(24):02}:{pick(60):02}:{pick(60):02}Z"


def old_moment(random_source):
    """A time in the form Sun Aug 31 00:29:14 +0000 2014."""
    pick = random_source.randrange
    day = random_source.choice(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    month = random_source.choice(["Jan", "Mar", "Jun", "Aug", "Oct"])
    clock = f"{pick(24):02}:{pick(60):02}:{pick(60):02}"
    return f"{day} {month} {pick(1, 31):02} {clock} +0000 {pick(2009, 2015)}"
