"""What a section is shown of a pool: what answers in turns, and what may follow it."""

from dataclasses import replace
from typing import Any

from retrieval.passages.better_places import Place
from retrieval.passages.choose_passages import PASSAGE_TOKENS, Candidates, Chosen, choose_passages

COST, FALLS = [9.0, 8.0, 1.0, 0.0], [0.0, 1.0, 8.0, 9.0]
QUESTIONS = ["What does it cost?", "How many fall?"]
AMPLE = 100 * PASSAGE_TOKENS


def pool_of(*worded: list[float], **known: Any) -> Candidates:
    """Passages of size 1, each of a page of its own, that searches found in their order."""
    count = len(worded[0])
    pool = Candidates(
        texts=["told"] * count,
        sizes=[1] * count,
        documents=range(count),
        worded=worded,
        reranked=[count - place for place in range(count)],
        found=[1 - place / count for place in range(count)],
        planned=[False] * count,
        looked_up=[False] * count,
        places=[Place.HERE] * count,
    )
    return replace(pool, **known)


def choose(pool: Candidates, budget: int = AMPLE, **how: Any) -> Chosen:
    return choose_passages(pool, QUESTIONS[: len(pool.worded)], [], budget, **how)


def test_questions_take_turns() -> None:
    chosen = choose(pool_of(COST, FALLS))
    assert chosen.worded == [[0, 1], [3, 2]]
    assert [*dict.fromkeys(chosen.answers)][:2] == [0, 3]
    assert {*chosen.answers} == {0, 1, 2, 3}


def test_of_each_question_no_more_are_chosen_than_its_share_of_the_budget_holds() -> None:
    assert {*choose(pool_of(COST, FALLS), budget=PASSAGE_TOKENS).answers} == {0, 3}


def test_what_no_search_found_answers_by_its_words_alone() -> None:
    chosen = choose(pool_of([0.0, 0.0, 5.0, 0.0], found=[1.0, 0.0, 0.0, 0.0]))
    assert {*chosen.answers} == {0, 2}
    assert 1 in chosen.rest


def test_what_another_section_asks_for_more_answers_only_where_it_is_the_best() -> None:
    elsewhere = [Place.ELSEWHERE, Place.ELSEWHERE, Place.HERE, Place.HERE]
    chosen = choose(pool_of(COST, FALLS, places=elsewhere))
    assert 0 in chosen.answers
    assert 1 not in chosen.answers
    assert chosen.rest == [2, 3, 0, 1]


def test_what_was_looked_up_for_the_section_comes_first_of_the_rest() -> None:
    assert choose(pool_of(COST, looked_up=[False, False, False, True])).rest == [3, 0, 1, 2]


def test_of_many_pages_one_that_was_looked_up_is_heard() -> None:
    scores = [9.0] * 3 + [0.0] * 9
    found = [1.0] * 3 + [0.1] * 9
    looked_up = [place == 11 for place in range(12)]
    assert choose(pool_of(scores, found=found, looked_up=looked_up)).rest == [11, 0, 1, 2]


def test_what_the_plan_names_is_all_that_follows_where_it_fills_the_section() -> None:
    little = PASSAGE_TOKENS
    planned = pool_of([9.0, 0.0, 0.0, 0.0], planned=[True, True, False, False], sizes=[little] * 4)
    assert choose(planned, little).rest == [0, 1]
    assert choose(replace(planned, sizes=[1] * 4), little).rest == [0, 1, 2, 3]
    assert choose(planned, little, revised=True).rest == [0, 1, 2, 3]


def test_what_defines_a_name_comes_before_all_else_within_its_share() -> None:
    texts = ["about `wait`", "**`wait` (`integer`)**: The default is 5.", "told", "told"]
    pool = pool_of([9.0, 1.0, 1.0, 1.0], texts=texts)
    asked = ["What is the default of `wait`?"]
    assert choose_passages(pool, asked, [], AMPLE).answers[0] == 1
    assert choose_passages(pool, ["And now?"], asked, AMPLE).defined == [1]
    assert choose_passages(pool, asked, [], 1).defined == []
