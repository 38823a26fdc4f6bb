"""What a deep search does next: its queue of questions, and which actions make sense.

The question at the head of the queue has its turn. The turn goes on while its steps gain something,
for `TURN` steps at most; then the next question has its own. Questions that were raised stand
before the one that raised them, so that it finds them answered. The original always returns, a part
of it is given up after two turns that brought nothing. A round is over when the original's turn is;
the search is, after two rounds that brought nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from schema.deep_search import Action, Agenda

TURN = 4
"""Steps of one question before the next one has its turn."""

IDLE_ROUNDS = 2
"""Rounds without progress after which a search ends."""

MOST_OPEN = 3
"""Questions that are open at once, the original among them."""

MOST_QUESTIONS = 10
"""Questions of one search, the original among them."""

MOST_PAGES = 50
"""Pages that wait to be read, from which on more are not looked for."""


@dataclass(frozen=True)
class Means:
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


def begun(question: str) -> Agenda:
    """The agenda of a search that has not done anything."""
    return Agenda(original=question, queue=[question], turn=0, gained=False, idle=0, stalled=[])


def sensible(agenda: Agenda, means: Means) -> list[Action]:
    """The actions that could bring something, in the order in which they are to be thought of."""
    last, question = agenda.get("last"), agenda["queue"][0]
    again = agenda.get("last_question") == question
    wasted = again and not agenda.get("last_gained", False)
    offered: dict[Action, bool] = {
        "search": means.searchable
        and means.searches > 0
        and means.open_pages < MOST_PAGES
        and not (again and last == "search"),
        "visit": means.pages > 0 and means.open_pages > 0 and not (wasted and last == "visit"),
        "reflect": last is not None
        and last != "reflect"
        and len(agenda["queue"]) < MOST_OPEN
        and means.questions < MOST_QUESTIONS,
        "answer": means.evidence > 0 and not means.rejected,
    }
    return [action for action, makes_sense in offered.items() if makes_sense]


def after(
    agenda: Agenda,
    action: Action,
    *,
    gained: bool,
    raised: Sequence[str] = (),
    settled: bool = False,
) -> Agenda:
    """The agenda after a step of the question at its head.

    Args:
        agenda: before the step; its queue holds a question at least.
        action: what was done.
        gained: whether it brought anything.
        raised: questions that have to be answered first.
        settled: whether the question was answered and accepted.
    """
    current, *rest = agenda["queue"]
    original = agenda["original"]
    stalled = [one for one in agenda["stalled"] if one != current]
    turn, ended = agenda["turn"] + 1, True
    if settled:
        queue = rest
    elif gained and not raised and turn < TURN:
        queue, ended = [current, *rest], False
    else:
        wasted = not (gained or raised or agenda["turn"])  # a turn goes on after a gain only
        given_up = wasted and current in agenda["stalled"] and current != original
        queue = [*rest, *raised, *([] if given_up else [current])]
        stalled += [current] if wasted else []
    in_round = agenda["gained"] or gained
    round_over = ended and current == original
    idle = agenda["idle"]
    if round_over:
        idle = 0 if in_round else idle + 1
    return Agenda(
        original=original,
        queue=queue,
        turn=0 if ended else turn,
        gained=in_round and not round_over,
        idle=idle,
        stalled=stalled,
        last=action,
        last_gained=gained,
        last_question=current,
    )


def is_stuck(agenda: Agenda) -> bool:
    """Whether two rounds in a row brought nothing."""
    return agenda["idle"] >= IDLE_ROUNDS
