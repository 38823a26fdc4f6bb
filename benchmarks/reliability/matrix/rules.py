"""Rules that say of a request what goes wrong with it."""

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.reliability.world.chat_model import chance
from benchmarks.reliability.world.requests import Call, Fault, Kind, Rule

Rules = Callable[[], Sequence[Rule]]
"""Makes the rules of a world, anew for every run."""


def on(
    fault: Fault,
    *names: str,
    kind: Kind = "model",
    about: str = "",
    attempts: int | None = None,
    every: int = 1,
    share: float = 1.0,
) -> Rule:
    """A fault of some requests.

    Args:
        fault: what goes wrong.
        names: tasks, engines, or `read` and `head` of pages; none for all.
        kind: whom the request asks.
        about: what its section, question, query or path has in it.
        attempts: only the first so many requests for one thing.
        every: only each so-many-th request of its kind.
        share: of the things that are asked for, chosen by their hash.
    """

    def rule(call: Call) -> Fault | None:
        meant = (
            call.kind == kind
            and (not names or call.name in names)
            and about in call.about
            and (attempts is None or call.attempt < attempts)
            and call.number % every == every - 1
            and chance(call.about, 100) < share * 100
        )
        return fault if meant else None

    return rule


def down_from(fault: Fault, *tasks: str) -> Rule:
    """Every call of the model fails from the first one of some tasks on."""
    begun = False

    def rule(call: Call) -> Fault | None:
        nonlocal begun
        begun = begun or (call.kind == "model" and call.name in tasks)
        return fault if begun and call.kind == "model" else None

    return rule


def only(fault: Fault, *names: str, **how: Any) -> Rules:
    """Makes one rule, see `on`."""
    return lambda: [on(fault, *names, **how)]
