"""Encoding without the extension: what msgspec.json.encode and orjson.dumps have in common.

One loop over an explicit stack of open containers. How a value is written that the loop does not know
is for the two subclasses of Walk to say.
"""

import re

from ...location import FAILED_KEY, locate

LEVELS_MAX = 1024
END = object()

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_ESCAPES = {chr(code): f"\\u{code:04x}" for code in range(0x20)}
_ESCAPES.update({"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"})
_ESCAPES.update({'"': '\\"', "\\": "\\\\"})


class Refused(Exception):
    """Carries an exception of ours, which is to be told where it happened, to the caller."""

    def __init__(self, error, cause=None, inner=()):
        """`inner` are segments of the path behind the open containers."""
        self.error = error
        self.cause = cause
        self.inner = inner


def changed(name):
    return Refused(RuntimeError(f"{name} changed size during iteration"))


def quoted(text):
    return '"' + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) + '"'


class Frame:
    """An open container, or (without brackets) a value that stands for another one."""

    __slots__ = ("brackets", "container", "index", "is_map", "items", "key", "name", "size")

    def __init__(self, brackets, items, size, container=None, name=""):
        """`container`, unless None, must keep its size; so must what is iterated over."""
        self.brackets = brackets
        self.is_map = brackets == "{}"
        self.items = items
        self.size = size
        self.container = container
        self.name = name
        self.index = -1
        self.key = FAILED_KEY

    def check(self):
        """At the end: was everything there?"""
        if self.index + 1 != self.size:
            raise changed(self.name)
        if self.container is not None and len(self.container) != self.size:
            raise changed(self.name)


def array_frame(sequence):
    """A list or tuple, by its storage, which may change while it is read."""
    name = "list" if isinstance(sequence, list) else "tuple"
    iterate = list.__iter__ if name == "list" else tuple.__iter__
    length = list.__len__ if name == "list" else tuple.__len__
    if type(sequence).__iter__ is not iterate:
        return Frame("[]", iter(sequence), length(sequence), name=name)
    return Frame("[]", iterate(sequence), length(sequence), sequence, name)


def stand_in(value):
    return Frame("", iter((value,)), 1)


class Walk:
    """One encoding."""

    def __init__(self):
        self.parts = []
        self.stack = []

    def run(self, value, outer=()):
        """The text of a value; what is refused is raised with its path, which begins with `outer`."""
        try:
            self._loop(value)
        except Refused as refused:
            error, cause, inner = refused.error, refused.cause, refused.inner
        else:
            return "".join(self.parts)
        segments = [
            frame.key if frame.is_map else frame.index for frame in self.stack if frame.brackets
        ]
        raise locate(error, [*outer, *segments, *inner]) from cause

    def text(self, value):
        """A str in quotes; it must have a form in UTF-8."""
        try:
            str.encode(value)
        except UnicodeEncodeError as error:
            raise Refused(self.unencodable(error)) from None
        return quoted(value)

    def fragment(self, value):
        contents = value.contents
        if type(contents) is str:
            self.text(contents)
            return contents
        if type(contents) is not bytes:
            raise Refused(TypeError("Fragment's contents must be bytes or str"))
        try:
            return contents.decode()
        except UnicodeDecodeError:
            raise Refused(TypeError("Fragment's contents are not valid UTF-8")) from None

    def levels_left(self):
        return LEVELS_MAX - len(self.stack)

    def _loop(self, value):
        write = self.parts.append
        stack = self.stack
        while True:
            opened = self.value(write, value)
            if opened is not None:
                if len(stack) == LEVELS_MAX:
                    raise Refused(self.too_deep())
                write(opened.brackets[:1])
                stack.append(opened)
            while stack:
                frame = stack[-1]
                value = self._next(write, frame)
                if value is not END:
                    break
                write(frame.brackets[1:])
                stack.pop()
            else:
                return

    def _next(self, write, frame):
        """The next value of the innermost container, whose key is written then, or END."""
        item = next(frame.items, END)
        if item is END:
            frame.check()
            return END
        if frame.index + 1 == frame.size:
            raise changed(frame.name)
        frame.index += 1
        if frame.index:
            write(",")
        if not frame.is_map:
            return item
        frame.key = FAILED_KEY
        key, value = item
        write(self.text(key) if type(key) is str else self.key(key))
        write(":")
        frame.key = key
        return value

    def value(self, write, value):
        """Write a value, or return the frame of what it opens."""
        kind = type(value)
        if kind is str:
            write(self.text(value))
        elif value is None:
            write("null")
        elif kind is bool:
            write("true" if value else "false")
        elif kind is int:
            write(self.integer(value))
        elif kind is float:
            write(self.real(value))
        elif kind is list or kind is tuple:
            return array_frame(value)
        elif kind is dict:
            return self.dict_frame(value)
        else:
            return self.other(write, value)
        return None

    def dict_frame(self, mapping):
        """A dict, or an instance of a subclass, of which items() and the length are asked."""
        size = len(mapping)
        if self.sorts_keys:
            pairs = list(mapping.items())
            if len(pairs) != size:
                raise changed("dictionary")
            return Frame("{}", iter(self.in_order(pairs)), size, mapping, "dictionary")
        return Frame("{}", _stored_items(mapping), size, name="dictionary")

    def fields_frame(self, fields, in_order):
        pairs = sorted(fields.items()) if in_order else list(fields.items())
        return Frame("{}", iter(pairs), len(pairs))


def _stored_items(mapping):
    """The pairs of a dict; a change of its size is told in our words."""
    try:
        yield from mapping.items()
    except RuntimeError as error:
        # "changed size during iteration" or "keys changed during iteration", if as many went as came.
        if not re.fullmatch("dictionary (changed size|keys changed) during iteration", str(error)):
            raise
        raise changed("dictionary") from None
