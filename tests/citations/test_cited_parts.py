"""Each citation is judged by what it stands behind."""

import pytest

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.cited_parts import find_cited_parts
from citations.evidence_span import SourcePassages
from schema.documents import Passage

TOLD = {
    1: "The dam on the river Orr is 90 metres high and holds back a lake for swimming.",
    2: "The bridge over the valley was opened in 1931 and carries heavy lorries to the mine.",
}
TABLE = "| Structure | Known for |\n| --- | --- |\n"


def check(text: str) -> list[CheckedSentence]:
    sources = {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(told), text=told)], "en"
        )
        for number, told in TOLD.items()
    }
    return check_sentences(text, sources, "en")


def list_kinds(text: str) -> list[dict[int, str]]:
    return [{n: v.kind for n, v in one.verdicts.items()} for one in check(text) if one.verdicts]


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        (
            "The old dam holds water [1], while the long bridge carries lorries [2][3].",
            "prose",
            {
                1: "The old dam holds water",
                2: "while the long bridge carries lorries.",
                3: "while the long bridge carries lorries.",
            },
        ),
        (
            "The old dam holds water [1], and the long bridge [2] carries lorries.",
            "prose",
            {1: "The old dam holds water", 2: "and the long bridge carries lorries."},
        ),
        (
            "In 1931 [1], the long bridge carries lorries [2].",
            "prose",
            {2: "the long bridge carries lorries."},
        ),
        ("The old dam holds much water [1][2].", "prose", {}),
        (
            "| Orr dam | 90 metres high [1] | Opened with lorries [2] |",
            "table",
            {1: "Orr dam; 90 metres high", 2: "Orr dam; Opened with lorries"},
        ),
    ],
    ids=["clauses", "what follows the last", "too short", "one for all", "cells"],
)  # fmt: skip
def test_a_number_stands_behind_its_clause_or_cell(
    text: str, kind: str, parts: dict[int, str]
) -> None:
    assert dict(find_cited_parts(text, kind, "en")) == parts


def test_sources_that_share_a_sentence_support_it_each_for_its_part() -> None:
    clauses = (
        "The dam is 90 metres high [1], and the bridge over the valley was opened in 1931 [2]."
    )
    cells = "Lake for swimming, 90 metres [1] | Opened in 1931, lorries to the mine [2]"
    row = f"| Dam and bridge | {cells} |"
    assert list_kinds(clauses) == [{1: "supported", 2: "supported"}]
    assert list_kinds(TABLE + row) == [{1: "supported", 2: "supported"}]


def test_sources_that_changed_places_support_nothing() -> None:
    text = "The dam is 90 metres high [2], and the bridge over the valley was opened in 1931 [1]."
    assert "supported" not in list_kinds(text)[0].values()


def test_a_figure_of_none_of_them_leaves_all_of_the_sentence_without_support() -> None:
    text = "The dam is 90 metres high [1], and the bridge over the valley was opened in 1974 [2]."
    [one] = check(text)
    assert one.fails
    assert "supported" not in {verdict.kind for verdict in one.verdicts.values()}
