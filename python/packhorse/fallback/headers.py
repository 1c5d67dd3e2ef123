"""The bytes of numbers and of headers, shortest form first."""

from struct import Struct

byte_uint8 = Struct(">BB").pack
byte_uint16 = Struct(">BH").pack
byte_uint32 = Struct(">BI").pack
byte_uint64 = Struct(">BQ").pack
byte_int8 = Struct(">Bb").pack
byte_int16 = Struct(">Bh").pack
byte_int32 = Struct(">Bi").pack
byte_int64 = Struct(">Bq").pack
byte_float32 = Struct(">Bf").pack
byte_float64 = Struct(">Bd").pack

_FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}

BYTE = [bytes((_number,)) for _number in range(256)]


class Fault(Exception):
    """Carries an exception of ours to where its path is known."""

    def __init__(self, error):
        self.error = error


def length_header(length, fixed, sized):
    """The header of an array or a map; `sized` is the format byte of the 16-bit form."""
    if length < 16:
        return BYTE[fixed | length]
    if length < 0x1_0000:
        return byte_uint16(sized, length)
    if length <= 0xFFFF_FFFF:
        return byte_uint32(sized + 1, length)
    raise Fault(ValueError("array too large" if fixed == 0x90 else "map too large"))


def payload_header(length, first):
    """The header of a bin; `first` is the format byte of the form with an 8-bit length."""
    if length < 0x100:
        return byte_uint8(first, length)
    if length < 0x1_0000:
        return byte_uint16(first + 1, length)
    if length <= 0xFFFF_FFFF:
        return byte_uint32(first + 2, length)
    raise Fault(ValueError(f"{length} bytes are too many for one value"))


def ext_header(code, length):
    """The header of an ext value; `code` is signed."""
    if length in _FIXEXT:
        return bytes((_FIXEXT[length], code & 0xFF))
    return payload_header(length, 0xC7) + BYTE[code & 0xFF]


def packed_int(value):
    """The bytes of an exact int; None when it is out of range."""
    if value >= 0:
        if value < 0x80:
            return BYTE[value]
        if value < 0x100:
            return byte_uint8(0xCC, value)
        if value < 0x1_0000:
            return byte_uint16(0xCD, value)
        if value < 0x1_0000_0000:
            return byte_uint32(0xCE, value)
        if value < 0x1_0000_0000_0000_0000:
            return byte_uint64(0xCF, value)
        return None
    if value >= -0x20:
        return BYTE[value + 0x100]
    if value >= -0x80:
        return byte_int8(0xD0, value)
    if value >= -0x8000:
        return byte_int16(0xD1, value)
    if value >= -0x8000_0000:
        return byte_int32(0xD2, value)
    if value >= -0x8000_0000_0000_0000:
        return byte_int64(0xD3, value)
    return None


def text_header(length, str8):
    """The header of text of 32 bytes and more; the old format has no form with an 8-bit length."""
    if length < 0x100 and str8:
        return byte_uint8(0xD9, length)
    if length < 0x1_0000:
        return byte_uint16(0xDA, length)
    if length <= 0xFFFF_FFFF:
        return byte_uint32(0xDB, length)
    raise Fault(ValueError(f"{length} bytes are too many for one value"))
