"""What NumPy's times are in JSON, and why some of its values are refused; for the extension and the fallback."""

import sys

# Relative to 1970, as NumPy counts: the years that a datetime can have.
_FIRST_YEAR, _LAST_YEAR = 1 - 1970, 9999 - 1970
_TOO_FINE_UNITS = {"ps": "picoseconds", "fs": "femtoseconds", "as": "attoseconds"}


def plain_times(value, like_orjson):
    """The datetimes without a zone, to the microsecond, of an array or scalar of type datetime64, NaT as None.

    None for times that a datetime can not be; like_orjson: and if one is NaT or finer than a nanosecond.
    """
    none = value != value  # only NaT is
    if like_orjson and (_too_fine_unit(value) is not None or none.any()):
        return None
    if _too_fine_unit(value) is None:  # of finer units there are not enough for a year
        years = value.astype("M8[Y]").astype("i8")
        if (((years < _FIRST_YEAR) | (years > _LAST_YEAR)) & ~none).any():
            return None
    return (value.astype("M8[us]").tolist(),)


def refusal(value):
    """What orjson says of a value that was refused; None if that is no more than its type."""
    numpy = sys.modules["numpy"]
    if not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    if value.dtype.kind == "M":
        unit = _too_fine_unit(value)
        if unit is not None:
            return f"unsupported numpy.datetime64 unit: {unit}"
        what = "NaT" if (value != value).any() else "beyond datetime's years"
        return f"unrepresentable numpy.datetime64: {what}"
    if type(value) is not numpy.ndarray:
        return None
    if not value.flags.c_contiguous:
        return "numpy array is not C contiguous; use ndarray.tolist() in default"
    if not value.dtype.isnative:
        return "numpy array is not native-endianness"
    return "unsupported datatype in numpy array"


def _too_fine_unit(value):
    return _TOO_FINE_UNITS.get(value.dtype.str[-3:-1])
