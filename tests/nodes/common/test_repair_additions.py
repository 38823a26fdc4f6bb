"""What a repair adds on a point, in the place of a sentence: all of it holds, or none."""

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.repairs import tell_repeated, undo_failed
from nodes.common.repair_additions import collect_additions, place_additions
from schema.documents import Passage
from schema.editing import AddedText, Lookup, RepairInput, Replacement
from schema.report import Section

PAGE = "After SLOW the job is taken. After BUSY it is refused. A producer waits for 250 ms."
SOURCES = {1: SourcePassages([Passage(chunk=1, document=1, start=0, end=99, text=PAGE)], "en")}
TEXT = "After SLOW the job is taken, after BUSY it is refused [1]. A producer waits for 250 ms [1]."


POINT = Lookup(
    section=0,
    sentence="",
    point=1,
    subject="",
    chunks=[],
    answered=False,
    spoken_of=False,
    told="",
)
STATE = RepairInput(
    draft=Section(index=0, title="", text=TEXT, sources=[], passages=[]),
    subject="",
    sentences=[],
    points=[POINT],
    language="en",
)


def add(text: str) -> str:
    """The section after an addition in place of its first sentence, and after its check."""
    added = {1: AddedText(point=1, text=text, after="After SLOW", instead=True)}
    additions = collect_additions(STATE, added, {1}, SOURCES)
    placed, _ = place_additions(STATE, added, additions, TEXT, [])
    found = check_sentences(placed, SOURCES, "en")
    return undo_failed(placed, additions[1], found, [False] * len(additions[1]))[0]


def test_what_holds_takes_the_place_of_the_sentence() -> None:
    said = "After SLOW the job is taken [1]. After BUSY it is refused [1]."
    assert add(said) == TEXT.replace(TEXT.partition(" A producer")[0], said)


def test_where_a_part_does_not_hold_the_sentence_comes_back() -> None:
    assert add("After SLOW the job is taken [1]. After BUSY whales sing for 9 days [1].") == TEXT


def test_what_the_report_says_elsewhere_is_not_added_and_its_point_is_told() -> None:
    said = ["A producer waits for 250 ms [1].", "The producer waits for 250 ms [1]."]
    new = "After BUSY the job is refused [1]."
    text = f"After SLOW the job is taken [1]. {said[1]} {new}"
    made = [Replacement(before="", after=one, point=2, gap="") for one in (said[1], new)]
    found = check_sentences(text, SOURCES, "en")
    other = check_sentences(said[0], SOURCES, "en")
    first, repeated = tell_repeated([[], made], [other, found], "en")
    assert (first, repeated) == ([], [True, False])
    left, held = undo_failed(text, made, found, repeated)
    assert left == f"After SLOW the job is taken [1]. {new}"
    assert held == made


@pytest.mark.parametrize("sums", [["4 × 250 = 1,000"], []])
def test_what_is_worked_out_of_an_addition_stands_and_falls_with_it(sums: list[str]) -> None:
    cited, worked_out = "A producer waits for 250 ms [1].", "Four waits thus take 1,000 ms."
    added = {1: AddedText(point=1, text=f"{cited} {worked_out}", after="", sums=sums)}
    [[one]] = collect_additions(STATE, added, {1}, SOURCES).values()
    assert one["after"] == (f"{cited} {worked_out}" if sums else cited)


def test_the_second_of_two_additions_that_say_the_same_is_left_out() -> None:
    new = "After BUSY the job is refused [1]."
    made = [Replacement(before="", after=new, point=n, gap="") for n in (1, 2)]
    found = check_sentences(f"{new} {new}", SOURCES, "en")
    assert tell_repeated([made], [found], "en") == [[False, True]]


def test_an_addition_that_does_not_hold_does_not_make_another_one_a_repeat() -> None:
    wrong, right = "After BUSY the job is refused [2].", "After BUSY the job is refused [1]."
    sources = SOURCES | {
        2: SourcePassages([Passage(chunk=2, document=2, start=0, end=7, text="Whales.")], "en")
    }
    made = [Replacement(before="", after=one, point=1, gap="") for one in (wrong, right)]
    found = check_sentences(f"{wrong} {right}", sources, "en")
    assert tell_repeated([made], [found], "en") == [[False, False]]
