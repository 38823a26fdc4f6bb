"""Figures in which sources differ, where the report says so itself."""

import pytest

from citations.told_positions import is_told
from schema.report import Conflict, ConflictKind

SENTENCE = "All users may take 14,200 cubic metres a day since 1 March 2025 [1]."


def make_conflict(kind: ConflictKind = "number") -> Conflict:
    quote = "In 2019 not more than 18,000 cubic metres are taken on any day."
    return Conflict(
        section=0, sentence=SENTENCE, cited=[1], number=4, published="", quote=quote, kind=kind
    )


@pytest.mark.parametrize(
    "text",
    [
        "The limit was 18,000 until 2022 [4] and is 14,200 now [1].",
        "| Figure | From |\n| --- | --- |\n| 18,000 | 2019 [4] |\n| 14,200 | 2025 [1] |",
    ],
)
def test_what_one_paragraph_or_table_sets_side_by_side_is_told(text: str) -> None:
    assert is_told(make_conflict(), [SENTENCE, text], "en")


@pytest.mark.parametrize(
    "text",
    [
        "The limit was 18,000 until 2022 [3] and is 14,200 now [1].",  # another source's figure
        "The limit was 18,000 until 2022 [4].\n\nIt is 14,200 now [1].",
        "The ordinance of 2019 [4] was changed in 2025 [1].",
        "The ordinance [4] is of 2019, and 14,200 may be taken since 2025 [1].",
    ],
)
def test_figures_that_stand_apart_are_not(text: str) -> None:
    assert not is_told(make_conflict(), [SENTENCE, text], "en")


def test_a_source_that_denies_is_listed_whatever_figures_stand_together() -> None:
    text = "The limit was 18,000 until 2022 [4] and is 14,200 now [1]."
    assert not is_told(make_conflict("negation"), [text], "en")
