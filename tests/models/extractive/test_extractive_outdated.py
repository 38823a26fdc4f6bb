"""Figures that a newer source replaces, and those that stay with their year."""

import pytest
from extractive_prompts import written

from prompts.template import SourceText

ASKED = ["How much water may be taken from the lake a day?"]
OLD = "The mayor says that 18,000 cubic metres of water may be taken a day."


def _source(number: int, text: str, published: str) -> SourceText:
    return SourceText(number, "Water from the lake", (text,), published=published)


@pytest.mark.parametrize(
    "newer",
    [
        "Statements that 18,000 cubic metres may be taken refer to the state before 9 May 2022.",
        "The limit of water was lowered from 18,000 to 14,200 cubic metres a day.",
        "The council says that 14,200 cubic metres of water may be taken a day by the mayor.",
        'In § 2 of the ordinance on water "18,000 cubic metres" is replaced by "14,200".',
    ],
)
def test_a_figure_that_a_newer_source_replaces_is_left_out(newer: str) -> None:
    before, after = _source(1, OLD, "2025-02-10"), _source(2, newer, "2025-05-19")
    text = written([before, after], ASKED, words=120)
    assert "The mayor says" not in text
    assert newer[:30] in text


def test_a_figure_stays_where_the_source_that_gives_another_is_older() -> None:
    newer = "The limit of water was lowered from 18,000 to 14,200 cubic metres a day."
    sources = [_source(1, OLD, "2025-02-10"), _source(2, newer, "2024-05-19")]
    assert "The mayor says" in written(sources, ASKED, words=120)


def test_an_old_figure_stays_with_its_year() -> None:
    dated = "By an ordinance of 2019 up to 18,000 cubic metres of water may be taken a day."
    newer = "The limit of water was lowered from 18,000 to 14,200 cubic metres a day."
    sources = [_source(1, dated, "2023-02-10"), _source(2, newer, "2025-05-19")]
    assert "By an ordinance of 2019" in written(sources, ASKED, words=120)


def test_a_price_of_before_the_day_since_when_others_apply_is_left_out() -> None:
    price = "A ride on a hired cycle costs 1.20 to unlock."
    asked = ["What does a ride on a hired cycle cost?"]
    since = "All costs of a ride have applied since 1 March 2024."
    tables = "Electric cycles cost 1.00 more for each ride on a hired cycle."
    old = _source(1, price, "2024-01-18")
    again = _source(2, price, "2025-03-03")
    new = _source(3, f"{since} {tables}", "2025-01-15")
    text = written([old, again, new], asked, words=120)
    assert "1.20" not in text
    assert "Electric cycles" in text
    assert "1.20" in written([again, new], asked, words=120)
