"""What a repair adds on a point, in the place of a sentence: all of it holds, or none."""

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.repairs import undo_failed
from nodes.common.repair_additions import collect_additions, place_additions
from schema.documents import Passage
from schema.editing import AddedText, Lookup, RepairInput
from schema.report import Section

PAGE = "After SLOW the job is taken. After BUSY it is refused. A producer waits for 250 ms."
SOURCES = {1: SourcePassages([Passage(chunk=1, document=1, start=0, end=99, text=PAGE)], "en")}
TEXT = "After SLOW the job is taken, after BUSY it is refused [1]. A producer waits for 250 ms [1]."


def add(text: str) -> str:
    """The section after an addition in place of its first sentence, and after its check."""
    point = Lookup(
        section=0, sentence="", point=1, subject="", chunks=[], answered=False,
        spoken_of=False, told="",
    )  # fmt: skip
    draft = Section(index=0, title="", text=TEXT, sources=[], passages=[])
    state = RepairInput(draft=draft, subject="", sentences=[], points=[point], language="en")
    added = {1: AddedText(point=1, text=text, after="After SLOW", instead=True)}
    additions = collect_additions(state, added, {1}, SOURCES)
    placed, _ = place_additions(state, added, additions, TEXT, [])
    found = check_sentences(placed, SOURCES, "en")
    return undo_failed(placed, additions[1], found)[0]


def test_what_holds_takes_the_place_of_the_sentence() -> None:
    said = "After SLOW the job is taken [1]. After BUSY it is refused [1]."
    assert add(said) == TEXT.replace(TEXT.partition(" A producer")[0], said)


def test_where_a_part_does_not_hold_the_sentence_comes_back() -> None:
    assert add("After SLOW the job is taken [1]. After BUSY whales sing for 9 days [1].") == TEXT
