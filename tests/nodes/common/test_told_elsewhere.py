"""What other sections say of a thing that one of them leaves open."""

import pytest

from nodes.common.gap_findings import Missing, Told
from nodes.common.told_elsewhere import find_told
from schema.documents import Passage
from schema.report import Section, Source


def make_section(index: int, text: str) -> Section:
    """A section that was shown two passages of one source."""
    source = Source(number=4, document=40, title="Mill", url="")
    return Section(index=index, title=f"Part {index}", text=text, sources=[source], passages=[1, 2])


PASSAGES = {
    1: Passage(chunk=1, document=40, start=0, end=9, text="Sails fly high."),
    2: Passage(chunk=2, document=40, start=9, end=70, text="A spare belt weighs 9 kilograms."),
}
TOLD = "The weight of a spare belt is 9 kilograms [4]."


def find(text: str, subject: str = "the weight of a spare belt") -> Told | None:
    drafts = [make_section(0, "The mill turns [4]."), make_section(1, text)]
    return find_told(Missing(0, subject, "It remains open."), drafts, PASSAGES, "en")


def test_a_sentence_that_cites_is_found_with_the_passage_it_cites() -> None:
    told = find(f"Sails fly [4]. {TOLD}")
    assert told == Told(TOLD, (2,), is_sure=True)


def test_a_row_is_read_with_the_head_of_its_table() -> None:
    told = find("| Part | Weight |\n| --- | --- |\n| Spare belt | 9 kilograms [4] |")
    assert told
    assert "Spare belt" in told.said


@pytest.mark.parametrize(
    "text",
    [
        "The weight of a spare belt is 9 kilograms.",
        "The weight of a spare belt remains open [4].",
        "The weight of a spare belt matters [4].",
        "The weight of a sail is 9 kilograms [4].",
    ],
)
def test_what_cites_nothing_or_tells_something_else_is_no_answer(text: str) -> None:
    assert find(text) is None


def test_its_own_section_is_not_another() -> None:
    missing = Missing(1, "the weight of a spare belt", "It remains open.")
    drafts = [make_section(0, "The mill turns [4]."), make_section(1, TOLD)]
    assert find_told(missing, drafts, PASSAGES, "en") is None


def test_what_is_told_of_no_year_is_not_sure_for_a_year() -> None:
    told = find(TOLD, "the weight of a spare belt in 2025")
    assert told
    assert not told.is_sure
