"""The option argument of dumps is a sum of these, which have the numbers of orjson."""

OPT_INDENT_2 = 1 << 0
OPT_NAIVE_UTC = 1 << 1
OPT_NON_STR_KEYS = 1 << 2
OPT_OMIT_MICROSECONDS = 1 << 3
OPT_SERIALIZE_NUMPY = 1 << 4
OPT_SORT_KEYS = 1 << 5
OPT_STRICT_INTEGER = 1 << 6
OPT_UTC_Z = 1 << 7
OPT_PASSTHROUGH_SUBCLASS = 1 << 8
OPT_PASSTHROUGH_DATETIME = 1 << 9
OPT_APPEND_NEWLINE = 1 << 10
OPT_PASSTHROUGH_DATACLASS = 1 << 11
# orjson keeps these for old programs: both are always on.
OPT_SERIALIZE_DATACLASS = 0
OPT_SERIALIZE_UUID = 0
