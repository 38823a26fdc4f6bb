"""The span behind a citation: verbatim at its offsets, the shortest that says most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.evidence_span import MAX_SPAN_SENTENCES, SourcePassages
from retrieval.passages.chunking import split_chunks
from schema.documents import Passage

TEXT = (
    "Cats sleep most of the day. BM25 weighs a term by how rare it is. "
    "Its saturation keeps a repeated term from winning. Dogs bark at night. "
    "An embedding maps a passage to a vector. Birds sing."
)


def cut(text: str, document: int = 1) -> list[Passage]:
    return [
        Passage(chunk=i, document=document, start=c.start, end=c.end, text=c.text)
        for i, c in enumerate(split_chunks(text))
    ]


pieces = st.sampled_from(
    ["Cats sleep. ", "Rare terms weigh more! ", "索引保存词。", "🙂 ", "\n\n", "# Head\n",
     "- item\n", "…", "The vector says it. ", "| a | b |\n", "x" * 700 + ". ", "word " * 150]
)  # fmt: skip
claims = st.sampled_from(
    ["Rare terms weigh more", "cats", "索引", "", "nothing of the kind", "the"]
)


@given(st.lists(pieces, max_size=15).map("".join), claims, st.sampled_from(["en", "zh", "xx"]))
def test_a_quote_is_verbatim_at_its_offsets(text: str, claim: str, language: str) -> None:
    found = cut(text)
    span = SourcePassages(found, language).find_best_span(claim)
    assert (span is None) == (not found)
    if span:
        assert span.quote == text[span.start : span.end] != ""
        assert 0 <= span.share <= 1 + 1e-9


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("A passage becomes a vector by embedding", "An embedding maps a passage to a vector."),
        ("Rare terms weigh more and saturation limits repeated ones",
         "BM25 weighs a term by how rare it is. Its saturation keeps a repeated term from "
         "winning."),
    ],
)  # fmt: skip
def test_the_sentences_that_hold_the_claim_are_found(claim: str, quote: str) -> None:
    span = SourcePassages(cut(TEXT), "en").find_best_span(claim)
    assert span
    assert span.quote == quote
    assert span.share > 0.3


def test_a_span_is_at_most_a_window_long() -> None:
    claim = TEXT.replace(".", "")
    span = SourcePassages(cut(TEXT), "en").find_best_span(claim)
    assert span
    assert span.quote.count(".") == MAX_SPAN_SENTENCES


def test_a_span_never_crosses_passages() -> None:
    found = [
        Passage(chunk=1, document=1, start=0, end=10, text="Rare term."),
        Passage(chunk=2, document=1, start=500, end=513, text="Weighs more."),
    ]
    span = SourcePassages(found, "en").find_best_span("rare term weighs more")
    assert span
    assert span.end - span.start == len(span.quote)


def test_a_foreign_claim_has_no_share_and_no_passage_no_span() -> None:
    span = SourcePassages(cut(TEXT), "en").find_best_span("Volcanoes erupt lava")
    assert span
    assert span.share == 0
    assert SourcePassages([], "en").find_best_span("anything") is None
