"""What a deep search does next: its queue of questions, and which actions make sense.

The question at the head of the queue has its turn. The turn goes on while its steps gain something,
for `MAX_SLICE_STEPS` steps at most; then the next question has its own. Questions that were raised
stand before the one that raised them, so that it finds them answered. The original always returns,
a part of it is given up after two turns that brought nothing. A round is over when the original's
turn is; the search is, after two rounds that brought nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from schema.deep_search import Action, TaskQueue

MAX_SLICE_STEPS = 4
"""Steps of one question before the next one has its turn."""

MAX_IDLE_ROUNDS = 2
"""Rounds without progress after which a search ends."""

MAX_OPEN_QUESTIONS = 3
"""Questions that are open at once, the original among them."""

MAX_QUESTIONS = 10
"""Questions of one search, the original among them."""

MAX_PAGES = 50
"""Pages that wait to be read, from which on more are not looked for."""


@dataclass(frozen=True)
class Resources:
    """What there is to work with.

    `searches` and `pages` are what is left of the budget, `open_pages` how many wait to be read,
    `evidence` how many spans were found, `questions` how many were ever asked. `searchable` says
    that a source can be asked something new, `rejected` that an answer to the question at hand
    was, with no evidence found since.
    """

    searches: int
    pages: int
    open_pages: int
    evidence: int
    questions: int
    searchable: bool
    rejected: bool


def start_queue(question: str) -> TaskQueue:
    """The queue of a search that has not done anything."""
    return TaskQueue(
        original=question,
        questions=[question],
        slice_steps=0,
        gained=False,
        idle_rounds=0,
        stalled=[],
    )


def list_useful_actions(queue: TaskQueue, means: Resources) -> list[Action]:
    """The actions that could bring something, in the order in which they are to be thought of."""
    last, question = queue.get("last_action"), queue["questions"][0]
    again = queue.get("last_question") == question
    wasted = again and not queue.get("last_gained", False)
    offered: dict[Action, bool] = {
        "search": means.searchable
        and means.searches > 0
        and means.open_pages < MAX_PAGES
        and not (again and last == "search"),
        "visit": means.pages > 0 and means.open_pages > 0 and not (wasted and last == "visit"),
        "reflect": last is not None
        and last != "reflect"
        and len(queue["questions"]) < MAX_OPEN_QUESTIONS
        and means.questions < MAX_QUESTIONS,
        "answer": means.evidence > 0 and not means.rejected,
    }
    return [action for action, makes_sense in offered.items() if makes_sense]


def advance_queue(
    queue: TaskQueue,
    action: Action,
    *,
    gained: bool,
    raised: Sequence[str] = (),
    settled: bool = False,
) -> TaskQueue:
    """The queue after a step of the question at its head.

    Args:
        queue: before the step; it holds a question at least.
        action: what was done.
        gained: whether it brought anything.
        raised: questions that have to be answered first.
        settled: whether the question was answered and accepted.
    """
    current, *rest = queue["questions"]
    original = queue["original"]
    stalled = [one for one in queue["stalled"] if one != current]
    steps, ended = queue["slice_steps"] + 1, True
    if settled:
        questions = rest
    elif gained and not raised and steps < MAX_SLICE_STEPS:
        questions, ended = [current, *rest], False
    else:
        wasted = not (gained or raised or queue["slice_steps"])  # a turn goes on after a gain only
        given_up = wasted and current in queue["stalled"] and current != original
        questions = [*rest, *raised, *([] if given_up else [current])]
        stalled += [current] if wasted else []
    in_round = queue["gained"] or gained
    round_over = ended and current == original
    idle_rounds = queue["idle_rounds"]
    if round_over:
        idle_rounds = 0 if in_round else idle_rounds + 1
    return TaskQueue(
        original=original,
        questions=questions,
        slice_steps=0 if ended else steps,
        gained=in_round and not round_over,
        idle_rounds=idle_rounds,
        stalled=stalled,
        last_action=action,
        last_gained=gained,
        last_question=current,
    )


def is_stuck(queue: TaskQueue) -> bool:
    """Whether two rounds in a row brought nothing."""
    return queue["idle_rounds"] >= MAX_IDLE_ROUNDS
