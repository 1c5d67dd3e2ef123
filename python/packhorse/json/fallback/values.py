"""The text of dates, times, durations, UUIDs and numbers, and the fields of objects."""

import sys

from ..numpy_values import plain_times

MINUTES_MAX = 24 * 60 - 1


def imported(module, name):
    """A class of a module that somebody has imported, else None: there can be no instance of it."""
    return getattr(sys.modules.get(module), name, None)


def is_enum_member(value):
    enum_type = imported("enum", "EnumMeta")
    return enum_type is not None and isinstance(type(value), enum_type)


def _offset_text(offset, utc_as_z):
    """±hh:mm, rounded to minutes and never a whole day."""
    seconds = offset.days * 86400 + offset.seconds
    minutes = min((abs(seconds) + 29) // 60, MINUTES_MAX)
    if minutes == 0 and utc_as_z:
        return "Z"
    sign = "-" if seconds < 0 and minutes else "+"
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"


def date_text(value):
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def time_text(value, offset, utc_as_z=True, with_microseconds=True):
    text = f"{value.hour:02}:{value.minute:02}:{value.second:02}"
    if value.microsecond and with_microseconds:
        text += f".{value.microsecond:06}"
    return text if offset is None else text + _offset_text(offset, utc_as_z)


def duration_text(value):
    """Days and seconds, as in P1DT30.5S."""
    microseconds = (value.days * 86400 + value.seconds) * 1_000_000 + value.microseconds
    sign = "-" if microseconds < 0 else ""
    seconds, fraction = divmod(abs(microseconds), 1_000_000)
    days, seconds = divmod(seconds, 86400)
    text = f"{sign}P{days}D" if days or not (seconds or fraction) else f"{sign}P"
    if seconds or fraction:
        text += f"T{seconds}"
        if fraction:
            text += "." + f"{fraction:06}".rstrip("0")
        text += "S"
    return text


def float_text(value, plus_sign):
    """The shortest text that reads back as the same double; finite numbers only."""
    text = float.__repr__(value)
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    power = int(exponent)
    if power == -5:
        sign = "-" if mantissa[0] == "-" else ""
        return f"{sign}0.0000{mantissa.lstrip('-').replace('.', '')}"
    return f"{mantissa}e{'+' if power > 0 and plus_sign else ''}{power}"


def is_dataclass(value):
    return not isinstance(value, type) and isinstance(
        getattr(type(value), "__dataclass_fields__", None), dict
    )


def _in_classes(kind, name):
    """What a class or one of its bases holds under a name, without asking descriptors."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def _has_plain_lookup(kind):
    own = _in_classes(kind, "__getattribute__") is not object.__dict__["__getattribute__"]
    return not own and _in_classes(kind, "__getattr__") is None


def _declared_in(value):
    """The __dataclass_fields__ of an instance; None when it is no dict, or not there."""
    kind = type(value)
    declared = None if isinstance(value, type) else _in_classes(kind, "__dataclass_fields__")
    if declared is None or (_has_plain_lookup(kind) and isinstance(declared, dict)):
        return declared
    try:
        declared = value.__dataclass_fields__
    except (AttributeError, KeyError):
        return None
    return declared if isinstance(declared, dict) else None


def dataclass_fields(value):
    """The declared fields of an instance, as msgspec takes them, without those that only the class has
    a value for; None when it is no instance of a dataclass.
    """
    declared = _declared_in(value)
    if declared is None:
        return None
    kind = type(value)
    plain = _has_plain_lookup(kind)
    held = getattr(value, "__dict__", None) if plain else None
    held = held if isinstance(held, dict) else {}
    fields = {}
    for name, field in list(dict.items(declared)):
        if type(name) is not str:
            continue
        if name in held:
            fields[name] = held[name]
        elif _is_data_descriptor(_in_classes(kind, name)) if plain else _is_field(field):
            _add_attribute(fields, value, name)
    return fields


def _is_data_descriptor(value):
    kind = type(value)
    return hasattr(kind, "__get__") and (hasattr(kind, "__set__") or hasattr(kind, "__delete__"))


def _is_field(field):
    """Is it a field, and no ClassVar or InitVar?"""
    return getattr(getattr(field, "_field_type", None), "name", None) == "_FIELD"


def is_attrs(value):
    return not isinstance(value, type) and isinstance(
        getattr(type(value), "__attrs_attrs__", None), tuple
    )


def _add_attribute(fields, value, name):
    try:
        fields[name] = getattr(value, name)
    except (AttributeError, KeyError):
        pass


def _public_dataclass_fields(value):
    """What is declared as a field, and there, under names without leading underscore."""
    fields = {}
    for name, field in list(type(value).__dataclass_fields__.items()):
        if _is_field(field) and not name.startswith("_"):
            _add_attribute(fields, value, name)
    return fields


def _instance_attributes(value):
    """What __dict__ holds under names without leading underscore; None without a __dict__."""
    attributes = getattr(value, "__dict__", None)
    if not isinstance(attributes, dict):
        return None
    return {
        name: attribute
        for name, attribute in attributes.copy().items()
        if isinstance(name, str) and not name.startswith("_")
    }


def dataclass_attributes(value):
    """What an instance holds, as orjson takes it. With slots, a __dict__ of a base has not all of it."""
    has_slots = "__slots__" in vars(type(value))
    attributes = None if has_slots else _instance_attributes(value)
    return _public_dataclass_fields(value) if attributes is None else attributes


def attrs_fields(value):
    """What __dict__ holds, then the slots of the class and of its bases, as msgspec orders them."""
    fields = _instance_attributes(value) or {}
    kind = type(value)
    while kind is not None:
        slots = kind.__dict__.get("__slots__", ())
        for name in sorted((slots,) if isinstance(slots, str) else slots):
            if isinstance(name, str) and not name.startswith("_"):
                _add_attribute(fields, value, name)
        kind = kind.__base__
    return fields


def is_fragment(value):
    return type(value) is imported("packhorse.json.fragments", "Fragment")


def is_numpy(value):
    array = imported("numpy", "ndarray")
    scalar = imported("numpy", "generic")
    return array is not None and (type(value) is array or isinstance(value, scalar))


def plain_of_numpy(value, like_orjson):
    """A NumPy array or scalar as plain objects, in a tuple; None for what JSON does not have."""
    kind = value.dtype.kind
    if kind == "M":
        return plain_times(value, like_orjson)
    if type(value) is imported("numpy", "ndarray"):
        if not (value.flags.c_contiguous and value.dtype.isnative):
            return None
        if like_orjson and value.ndim == 0:
            return None
    if kind in "biu":
        return (value.tolist(),)
    if kind == "f" and value.dtype.itemsize <= 8:
        return (_floats(value.tolist(), value.dtype.itemsize),)
    return None


def _floats(plain, size):
    """Narrow floats by the shortest text for their precision, half ones for that of a single float."""
    if size == 8:
        return plain
    if isinstance(plain, list):
        return [_floats(item, size) for item in plain]
    return float(str(imported("numpy", "float32")(plain)))
