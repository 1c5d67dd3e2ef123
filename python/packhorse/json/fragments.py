"""JSON that is there already, to be put into what dumps and encode write."""


class Fragment:
    """A piece of JSON, as bytes or str, that is written as it is: it is not checked."""

    __slots__ = ("contents",)

    def __init__(self, contents, /):
        self.contents = contents

    def __repr__(self):
        return f"Fragment({self.contents!r})"
