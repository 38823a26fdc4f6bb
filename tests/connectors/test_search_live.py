"""What is known to be older than a day is left out, as precisely as its date is known."""

from calendar import monthrange
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.search_live import drop_older
from schema.documents import Document


def kept(published: str, since: str) -> bool:
    document = Document(uri="a", text="Wind.", connector="shelf", published=published)
    return drop_older([document], since) == [document]


@pytest.mark.parametrize(
    ("published", "is_kept"),
    [
        ("2025-06-01", True),
        ("2025-05-31", False),
        ("2025-06", True),
        ("2025-05", False),
        ("2025", True),
        ("2024", False),
        ("2025-06-01T00:00:00Z", True),
        ("2025-05-31T23:59:59Z", False),
    ],
)
def test_a_date_before_the_day_is_left_out(published: str, is_kept: bool) -> None:
    assert kept(published, "2025-06-01") is is_kept


@pytest.mark.parametrize("published", ["", "soon", "1 May 2024", "20240501", "2024-5-1", "19999"])
def test_what_has_no_date_that_is_known_is_kept(published: str) -> None:
    assert kept(published, "2025-06-01")


@given(st.dates(), st.dates(), st.sampled_from([4, 7, 10]))
def test_a_year_or_a_month_counts_as_its_last_day(day: date, since: date, precision: int) -> None:
    last = {
        4: day.replace(month=12, day=31),
        7: day.replace(day=monthrange(day.year, day.month)[1]),
        10: day,
    }[precision]
    assert kept(day.isoformat()[:precision], since.isoformat()) == (last >= since)


@given(st.dates())
def test_without_a_day_nothing_is_left_out(day: date) -> None:
    assert kept(day.isoformat(), "")
