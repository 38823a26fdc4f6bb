"""Figures that are worked out and stand before a mark."""

import pytest

from citations.evidence_span import SourcePassages
from citations.figures_before_marks import find_worked_out
from schema.documents import Passage

SUMS = ["7 × 750 = 5,250", "3,000 / 1,500 = 2", "14,200 - 14,000 = 200"]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("It costs 5,250 euro more, less than two limes at 3,400 euro each [1].", ["5,250 euro"]),
        ("It lies 200 above, and 5,250 are spent [1].", ["200", "5,250"]),
        ("Two limes cost 3,400 euro each [1], and it costs 5,250 euro more.", []),
        ("It costs 5,250 euro more.", []),
        ("A sawmill needs 2 filters [1].", []),
        ("A lime costs 3,400 euro [1].", []),
    ],
)
def test_a_figure_of_a_sum_is_found_where_a_mark_stands_behind_it(
    sentence: str, found: list[str]
) -> None:
    assert find_worked_out(sentence, SUMS, {}, "en") == found
    assert find_worked_out(sentence, [], {}, "en") == []


def test_a_figure_that_a_cited_source_gives_is_not_worked_out() -> None:
    text = "The exchange adds 5,250 euro."
    read = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(text), text=text)], "en")
    sentence = "It lies 200 above, and 5,250 euro are spent [1]."
    assert find_worked_out(sentence, SUMS, {1: read}, "en") == ["200"]
    assert find_worked_out(sentence, SUMS, {2: read}, "en") == ["200", "5,250 euro"]
