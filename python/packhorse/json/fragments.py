"""JSON that is there already, to be put into what dumps and encode write."""


class Fragment:
    """A piece of JSON, as bytes or str, that is written as it is: only its UTF-8 is checked. It can not be changed."""

    __slots__ = ("contents",)

    def __init__(self, contents, /):
        object.__setattr__(self, "contents", contents)

    def __setattr__(self, name, value):
        raise AttributeError(f"a Fragment can not be changed: {name!r}")

    def __delattr__(self, name):
        raise AttributeError(f"a Fragment can not be changed: {name!r}")

    def __repr__(self):
        return f"Fragment({self.contents!r})"
