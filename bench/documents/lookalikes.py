"""Look-alikes of the usual benchmark documents: same shape and size, made from fixed seeds.

The figures they imitate: pulls 5.06 MB of MessagePack, 110,000 keys of 145 names in 7,300 maps of
nine shapes, every seventh of 76,000 texts distinct; twitter 0.40 MB, 1,264 maps of 25 shapes, every
sixth text not ASCII; citm 0.34 MB, 11,000 small maps and 8,700 empty lists; canada 1.06 MB, 111,000
floats in pairs; github_events 49 kB in 180 maps of 24 shapes.
"""

import random

from .messages import statuses
from .services import events, pulls
from .words import ACCENTED_NAMES, words

CATEGORIES = ["alpha", "beta", "gamma", "delta", "pending", "shipped", "returned", "cancelled"]


def immediates(repeats=100, seed=3):
    """Values of one byte, and a 16-bit int in six: 600 in all."""
    random_source = random.Random(seed)
    values = []
    for _ in range(repeats):
        values += [random_source.randrange(128), -random_source.randrange(31), None, True, False]
        values.append(random_source.randrange(65_536))
    return values


def ints(seed=4):
    random_source = random.Random(seed)
    return [random_source.randrange(20_000) for _ in range(10_000)]


def floats(seed=5):
    random_source = random.Random(seed)
    return [random_source.random() for _ in range(10_000)]


def rows(count=100_000, seed=6):
    """A table: the same eight keys in every row."""
    random_source = random.Random(seed)
    return [
        {
            "id": number,
            "name": f"user{random_source.randrange(10**6):06}",
            "email": f"u{random_source.randrange(10**6)}@example.com",
            "score": random_source.random() * 100,
            "active": random_source.random() < 0.5,
            "category": random_source.choice(CATEGORIES),
            "count": random_source.randrange(100_000),
            "parent": None if random_source.random() < 0.5 else random_source.randrange(count),
        }
        for number in range(count)
    ]


def small9(count=10_000, seed=8):
    """Messages of nine keys, 79 bytes each."""
    random_source = random.Random(seed)
    return [
        {
            "compact": True,
            "schema": number % 128,
            "id": random_source.randrange(1 << 31),
            "name": f"n{random_source.randrange(1000)}",
            "ok": False,
            "ratio": random_source.random(),
            "tags": ["a", "b"],
            "next": None,
            "ts": 1_700_000_000 + number,
        }
        for number in range(count)
    ]


def small1(count=10_000):
    return [{"k": number} for number in range(count)]


def outline(seed=10):
    """A country's coast in 480 polygons: almost nothing but floats in pairs."""
    random_source = random.Random(seed)
    polygons = []
    left = 55_563
    for polygon in range(480):
        points = left if polygon == 479 else min(left, int(random_source.expovariate(1 / 115)) + 3)
        left -= points
        at = [random_source.uniform(-141, -52), random_source.uniform(42, 83)]
        ring = []
        for _ in range(points):
            east, north = random_source.uniform(-0.05, 0.05), random_source.uniform(-0.03, 0.03)
            at = [at[0] + east, at[1] + north]
            ring.append(at)
        polygons.append(ring)
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"name": "Elsewhere"},
                "geometry": {"type": "Polygon", "coordinates": polygons},
            }
        ],
    }


def _numbered(random_source, count, make):
    return {str(random_source.randrange(205_705_993, 342_752_792)): make() for _ in range(count)}


def catalogue(seed=11):
    """A concert hall's season: many small maps of large ints, and very many empty lists."""
    random_source = random.Random(seed)

    def number():
        return random_source.randrange(205_705_993, 342_752_792)

    def name():
        return random_source.choice(ACCENTED_NAMES)

    def category(areas):
        return {
            "areas": [{"areaId": number(), "blockIds": []} for _ in range(areas)],
            "seatCategoryId": number(),
        }

    def price():
        return {
            "amount": random_source.randrange(10, 300) * 500,
            "audienceSubCategoryId": 337_100_890,
            "seatCategoryId": number(),
        }

    def event():
        made = number()
        return {
            "description": None,
            "id": made,
            "logo": "/images/" + words(random_source, 1) if random_source.random() < 0.5 else None,
            "name": words(random_source, 4).title(),
            "subTopicIds": [number() for _ in range(3)],
            "subjectCode": None,
            "subtitle": None,
            "topicIds": [number() for _ in range(2)],
        }

    def performance():
        categories = random_source.choice([1, 3, 5, 6])
        return {
            "eventId": number(),
            "id": number(),
            "logo": None,
            "name": None,
            "prices": [price() for _ in range(categories)],
            "seatCategories": [
                category(random_source.choice([5, 8, 16])) for _ in range(categories)
            ],
            "seatMapImage": None,
            "start": 1_372_701_600_000 + random_source.randrange(10_000) * 1_000_000,
            "venueCode": "PLEYEL_PLEYEL",
        }

    return {
        "areaNames": _numbered(random_source, 17, name),
        "audienceSubCategoryNames": {"337100890": "Abonné"},
        "blockNames": {},
        "events": _numbered(random_source, 184, event),
        "performances": [performance() for _ in range(243)],
        "seatCategoryNames": _numbered(random_source, 64, name),
        "subTopicNames": _numbered(random_source, 19, name),
        "subjectNames": {},
        "topicNames": _numbered(random_source, 4, name),
        "topicSubTopics": _numbered(random_source, 4, lambda: [number() for _ in range(5)]),
        "venueNames": {"PLEYEL_PLEYEL": "Salle de concert"},
    }


DOCUMENTS = {
    "pulls": pulls,
    "twitter": statuses,
    "citm": catalogue,
    "canada": outline,
    "github_events": events,
    "rows": rows,
    "ints": ints,
    "floats": floats,
    "immediates": immediates,
    "small9": small9,
    "small1": small1,
}
