"""Which passages a writer sees again before a gap may stand."""

from citations.gap_answers import SpokenOf
from citations.gap_candidates import MAX_BESIDE, MAX_CANDIDATES, choose_candidates
from schema.report import Section, Source

DOCUMENTS = {chunk: chunk // 10 for chunk in range(10, 60)}
DRAFT = Section(
    index=0,
    title="Belts",
    text="The price of a belt remains open here.",
    sources=[Source(number=1, document=1, title="Loom", url="")],
    passages=[10, 11],
)


def test_pages_that_the_section_has_not_seen_come_before_the_rest_of_those_it_has() -> None:
    assert choose_candidates([[]], [], [], [[12, 20, 13]], DOCUMENTS, DRAFT) == [12, 20, 13]
    assert choose_candidates([[]], [], [], [[12, 13], [20, 30]], DOCUMENTS, DRAFT) == [
        20,
        12,
        30,
        13,
    ]


def test_every_query_has_its_best_hit_among_them() -> None:
    found = [[20, 21, 22, 23], [30, 31], [40]]
    assert choose_candidates([[]], [], [], found, DOCUMENTS, DRAFT) == [20, 30, 40, 21]


def test_what_its_writer_saw_comes_again_only_where_its_words_speak_of_it() -> None:
    rated = [[SpokenOf(chunk=11, share=0.7, is_clear=False)]]
    assert choose_candidates([[]], [], [], [[10, 11, 20]], DOCUMENTS, DRAFT) == [20]
    assert choose_candidates(rated, [], [], [[10, 11, 20]], DOCUMENTS, DRAFT) == [11, 20]


def test_what_a_section_points_to_is_handed_over_whole_what_speaks_of_it_first() -> None:
    rated = [[SpokenOf(31, 0.9, is_clear=True), SpokenOf(42, 0.6, is_clear=False)]]
    found = [[20, 21, 22, 31]]
    pointed = [40, 41, 42, 43, 44, 45]
    chosen = choose_candidates(rated, pointed, [], found, DOCUMENTS, DRAFT)
    assert chosen == [31, 42, 40, 41, 43, 44, 45]


def test_of_a_place_what_tells_it_comes_before_what_holds_the_same_words() -> None:
    rated = [[SpokenOf(43, 1.0, is_clear=True), SpokenOf(41, 1.0, is_clear=False)]]
    assert choose_candidates(rated, [40, 41, 42, 43], [], [], DOCUMENTS, DRAFT) == [43, 41, 40, 42]


def test_what_another_section_cites_for_it_comes_before_all_else() -> None:
    beside = choose_candidates([[]], [40, 41], [50], [[20]], DOCUMENTS, DRAFT)
    assert beside == [50, 40, 41, 20]
    assert choose_candidates([[]], [], [50], [[20]], DOCUMENTS, DRAFT) == [50, 20]


def test_beside_a_place_that_says_nothing_of_it_stands_what_was_found() -> None:
    chosen = choose_candidates([[]], [40, 41], [], [[20, 21, 22]], DOCUMENTS, DRAFT)
    assert chosen == [40, 41, *[20, 21, 22][:MAX_BESIDE]]


def test_beside_a_place_that_tells_it_nothing_else_is_handed_over() -> None:
    rated = [[SpokenOf(41, 0.9, is_clear=True)]]
    assert choose_candidates(rated, [40, 41], [], [[20]], DOCUMENTS, DRAFT) == [41, 40]


def test_without_a_place_the_best_few_are_handed_over() -> None:
    chosen = choose_candidates([[]], [], [], [[20, 21, 22, 23, 24, 25]], DOCUMENTS, DRAFT)
    assert chosen == [20, 21, 22, 23]
    assert len(chosen) == MAX_CANDIDATES
