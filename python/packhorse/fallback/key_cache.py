"""Map keys that were read before, by their bytes: a repeated key costs a look-up, not a decode.

The cache is a plain dict, so that a hit is one call.  It is bounded: when it is full it is emptied,
so keys that come once do not stay in the way of those that repeat; and when fewer keys were found
in it than were put in, it steps aside for a while.  A cache belongs to one Unpacker, or to the
interpreter for unpackb where a global lock protects it; otherwise to one call.
"""

import sys

_ENTRIES_MAX = 512
# How many keys are read without the cache after a generation in which it did not pay.
_PAUSE_KEYS = 8 * _ENTRIES_MAX

_global_lock = getattr(sys, "_is_gil_enabled", lambda: True)()


def _same(text):
    return text


# Interned strings live for ever in CPython 3.12 and in builds without a global lock: keys chosen by
# whoever sends the data must not go there.  On PyPy a second equal str costs less than interning.
if sys.implementation.name == "cpython" and _global_lock and sys.version_info[:2] != (3, 12):
    intern_key = sys.intern
else:
    intern_key = _same


class KeyCache:
    """`entries` maps the UTF-8 of a short key to its str; read it only while `open`."""

    __slots__ = ("entries", "hits", "keys_to_pass", "open")

    def __init__(self):
        self.entries = {}
        self.hits = 0  # of this generation
        self.open = True
        self.keys_to_pass = 0  # before a closed cache opens again

    def add(self, raw, text, hits):
        """The str to use for a key that was not found; it is remembered.

        `hits` keys were found between the last one that was not and this.
        """
        entries = self.entries
        known = entries.get(raw)
        if known is not None:  # as a key inside its own value, for instance
            return known
        key = intern_key(text)
        self.hits += hits
        if len(entries) >= _ENTRIES_MAX:
            if self.hits < _ENTRIES_MAX:
                self.open = False
                self.keys_to_pass = _PAUSE_KEYS
            self.hits = 0
            entries.clear()
        entries[raw] = key
        return key

    def passed(self, count):
        """Count keys that are read while the cache is closed; True when it is open again."""
        self.keys_to_pass -= count
        self.open = self.keys_to_pass <= 0
        return self.open


_shared = KeyCache() if _global_lock else None


def shared_key_cache():
    """The cache for one call of unpackb."""
    return KeyCache() if _shared is None else _shared
