"""Which pages a section hears, by how much of its questions they cover."""

from retrieval.passages.page_coverage import (
    FEWEST_PAGES,
    MANY_PAGES,
    find_main_page,
    measure_coverage,
    select_heard_pages,
)


def test_a_page_covers_of_each_question_the_share_that_its_best_passage_has() -> None:
    scores = [[4.0, 2.0, 1.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]]
    assert measure_coverage(scores, [7, 8, 8]) == {7: [1.0, 0.0, 0.0], 8: [0.5, 1.0, 0.0]}


def test_the_main_page_is_the_one_that_answers_most_questions_not_one_best() -> None:
    assert find_main_page([[1.0, 0.7], [0.0, 0.7], [0.1, 0.7]], [1, 2]) == 2
    assert find_main_page([[0.0, 0.0]], [1, 2]) is None
    assert find_main_page([], []) is None


def test_a_page_with_several_passages_on_the_questions_is_rather_the_main_one() -> None:
    assert find_main_page([[1.0, 0.6, 0.6]], [1, 2, 2]) == 2


def test_of_many_pages_those_are_heard_that_cover_much_or_answer_what_the_main_one_does_not() -> (
    None
):
    noise = {100 + n: [0.0, 0.0, 0.7, 0.1] for n in range(MANY_PAGES)}
    heard = {1: [1.0, 1.0, 1.0, 0.2], 2: [0.6, 0.6, 0.6, 0.0], 3: [0.0, 0.0, 0.0, 1.0]}
    further = {4: [0.6, 0.1, 0.7, 0.1]}
    assert select_heard_pages(noise | heard | further, 1) == {*heard} | {4}
    assert select_heard_pages(noise | heard, 1) >= {*heard}
    assert len(select_heard_pages(noise | {1: heard[1]}, 1)) == FEWEST_PAGES


def test_a_small_collection_is_heard_whole_and_so_are_pages_without_the_questions_words() -> None:
    noise = {100 + n: [0.1] for n in range(MANY_PAGES - 1)}
    assert select_heard_pages(noise | {1: [1.0]}, 1) == {*noise, 1}
    nothing = {n: [0.0] for n in range(5 * MANY_PAGES)}
    assert select_heard_pages(nothing, None) == {*nothing}
