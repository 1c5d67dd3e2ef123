"""The tokens of JSON in bytes: white space, strings and numbers, with the place of every mistake."""

import re
from functools import partial

_SPACE = re.compile(rb"[ \t\n\r]*").match
_DIGITS = re.compile(rb"[0-9]*").match
_CLEAN = re.compile(rb'[^"\\\x00-\x1f]*').match
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?").match
_COMMENT_END = re.compile(rb"\*/").search
_LETTERS = {
    ord('"'): '"',
    ord("\\"): "\\",
    ord("/"): "/",
    ord("b"): "\b",
    ord("f"): "\f",
    ord("n"): "\n",
    ord("r"): "\r",
    ord("t"): "\t",
}
_HEX = frozenset(b"0123456789abcdefABCDEF")

TRUNCATED = "Input data was truncated"
BAD_UTF8 = "Invalid UTF-8 encoded string"


class Fault(Exception):
    """A mistake at a byte; `text` is what DecodeError will say, with its %d for that byte."""

    def __init__(self, text, position):
        self.text = text
        self.position = position


def _malformed(why, position):
    return Fault(f"JSON is malformed: {why} (byte %d)", position)


bad_character = partial(_malformed, "invalid character")
bad_number = partial(_malformed, "invalid number")
bad_escape = partial(_malformed, "invalid escape character in string")
bad_hex = partial(_malformed, "invalid character in unicode escape")
bad_surrogate = partial(_malformed, "invalid utf-16 surrogate pair")
bad_key = partial(_malformed, "object keys must be strings")
no_colon = partial(_malformed, "expected ':'")
no_array_comma = partial(_malformed, "expected ',' or ']'")
no_map_comma = partial(_malformed, "expected ',' or '}'")
trailing_in_array = partial(_malformed, "trailing comma in array")
trailing_in_map = partial(_malformed, "trailing comma in object")
out_of_range = partial(_malformed, "number out of range")
duplicate_key = partial(_malformed, "a key occurs twice in one object")
extra_data = partial(_malformed, "trailing characters")


def too_deep(position):
    return Fault("JSON is refused: containers are nested too deeply (byte %d)", position)


def truncated(position):
    return Fault(TRUNCATED, position)


def skip_space(data, position):
    return _SPACE(data, position).end()


def skip_space_and_comments(data, position):
    """A comment that is not closed ends with the text."""
    while True:
        position = _SPACE(data, position).end()
        opening = data[position : position + 2]
        if opening == b"//":
            end = data.find(b"\n", position)
            position = len(data) if end < 0 else end
        elif opening == b"/*":
            closing = _COMMENT_END(data, position + 2)
            position = len(data) if closing is None else closing.end()
        else:
            return position


def string_end(data, start):
    """The closing quote of a string whose text begins at `start`, and whether it has escapes."""
    position = start
    escaped = False
    size = len(data)
    while True:
        position = _CLEAN(data, position).end()
        if position == size:
            raise truncated(size)
        byte = data[position]
        if byte == 0x22:
            return position, escaped
        if byte != 0x5C:
            raise bad_character(position)
        escaped = True
        position += 1
        if position == size:
            raise truncated(size)
        if data[position] < 0x20:
            raise bad_escape(position)
        position += 1


def _unit(data, position, end):
    """Four hexadecimal digits."""
    for place in range(position, position + 4):
        if place >= end or data[place] not in _HEX:
            raise bad_hex(place)
    return int(data[position : position + 4], 16)


def _unescape(data, position, end):
    """The parts of the text from `position` to `end`, which is valid UTF-8."""
    while position < end:
        escape = data.find(b"\\", position, end)
        if escape < 0:
            yield data[position:end].decode()
            return
        yield data[position:escape].decode()
        letter = data[escape + 1] if escape + 1 < end else -1
        position = escape + 2
        if letter != 0x75:
            if letter not in _LETTERS:
                raise bad_escape(escape + 1)
            yield _LETTERS[letter]
            continue
        unit = _unit(data, position, end)
        position += 4
        if 0xD800 <= unit <= 0xDFFF:
            if unit >= 0xDC00 or position + 2 > end or data[position : position + 2] != b"\\u":
                raise bad_surrogate(escape)
            partner = _unit(data, position + 2, end)
            if not 0xDC00 <= partner <= 0xDFFF:
                raise bad_surrogate(escape)
            unit = 0x10000 + ((unit & 0x3FF) << 10 | (partner & 0x3FF))
            position += 6
        yield chr(unit)


def string_value(data, start, end, escaped):
    """The text between the quotes."""
    try:
        text = data[start:end].decode()
    except UnicodeDecodeError as error:
        raise Fault(BAD_UTF8, start + error.start) from None
    return "".join(_unescape(data, start, end)) if escaped else text


def _number_fault(data, position):
    """What is wrong with a number that does not match."""
    size = len(data)

    def refuse(place):
        return truncated(place) if place == size else bad_number(place)

    first = position + (data[position] == 0x2D)
    end = _DIGITS(data, first).end()
    if end == first:
        return refuse(end)
    if data[first] == 0x30 and end - first > 1:
        return refuse(first + 1)
    if data[end] == 0x2E:
        fraction = end + 1
        end = _DIGITS(data, fraction).end()
        if end == fraction:
            return refuse(end)
    exponent = end + 1
    exponent += data[exponent : exponent + 1] in (b"+", b"-")
    return refuse(exponent)


def number_value(data, position, float_hook, as_text=False):
    """The number that begins at `position`, or its text only, and where it ends."""
    match = _NUMBER(data, position)
    if match is None or (match.end() < len(data) and _continues(match, data[match.end()])):
        raise _number_fault(data, position)
    text = match[0]
    if as_text:
        return text, match.end()
    if match[1] is None and match[2] is None:
        try:
            return int(text), match.end()
        except ValueError:  # more digits than the interpreter allows
            raise out_of_range(position) from None
    if float_hook is not None:
        return float_hook(text.decode()), match.end()
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise out_of_range(position)
    return value, match.end()


def _continues(match, following):
    """Does the byte behind a match show that more was meant to belong to the number?"""
    if following in b"eE":
        return match[2] is None
    if following == 0x2E:
        return match[1] is None and match[2] is None
    return 0x30 <= following <= 0x39


def word_fault(data, position):
    """What is wrong where a value should begin."""
    for word in (b"true", b"false", b"null"):
        if data[position] == word[0]:
            while position < len(data) and data[position] == word[0]:
                position += 1
                word = word[1:] or b"\0"
            break
    return truncated(position) if position == len(data) else bad_character(position)
