"""Packing: what fits a window."""

from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.context_window import estimate_tokens, group_by_document, pack_passages
from schema.documents import Passage

HEADER = 60


def passage(chunk: int, document: int, text: str, start: int = 0) -> Passage:
    return Passage(chunk=chunk, document=document, start=start, end=start + len(text), text=text)


passages = st.lists(
    st.tuples(st.integers(1, 4), st.text(max_size=40), st.integers(0, 99)), max_size=12
).map(lambda found: [passage(i, d, text * 10, at) for i, (d, text, at) in enumerate(found)])


def cost(taken: list[Passage]) -> int:
    return sum(estimate_tokens(p.text) for p in taken) + HEADER * len({p.document for p in taken})


@given(passages, st.integers(0, 600))
def test_all_that_fits_is_packed_in_order_and_the_best_in_any_case(
    found: list[Passage], budget: int
) -> None:
    taken = pack_passages(found, budget)
    assert cost(taken) <= budget or len(taken) == 1
    assert taken[:1] == found[:1]
    assert [p.chunk for p in taken] == sorted(p.chunk for p in taken)
    assert all(cost([*taken, left]) > budget for left in found if left not in taken)


def test_a_shorter_passage_follows_one_that_does_not_fit() -> None:
    found = [passage(1, 1, "a" * 100), passage(2, 1, "b" * 4000), passage(3, 1, "c" * 40)]
    assert [p.chunk for p in pack_passages(found, 150)] == [1, 3]


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    assert 0 < estimate_tokens(one) <= estimate_tokens(one + other)


def test_scripts_cost_what_their_tokens_cost() -> None:
    assert estimate_tokens("a" * 400) == 101
    assert estimate_tokens("索" * 400) == 601
    assert estimate_tokens("🙂" * 400) == 801


@given(passages)
def test_reading_order_keeps_every_passage(found: list[Passage]) -> None:
    grouped = group_by_document(found)
    assert list(grouped) == list(dict.fromkeys(p.document for p in found))
    assert sorted(p.chunk for group in grouped.values() for p in group) == [p.chunk for p in found]
    for document, group in grouped.items():
        assert {p.document for p in group} == {document}
        assert [p.start for p in group] == sorted(p.start for p in group)
