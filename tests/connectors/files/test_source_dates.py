"""Dates as sources write them become days."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.files.dates import iso_date


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01",
        " 2024-05-01\n",
        "20240501",
        "2024-05-01T10:00:00Z",
        "2024-05-01 10:00:00+02:00",
        "Wed, 01 May 2024 10:00:00 GMT",
        "1 May 2024 10:00:00 +0200",
    ],
)
def test_a_date_becomes_its_day(text: str) -> None:
    assert iso_date(text) == "2024-05-01"


@pytest.mark.parametrize("text", ["", "yesterday", "2024", "2024-13-45", "Mon, 40 Jan 2024 1:2:3"])
def test_what_is_no_date_becomes_nothing(text: str) -> None:
    assert iso_date(text) == ""


@pytest.mark.parametrize(
    "text", ["1 Jan 99999999999999999999 00:00:00", "Mon, 1 Jan 2024 00:00:00 +99999999999999999"]
)
def test_numbers_too_large_for_a_date_become_nothing(text: str) -> None:
    assert iso_date(text) == ""


@given(st.text(alphabet="0123456789 :+-,.TWZFebJanMon", max_size=40))
def test_any_text_is_a_day_or_nothing(text: str) -> None:
    day = iso_date(text)
    assert day == "" or iso_date(day) == day
