"""A JSON reader written for the tests: RFC 8259 as a recursive descent over bytes, as plain as possible, and slow.

It shares nothing with the two implementations, not even the way to find mistakes: it only says whether a text is JSON, and what
it stands for.
"""


class NotJson(Exception):
    pass


def read(data):
    """The value of a text; NotJson when there is none."""
    reader = _Reader(data)
    value = reader.element()
    if reader.at != len(data):
        raise NotJson
    return value


class _Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def peek(self):
        return self.data[self.at : self.at + 1]

    def take(self):
        byte = self.peek()
        if not byte:
            raise NotJson
        self.at += 1
        return byte

    def expect(self, text):
        for byte in text:
            if self.take() != bytes([byte]):
                raise NotJson

    def space(self):
        while self.peek() in (b" ", b"\t", b"\n", b"\r"):
            self.at += 1

    def element(self):
        self.space()
        value = self.value()
        self.space()
        return value

    def value(self):
        first = self.peek()
        if first == b"{":
            return self.members()
        if first == b"[":
            return self.elements()
        if first == b'"':
            return self.string()
        for word, value in ((b"true", True), (b"false", False), (b"null", None)):
            if first == word[:1]:
                self.expect(word)
                return value
        return self.number()

    def members(self):
        self.expect(b"{")
        result = {}
        self.space()
        if self.peek() == b"}":
            self.take()
            return result
        while True:
            self.space()
            key = self.string()
            self.space()
            self.expect(b":")
            result[key] = self.element()
            end = self.take()
            if end == b"}":
                return result
            if end != b",":
                raise NotJson

    def elements(self):
        self.expect(b"[")
        result = []
        self.space()
        if self.peek() == b"]":
            self.take()
            return result
        while True:
            result.append(self.element())
            end = self.take()
            if end == b"]":
                return result
            if end != b",":
                raise NotJson

    def string(self):
        self.expect(b'"')
        units = []  # code points; escapes as they come, so that surrogates can be paired below
        raw = bytearray()

        def flush():
            try:
                units.extend((ord(letter), False) for letter in raw.decode())
            except UnicodeDecodeError:
                raise NotJson from None
            raw.clear()

        while True:
            byte = self.take()
            if byte == b'"':
                flush()
                return _join(units)
            if byte < b"\x20":
                raise NotJson
            if byte != b"\\":
                raw += byte
                continue
            flush()
            letter = self.take()
            if letter == b"u":
                digits = b"".join(self.take() for _ in range(4))
                if any(digit not in b"0123456789abcdefABCDEF" for digit in digits):
                    raise NotJson
                units.append((int(digits, 16), True))
            else:
                plain = dict(zip(b'"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True)).get(letter[0])
                if plain is None:
                    raise NotJson
                units.append((ord(plain), False))

    def digits(self):
        start = self.at
        while self.peek() and self.peek() in b"0123456789":
            self.at += 1
        if self.at == start:
            raise NotJson
        return self.data[start : self.at]

    def number(self):
        start = self.at
        if self.peek() == b"-":
            self.at += 1
        whole = self.digits()
        if len(whole) > 1 and whole[:1] == b"0":
            raise NotJson
        is_float = False
        if self.peek() == b".":
            self.at += 1
            self.digits()
            is_float = True
        if self.peek() in (b"e", b"E"):
            self.at += 1
            if self.peek() in (b"+", b"-"):
                self.at += 1
            self.digits()
            is_float = True
        text = self.data[start : self.at].decode()
        if not is_float:
            return int(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise NotJson
        return value


def _join(units):
    letters = []
    waiting = None
    for unit, is_escape in units:
        if waiting is not None:
            if not (is_escape and 0xDC00 <= unit <= 0xDFFF):
                raise NotJson
            letters.append(chr(0x10000 + (waiting - 0xD800) * 0x400 + unit - 0xDC00))
            waiting = None
        elif is_escape and 0xD800 <= unit <= 0xDBFF:
            waiting = unit
        elif is_escape and 0xDC00 <= unit <= 0xDFFF:
            raise NotJson
        else:
            letters.append(chr(unit))
    if waiting is not None:
        raise NotJson
    return "".join(letters)
