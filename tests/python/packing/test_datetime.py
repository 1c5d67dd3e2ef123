"""datetime=True: aware datetimes as timestamps."""

import datetime

import pytest

UTC = datetime.UTC
EAST = datetime.timezone(datetime.timedelta(hours=9))


@pytest.mark.parametrize(
    "moment, data",
    [
        (datetime.datetime(1970, 1, 1, tzinfo=UTC), "d6ff00000000"),
        (datetime.datetime(2100, 1, 1, 1, 1, tzinfo=UTC), "d6fff486654c"),
        (
            datetime.datetime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC),
            "c70cff1dcd6500ffffffffffffffff",
        ),
        (datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), "c70cff00000000ffffffffffffffff"),
        (datetime.datetime(2024, 4, 16, 8, 43, 9, 420317, tzinfo=UTC), "d7ff64361d20661e3a1d"),
        (datetime.datetime(2024, 4, 16, 8, 43, 9, 400000, tzinfo=UTC), "d7ff5f5e1000661e3a1d"),
        (datetime.datetime(1, 1, 1, tzinfo=UTC), "c70cff00000000fffffff1886e0900"),
        (
            datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
            "c70cff3b9ac618" + "0000003afff4417f",
        ),
    ],
    ids=str,
)
def test_moments(codec, moment, data):
    assert codec.packb(moment, datetime=True).hex() == data
    assert codec.unpackb(bytes.fromhex(data), timestamp=3) == moment


def test_the_zone_is_minded(codec):
    east = datetime.datetime(1970, 1, 1, 9, tzinfo=EAST)
    assert codec.packb(east, datetime=True) == b"\xd6\xff\0\0\0\0"
    assert codec.unpackb(codec.packb(east, datetime=True), timestamp=3) == east


def test_a_zone_of_seconds_and_microseconds(codec):
    zone = datetime.timezone(datetime.timedelta(seconds=1, microseconds=1))
    moment = datetime.datetime(2000, 1, 1, tzinfo=zone)
    assert codec.unpackb(codec.packb(moment, datetime=True), timestamp=3) == moment


def test_years_at_the_edges_with_a_zone(codec):
    for moment in (
        datetime.datetime(1, 1, 1, tzinfo=EAST),
        datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=9))),
    ):
        data = codec.packb(moment, datetime=True)
        seconds = codec.unpackb(data).seconds
        expected = (
            moment.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)
        ) - moment.utcoffset()
        assert seconds == expected // datetime.timedelta(seconds=1)


def test_naive_datetimes_are_refused(codec):
    with pytest.raises(
        ValueError, match=r"(?m)^can not serialize 'datetime\.datetime' object where tzinfo=None$"
    ):
        codec.packb([datetime.datetime(2000, 1, 1)], datetime=True)


def test_naive_datetimes_are_offered_to_default_first(codec):
    moment = datetime.datetime(2000, 1, 1)
    assert codec.packb(
        moment, datetime=True, default=lambda value: value.isoformat()
    ) == codec.packb("2000-01-01T00:00:00")


def test_without_the_option_they_go_to_default(codec):
    moment = datetime.datetime(2000, 1, 1, tzinfo=UTC)
    with pytest.raises(TypeError):
        codec.packb(moment)
    assert codec.packb(moment, default=lambda value: "asked") == b"\xa5asked"


def test_subclasses_and_dates_are_not_datetimes(codec):
    class Moment(datetime.datetime):
        pass

    for value in (
        Moment(2000, 1, 1, tzinfo=UTC),
        datetime.date(2000, 1, 1),
        datetime.time(1, tzinfo=UTC),
    ):
        with pytest.raises(TypeError):
            codec.packb(value, datetime=True)


def test_a_zone_that_misbehaves(codec):
    class Broken(datetime.tzinfo):
        def utcoffset(self, moment):
            raise RuntimeError("broken zone")

    with pytest.raises(RuntimeError, match="(?m)^broken zone$"):
        codec.packb([datetime.datetime(2000, 1, 1, tzinfo=Broken())], datetime=True)


def test_microseconds_are_exact_over_a_range(codec):
    start = datetime.datetime(2024, 4, 16, 8, 43, 9, tzinfo=UTC)
    for microsecond in range(0, 1_000_000, 997):
        moment = start.replace(microsecond=microsecond)
        assert codec.unpackb(codec.packb(moment, datetime=True)).nanoseconds == microsecond * 1000
