"""Years that a text names by its own time."""

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from schema.documents import Passage
from text.relative_years import list_meant_years


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("22 in the winter of 2023/24 and 4 in the last one.", ["2024"]),
        ("Last winter was mild, and the next winter will not be.", ["2024", "2026"]),
        ("Im vergangenen Jahr fielen 40 mm, vor einem Jahr 30.", ["2024"]),
        ("L'hiver dernier fut doux.", ["2024"]),
        ("El año pasado llovió poco; el próximo invierno será seco.", ["2024", "2026"]),
        ("去年冬天很冷。", ["2024"]),
        ("At last the year ended.", []),
        ("The last of the four winters was 2020/21.", []),
    ],
)
def test_last_and_next_are_told_by_the_date_of_the_text(text: str, years: list[str]) -> None:
    assert list_meant_years(text, "2025-06-26") == years
    assert list_meant_years(text, "") == []


def test_a_year_that_follows_from_a_sources_date_is_no_missing_number() -> None:
    text = "There were 38 in four winters, but 22 in the winter of 2022/23 and 4 in the last one."
    passage = Passage(chunk=1, document=1, start=0, end=len(text), text=text)
    claim = "There were 22 in the winter of 2022/23 and 4 in that of 2024/25 [1]."

    def lacks(about: list[str]) -> bool:
        sources = {1: SourcePassages([passage], "en", about)}
        return bool(check_sentences(claim, sources, "en")[0].lacking_numbers)

    assert lacks(["2025-06-26"])
    assert not lacks(["2025-06-26", *list_meant_years(text, "2025-06-26")])


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        ("The committee met in January.", "The committee met in January 2025 [1].", True),
        ("The committee met in January 2023.", "The committee met in January 2025 [1].", False),
        ("The committee met in March.", "The committee met in January 2025 [1].", False),
        ("May the committee meet?", "The committee met in May 2025 [1].", False),
    ],
)
def test_a_month_without_its_year_is_that_of_the_sources_date(
    text: str, claim: str, found: bool
) -> None:
    passage = Passage(chunk=1, document=1, start=0, end=len(text), text=text)
    sources = {1: SourcePassages([passage], "en", ["2025-02-10"])}
    assert bool(check_sentences(claim, sources, "en")[0].lacking_numbers) is not found
