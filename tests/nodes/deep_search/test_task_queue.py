"""The queue of a deep search: whose turn it is, what makes sense, when it ends."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nodes.deep_search.task_queue import (
    MAX_IDLE_ROUNDS,
    MAX_OPEN_QUESTIONS,
    MAX_PAGES,
    MAX_QUESTIONS,
    MAX_SLICE_STEPS,
    Resources,
    advance_queue,
    is_stuck,
    list_useful_actions,
    start_queue,
)
from schema.deep_search import Action, TaskQueue

ORIGINAL = "What is asked?"
ACTIONS: tuple[Action, ...] = ("search", "visit", "reflect", "answer")
PLENTY = Resources(
    searches=9, pages=9, open_pages=9, evidence=9, questions=1, searchable=True, rejected=False
)


@dataclass(frozen=True)
class Step:
    """What happens in a step: `raised` counts questions, `settled` says that the question is."""

    action: Action
    gained: bool = False
    raised: int = 0
    settled: bool = False


@dataclass(frozen=True)
class Taken:
    """A step that was taken, of the question that had its turn."""

    action: Action
    before: TaskQueue
    after: TaskQueue
    raised: Sequence[str]
    gained: bool
    settled: bool

    @property
    def question(self) -> str:
        return self.before["questions"][0]

    @property
    def ends_turn(self) -> bool:
        return self.after["slice_steps"] == 0


def walked(steps: Sequence[Step]) -> Iterator[Taken]:
    """The steps one after the other, as the nodes take them, until the original is settled."""
    queue, asked = start_queue(ORIGINAL), 0
    for step in steps:
        room = MAX_OPEN_QUESTIONS - len(queue["questions"]) if step.action == "reflect" else 0
        raised = [f"part {asked + n}" for n in range(min(room, step.raised))]
        asked += len(raised)
        gained = bool(raised) if step.action == "reflect" else step.gained
        settled = step.settled and step.action == "answer"
        then = advance_queue(queue, step.action, gained=gained, raised=raised, settled=settled)
        yield Taken(step.action, queue, then, raised, gained, settled)
        if settled and queue["questions"][0] == ORIGINAL:
            return
        queue = then


walks = st.lists(
    st.builds(
        Step,
        st.sampled_from(ACTIONS),
        gained=st.sampled_from([True, True, False]),
        raised=st.integers(0, 3),
        settled=st.sampled_from([False, False, True]),
    ),
    max_size=40,
).map(lambda steps: list(walked(steps)))
queues = walks.map(lambda walk: walk[-1].before if walk else start_queue(ORIGINAL))
means = st.builds(
    Resources,
    searches=st.integers(0, 3),
    pages=st.integers(0, 3),
    open_pages=st.integers(0, 3) | st.integers(MAX_PAGES - 1, MAX_PAGES + 1),
    evidence=st.integers(0, 2),
    questions=st.integers(1, MAX_QUESTIONS),
    searchable=st.booleans(),
    rejected=st.booleans(),
)


def turns(walk: Sequence[Taken]) -> list[list[Taken]]:
    """The steps of each turn; the last one may still go on."""
    found: list[list[Taken]] = [[]]
    for taken in walk:
        found[-1].append(taken)
        if taken.ends_turn:
            found.append([])
    return [turn for turn in found if turn]


@given(walks)
def test_questions_take_their_turns_and_the_original_stays_until_it_is_settled(
    walk: list[Taken],
) -> None:
    for taken in walk:
        settled = taken.settled and taken.question == ORIGINAL
        after = taken.after["questions"]
        assert after.count(ORIGINAL) == (0 if settled else 1)
        assert len(after) <= MAX_OPEN_QUESTIONS
        current, *rest = taken.before["questions"]
        if not taken.ends_turn:
            assert after == taken.before["questions"]
            continue
        # only the head moves, and questions join behind those that wait
        assert after[: len(rest)] == rest
        assert after[len(rest) :] in ([*taken.raised, current], list(taken.raised))
        if taken.raised:  # which are answered before what raised them
            assert after[-1] == taken.question != after[0]


@given(walks)
@example(list(walked([Step("search", gained=True)] * (MAX_SLICE_STEPS + 1))))
def test_a_turn_lasts_while_it_gains_and_never_longer_than_allowed(walk: list[Taken]) -> None:
    for turn in turns(walk):
        assert len({taken.question for taken in turn}) == 1
        assert len(turn) <= MAX_SLICE_STEPS
        assert all(t.gained and not t.raised and not t.settled for t in turn[:-1])
        last = turn[-1]
        goes_on = (
            last.gained and not last.raised and not last.settled and len(turn) < MAX_SLICE_STEPS
        )
        assert last.ends_turn != goes_on


@given(walks)
def test_a_part_is_given_up_after_two_turns_without_gain_and_not_before(walk: list[Taken]) -> None:
    wasted: dict[str, int] = {}
    for turn in turns(walk):
        question, last = turn[0].question, turn[-1]
        if not last.ends_turn or last.settled:
            continue
        wasted[question] = 0 if any(taken.gained for taken in turn) else wasted.get(question, 0) + 1
        given_up = question not in last.after["questions"]
        assert given_up == (wasted[question] >= 2 and question != ORIGINAL)


@given(walks)
def test_a_search_is_stuck_after_two_rounds_without_gain_and_not_before(walk: list[Taken]) -> None:
    idle, gained = 0, False
    for taken in walk:
        gained = gained or taken.gained
        if taken.ends_turn and taken.question == ORIGINAL:
            idle, gained = (0 if gained else idle + 1), False
        assert is_stuck(taken.after) == (idle >= 2)


@given(queues, st.data())
def test_without_any_gain_a_search_soon_ends(queue: TaskQueue, data: st.DataObject) -> None:
    """However the steps are chosen: no round is longer than the queue, and two are enough."""
    steps = 0
    while not is_stuck(queue) and (offered := list_useful_actions(queue, PLENTY)):
        queue = advance_queue(queue, data.draw(st.sampled_from(offered)), gained=False)
        steps += 1
        assert steps <= (MAX_IDLE_ROUNDS + 1) * MAX_OPEN_QUESTIONS


@given(queues, means)
def test_no_step_is_offered_that_has_nothing_to_work_with(
    queue: TaskQueue, held: Resources
) -> None:
    offered = list_useful_actions(queue, held)
    assert offered == [action for action in ACTIONS if action in offered]
    lacking: dict[Action, bool] = {
        "search": not held.searches or not held.searchable or held.open_pages >= MAX_PAGES,
        "visit": not held.pages or not held.open_pages,
        "reflect": len(queue["questions"]) >= MAX_OPEN_QUESTIONS or held.questions >= MAX_QUESTIONS,
        "answer": not held.evidence or held.rejected,
    }
    assert not [action for action in offered if lacking[action]]


@given(walks)
def test_a_step_is_not_repeated_where_it_cannot_bring_more(walk: list[Taken]) -> None:
    for taken in walk:
        if not (queue := taken.after)["questions"]:
            return
        again = queue["questions"][0] == taken.question
        offered = list_useful_actions(queue, PLENTY)
        assert ("search" in offered) != (again and taken.action == "search")
        assert ("visit" in offered) != (again and taken.action == "visit" and not taken.gained)
        room = len(queue["questions"]) < MAX_OPEN_QUESTIONS
        assert ("reflect" in offered) == (room and taken.action != "reflect")


def test_all_is_offered_where_there_is_plenty_but_nobody_reflects_first() -> None:
    queue = start_queue(ORIGINAL)
    assert list_useful_actions(queue, PLENTY) == ["search", "visit", "answer"]
    queue = advance_queue(queue, "visit", gained=True)
    assert list_useful_actions(queue, PLENTY) == ["search", "visit", "reflect", "answer"]


@pytest.mark.parametrize(
    ("held", "refused"),
    [
        (replace(PLENTY, searches=0), "search"),
        (replace(PLENTY, searchable=False), "search"),
        (replace(PLENTY, open_pages=MAX_PAGES), "search"),
        (replace(PLENTY, pages=0), "visit"),
        (replace(PLENTY, open_pages=0), "visit"),
        (replace(PLENTY, questions=MAX_QUESTIONS), "reflect"),
        (replace(PLENTY, evidence=0), "answer"),
        (replace(PLENTY, rejected=True), "answer"),
    ],
)
def test_each_means_decides_on_one_step(held: Resources, refused: Action) -> None:
    queue = advance_queue(start_queue(ORIGINAL), "visit", gained=True)
    assert list_useful_actions(queue, held) == [action for action in ACTIONS if action != refused]


def test_a_turn_that_gained_and_ended_is_not_counted_against_a_part() -> None:
    def turn(queue: TaskQueue, *gains: bool) -> TaskQueue:
        """The part's steps, then one that the original spends."""
        for gained in gains:
            queue = advance_queue(queue, "visit", gained=gained)
        assert queue["questions"][0] == ORIGINAL
        return advance_queue(queue, "visit", gained=False)

    queue = advance_queue(start_queue(ORIGINAL), "reflect", gained=True, raised=["part"])
    once = turn(queue, True, False)
    twice = turn(once, False)
    assert "part" in twice["questions"]
    assert "part" in turn(twice, True, False)["questions"]
    assert "part" not in turn(twice, False)["questions"]
