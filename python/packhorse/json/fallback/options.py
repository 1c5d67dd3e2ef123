"""The options of encode, Encoder and dumps, checked."""

OPT_ALL = (1 << 12) - 1


class EncodeOptions:
    """What encode and Encoder were given."""

    __slots__ = ("decimal_format", "enc_hook", "order", "uuid_format")

    def __init__(self, enc_hook=None, decimal_format="string", uuid_format="canonical", order=None):
        if enc_hook is not None and not callable(enc_hook):
            raise TypeError("enc_hook must be callable")
        if decimal_format not in ("string", "number") and not callable(decimal_format):
            raise ValueError(
                "`decimal_format` must be 'string', 'number', or a callable,"
                f" got {decimal_format!r}"
            )
        if uuid_format not in ("canonical", "hex"):
            raise ValueError(f"`uuid_format` must be 'canonical' or 'hex', got {uuid_format!r}")
        if order not in (None, "deterministic", "sorted"):
            raise ValueError(
                f"`order` must be one of `{{None, 'deterministic', 'sorted'}}`, got {order!r}"
            )
        self.enc_hook = enc_hook
        self.decimal_format = decimal_format
        self.uuid_format = uuid_format
        self.order = order


def dumps_bits(option):
    """The bits of the option argument of dumps."""
    if option is None:
        return 0
    if type(option) is not int or not 0 <= option <= OPT_ALL:
        raise TypeError("Invalid opts")
    return option
