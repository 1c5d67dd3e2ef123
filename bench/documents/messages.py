"""Look-alike of a search among short public messages, most of them in Japanese."""

import random

from .words import hexadecimal, kana, old_moment, opaque, words

COLOURS = ["background", "link", "sidebar_border", "sidebar_fill", "text"]
SWITCHES = [
    "contributors_enabled",
    "is_translator",
    "is_translation_enabled",
    "default_profile",
    "default_profile_image",
    "following",
    "follow_request_sent",
    "notifications",
]


def member(random_source):
    """One of the people who write short public messages: 40 keys."""
    pick = random_source.randrange
    number = pick(10**7, 3 * 10**9)
    name = words(random_source, 1) + str(pick(1_000))
    image = (
        f"://images.example.com/profile_background_images/{number}/{opaque(random_source, 12)}.png"
    )
    made = {
        "id": number,
        "id_str": str(number),
        "name": kana(random_source, pick(3, 10)),
        "screen_name": name,
        "location": kana(random_source, pick(4, 12)) if random_source.random() < 0.6 else "",
        "description": kana(random_source, pick(20, 90)),
        "url": None,
        "entities": {"description": {"urls": []}},
        "protected": False,
        "followers_count": pick(5_000),
        "friends_count": pick(2_000),
        "listed_count": pick(100),
        "created_at": old_moment(random_source),
        "favourites_count": pick(10_000),
        "utc_offset": 32_400 if random_source.random() < 0.5 else None,
        "time_zone": "Tokyo" if random_source.random() < 0.5 else None,
        "geo_enabled": random_source.random() < 0.4,
        "verified": False,
        "statuses_count": pick(100_000),
        "lang": "ja",
        **{f"profile_{part}_color": hexadecimal(random_source, 6).upper() for part in COLOURS},
        "profile_background_image_url": "http" + image,
        "profile_background_image_url_https": "https" + image,
        "profile_background_tile": random_source.random() < 0.5,
        "profile_image_url": "http" + image.replace("background", "picture"),
        "profile_image_url_https": "https" + image.replace("background", "picture"),
        "profile_banner_url": f"https://images.example.com/banners/{number}/{pick(10**9)}",
        "profile_use_background_image": True,
        **dict.fromkeys(SWITCHES, False),
    }
    if random_source.random() < 0.1:
        del made["profile_banner_url"]
    if random_source.random() < 0.3:
        made["url"] = f"http://s.example/{opaque(random_source, 8)}"
        made["entities"] = {"url": {"urls": [link(random_source)]}, **made["entities"]}
    return made


def link(random_source):
    short = opaque(random_source, 8)
    return {
        "url": f"http://s.example/{short}",
        "expanded_url": f"http://www.example.com/{words(random_source, 1)}/{short}",
        "display_url": f"example.com/{short}…",
        "indices": [random_source.randrange(60), random_source.randrange(60, 140)],
    }


def picture(random_source):
    number = random_source.randrange(10**17, 10**18)
    size = {"w": 600, "h": 399, "resize": "fit"}
    return {
        "id": number,
        "id_str": str(number),
        **link(random_source),
        "media_url": f"http://images.example.com/media/{opaque(random_source, 12)}.jpg",
        "type": "photo",
        "sizes": {"medium": size, "small": dict(size), "thumb": dict(size), "large": dict(size)},
    }


def mention(random_source):
    number = random_source.randrange(10**8, 10**9)
    return {
        "screen_name": words(random_source, 1),
        "name": kana(random_source, 6),
        "id": number,
        "id_str": str(number),
        "indices": [3, random_source.randrange(10, 20)],
    }


def entities(random_source):
    """What a message mentions: not all of them have pictures."""
    pick = random_source.randrange
    made = {
        "hashtags": [],
        "symbols": [],
        "urls": [link(random_source) for _ in range(pick(2))],
        "user_mentions": [mention(random_source) for _ in range(pick(3))],
    }
    if random_source.random() < 0.2:
        made["media"] = [picture(random_source)]
    return made


def status(random_source, repeated):
    """One message; `repeated`: messages it may repeat."""
    pick = random_source.randrange
    number = 505_874_000_000_000_000 + pick(10**12)
    replies = ["status_id", "status_id_str", "user_id", "user_id_str", "screen_name"]
    made = {
        "metadata": {"result_type": "recent", "iso_language_code": "ja"},
        "created_at": old_moment(random_source),
        "id": number,
        "id_str": str(number),
        "text": kana(random_source, pick(20, 120)),
        "source": '<a href="http://example.com/download" rel="nofollow">Example for phones</a>',
        "truncated": False,
        **{f"in_reply_to_{part}": None for part in replies},
        "user": member(random_source),
        "geo": None,
        "coordinates": None,
        "place": None,
        "contributors": None,
    }
    if repeated and random_source.random() < 0.7:
        made["retweeted_status"] = random_source.choice(repeated)
    made |= {
        "retweet_count": pick(100),
        "favorite_count": pick(100),
        "entities": entities(random_source),
        "favorited": False,
        "retweeted": False,
    }
    if random_source.random() < 0.3:
        made["possibly_sensitive"] = False
    return made | {"lang": "ja"}


def statuses(count=92, seed=13):
    random_source = random.Random(seed)
    popular = [status(random_source, []) for _ in range(20)]
    return {
        "statuses": [status(random_source, popular) for _ in range(count)],
        "search_metadata": {
            "completed_in": 0.087,
            "max_id": 505_874_924_095_815_681,
            "query": "%E4%B8%80",
            "count": count,
            "since_id": 0,
        },
    }
