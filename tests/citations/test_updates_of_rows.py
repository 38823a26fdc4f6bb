"""A row of a table stays a row when its source changes, and denies nothing by two words."""

from citations.denials import find_denial
from citations.evidence_span import SourcePassages
from citations.updates import update_sentence
from schema.documents import Passage
from schema.report import ClaimChange

ROW = "| Heat pumps | large | 118,000 € [1] |"
NEWS = "Nordluft cannot deliver heat pumps any more."


def change(**given: str) -> ClaimChange:
    whole = {"kind": "changed", "sentence": ROW, "now": "", "dated": "2025-05-02", **given}
    return ClaimChange(section=0, number=1, document="a", **whole)  # type: ignore[typeddict-item]


def update(one: ClaimChange) -> str:
    return update_sentence(ROW, [one], {"a": 2 if one["kind"] == "contradicted" else 1})


def test_what_says_otherwise_stands_in_its_last_cell() -> None:
    said = update(change(kind="contradicted", before="", after="Heat|pumps end."))
    assert said == "| Heat pumps | large | 118,000 € [1]. Heat pumps end [2] |"


def test_what_a_source_says_now_takes_its_last_cell() -> None:
    said = update(change(before="Heat pumps: 118,000 €", after="They are sold no more, we hear."))
    assert said == "| Heat pumps | – | They are sold no more, we hear [1] |"


def test_two_words_are_no_subject_that_a_source_could_deny() -> None:
    passage = Passage(chunk=1, document=1, start=0, end=len(NEWS), text=NEWS)
    source = SourcePassages([passage], "en")
    assert not find_denial("| Heat pumps | 118,000 € |", source)
    assert find_denial("Nordluft can deliver heat pumps any more.", source)
