"""What was found of a missing thing is rated once, and the best stands first."""

from typing import cast

from citations.gap_answers import SpokenOf
from nodes.common.gap_findings import MAX_CHUNKS, Findings, Missing
from schema.report import Section

BELT = Missing(0, "the price of a belt", "The price of a belt remains open.")


def test_only_what_is_new_is_left_to_be_rated() -> None:
    found = Findings(pointed={BELT: [4, 5]}, shown={BELT: [5, 6]})
    assert found.list_unrated(BELT) == [4, 5, 6]
    found.add_ratings(BELT, [[SpokenOf(5, 0.6, is_clear=False)]])
    assert found.list_unrated(BELT) == []
    found.hits[BELT.subject].append([6, 7])
    assert found.list_unrated(BELT) == [7]


def test_ratings_of_several_steps_are_one_list_the_best_first() -> None:
    found = Findings(pointed={BELT: [4, 5]})
    found.add_ratings(BELT, [[SpokenOf(5, 0.6, is_clear=False)]])
    found.add_ratings(BELT, [[SpokenOf(8, 0.9, is_clear=True), SpokenOf(9, 0.7, is_clear=False)]])
    assert [one.chunk for part in found.rated[BELT] for one in part] == [8, 9, 5]
    assert found.is_answered(BELT, [8])
    assert not found.is_answered(BELT, [9])


def test_of_an_expected_point_the_best_hits_are_shown_behind_what_speaks_of_it() -> None:
    """A page may tell it in other words: "users measure" how "the volume taken is metered"."""
    point, draft = Missing(0, "the price of a belt", point=1), cast("Section", {})
    found = Findings(rated={point: [[SpokenOf(8, 0.6, is_clear=False)]]}, listings={6})
    found.hits[point.subject].append([5, 6, 8, 9, 4, 3])
    assert found.choose_chunks(point, draft) == [8, 5, 9, 4]
    assert len(found.choose_chunks(point, draft)) == MAX_CHUNKS
    assert Findings().choose_chunks(point, draft) == []
