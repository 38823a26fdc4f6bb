"""How the pool is shared out among the sections."""

from hypothesis import given
from hypothesis import strategies as st

from nodes.report.search_sources import SECTION_PASSAGES, select_section_pool
from schema.state import PoolEntry

entries = st.builds(
    PoolEntry,
    chunk=st.integers(1, 10_000),
    number=st.integers(1, 50),
    score=st.floats(0, 1),
    sections=st.lists(st.integers(0, 5), max_size=3, unique=True),
)
pools = st.lists(entries, max_size=300, unique_by=lambda entry: entry["chunk"])


@given(pools, st.integers(0, 5))
def test_what_a_section_s_own_questions_found_comes_first(
    pool: list[PoolEntry], index: int
) -> None:
    own = [entry["chunk"] for entry in pool if index in entry["sections"]]
    shared = [entry["chunk"] for entry in select_section_pool(pool, index)]
    assert shared[: len(own)] == own[:SECTION_PASSAGES]
    assert len(shared) == min(len(pool), SECTION_PASSAGES)
    assert len(set(shared)) == len(shared)


@given(pools)
def test_the_rest_keeps_the_order_of_the_pool(pool: list[PoolEntry]) -> None:
    nobody = [PoolEntry(**{**entry, "sections": []}) for entry in pool]
    shared = [entry["chunk"] for entry in select_section_pool(nobody, 0)]
    assert shared == [entry["chunk"] for entry in pool][:SECTION_PASSAGES]
