"""A run that is killed and gone on with, beside one that nobody disturbed."""

import asyncio
import json
import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.reliability.process import Place, Ran, ended
from benchmarks.reliability.world.pages import TOWNS, question
from benchmarks.reliability.world.requests import Call, Kind
from benchmarks.reliability.world.server import World
from schema.context import Context, ResearchMode

GRACE = 0.25
"""Seconds after its answer was sent from which on a request counts as finished: the client has to
read the answer and write down what came of it, on a machine that may be busy. What is asked for
after that with the answer in hand says so at once."""

AFTER = 0.35
"""Seconds after an answer at which a run is killed that is to have kept it."""

LONGEST = 300.0
"""Seconds after which a run is ended."""

ORDER = (
    ("reformulate",),
    ("outline",),
    ("revise_outline",),
    ("choose_criteria", "choose_action", "write_queries", "answer_question", "judge_answer"),
    ("write_section",),
    ("revise_report",),
    ("judge_citations", "repair_sentences"),
    ("summarise",),
)
"""Steps of a run in their order: who does a later one has the answers of all before it, but
for those of sections and deep searches, which run side by side."""

_COMPARED = ("title", "sections", "citations", "references", "degraded", "further_questions")
_PLACE = {task: place for place, tasks in enumerate(ORDER) for task in tasks}
_JOINING = {"revise_report", "judge_citations", "repair_sentences", "summarise"}
_SIDE_BY_SIDE = {"judge_answer", "repair_sentences", "write_section", "judge_citations"}


@dataclass(frozen=True)
class Point:
    """Where a run is killed: when this request comes, or some time after it was answered."""

    call: Call
    answered: bool

    def __str__(self) -> str:
        """Its name in the table."""
        return f"{self.call.name if self.call.kind == 'model' else self.call.kind}" + (
            ", answered" if self.answered else ", asked"
        )


@dataclass(frozen=True)
class Undisturbed:
    """A run from its beginning to its end."""

    ran: Ran
    report: dict[str, Any]
    calls: list[Call]


@dataclass(frozen=True)
class Disturbed:
    """A run that was killed, and gone on with; `killed` is when, None where it was not."""

    killed: float | None
    before: list[Call]
    after: list[Call]
    resumed: Ran | None
    report: dict[str, Any] | None


def points(calls: Sequence[Call], count: int, seed: int) -> list[Point]:
    """Points spread over all kinds of requests, the same for the same seed.

    Each task of the model, the searches and the pages have their turn; who was asked of each is
    drawn, and every other point of a kind lies behind the answer. Where a run has fewer requests
    than points, some are met on both sides.
    """
    draw = random.Random(seed)
    groups: defaultdict[tuple[Kind, str], list[Call]] = defaultdict(list)
    for call in calls:
        if call.name != "head":
            groups[call.kind, call.name].append(call)
    for held in groups.values():
        held.sort(key=lambda call: (call.about, call.key, call.again))  # they came as it happened
        draw.shuffle(held)
    found: list[Point] = []
    others: list[Point] = []
    order = sorted(groups)
    draw.shuffle(order)
    turn = 0
    while len(found) < count and any(groups.values()):
        for place, name in enumerate(order):
            if groups[name] and len(found) < count:
                call, answered = groups[name].pop(), (turn + place) % 2 == 1
                found.append(Point(call, answered=answered))
                others.append(Point(call, answered=not answered))
        turn += 1
    return [*found, *others][:count]


def undisturbed(
    here: Place, world: World, mode: ResearchMode, space: str, target: Path
) -> Undisturbed:
    """Make a report, and remember every request."""
    identity = begun(mode, space)
    world.forget()
    ran = here.quire("report", "--resume", identity, "--json", str(target), seconds=LONGEST)
    if ran.code != 0:
        raise RuntimeError(f"The undisturbed run ended with {ran.code}: {ran.err[-500:]}")
    return Undisturbed(ran, json.loads(target.read_text()), list(world.calls))


def disturbed(
    here: Place, world: World, mode: ResearchMode, space: str, target: Path, point: Point
) -> Disturbed:
    """Kill a run at a point, and go on with it."""
    target.unlink(missing_ok=True)
    identity = begun(mode, space)
    world.forget()
    process = here.start_quire("report", "--resume", identity, "--json", str(target))
    killed: list[float] = []
    timers: list[threading.Timer] = []

    def kill() -> None:
        if not killed:
            killed.append(time.monotonic())
            os.kill(process.pid, signal.SIGKILL)

    def later(call: Call) -> None:
        if point.answered and _same(call, point.call):
            timers.append(threading.Timer(AFTER, kill))
            timers[-1].start()

    def at_once(call: Call) -> None:
        if not point.answered and _same(call, point.call):
            kill()

    world.on_come, world.on_sent = at_once, later
    try:
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=LONGEST)
    finally:
        world.on_come, world.on_sent = (lambda _: None), (lambda _: None)
        for timer in timers:
            timer.cancel()
        ended(process)
    before = list(world.calls)
    if not killed or process.returncode == 0:
        report = json.loads(target.read_text()) if target.exists() else None
        return Disturbed(None, before, [], None, report)
    time.sleep(0.3)  # what had been sent on its way arrives
    world.forget()
    resumed = here.quire("report", "--resume", identity, "--json", str(target), seconds=LONGEST)
    report = json.loads(target.read_text()) if target.exists() else None
    return Disturbed(killed[0], before, list(world.calls), resumed, report)


def begun(mode: ResearchMode, space: str) -> str:
    """Note a report that is to be written, its citations judged by a model; returns its id."""
    from library.database.connections import close_databases
    from serving.reports import begin_report

    async def work() -> str:
        context = Context(
            research_mode=mode,
            connectors=["tavily"],
            space=space,
            judge_model="openai:gpt-4.1-mini",
        )
        try:
            return (await begin_report(question(TOWNS[0]), context)).id
        finally:
            await close_databases()

    return asyncio.run(work())


def finished(calls: Iterable[Call], killed: float) -> list[Call]:
    """The requests whose answers the process had, for sure, when it was killed."""
    held = [call for call in calls if call.finished]
    return [
        call
        for call in held
        if call.sent is not None
        and (call.sent <= killed - GRACE or any(_follows(one, call) for one in calls))
    ]


def _follows(later: Call, call: Call) -> bool:
    """Whether one request could only be made with the answer to another in hand."""
    if call.sent is None or later.came < call.sent or later.kind != "model":
        return False
    if call.kind != "model":  # the outline has the first look's searches in hand
        return later.name in _JOINING or later.name == "outline"
    if later.name in _JOINING and call.name != later.name:
        return _PLACE[later.name] > _PLACE.get(call.name, 99)
    if call.name in ("reformulate", "outline", "revise_outline"):
        return _PLACE.get(later.name, -1) > _PLACE[call.name]
    same = later.chain == call.chain
    return same and not (later.name == call.name and call.name in _SIDE_BY_SIDE)


def repeated(kind: Kind, run: Disturbed, whole: Undisturbed, name: str = "") -> list[Call]:
    """The finished requests that were answered once more after the run was gone on with.

    What the undisturbed run asks for twice may be asked for twice.
    """
    assert run.killed is not None
    held = [one for one in finished(run.before, run.killed) if _is(one, kind, name)]
    before = Counter(one.key for one in held)
    after = Counter(one.key for one in run.after if _is(one, kind, name) and one.finished)
    usual = Counter(one.key for one in whole.calls if _is(one, kind, name) and one.finished)
    by_key = {one.key: one for one in held}
    return [
        by_key[key]
        for key, count in before.items()
        for _ in range(min(count, max(0, count + after[key] - max(1, usual[key]))))
    ]


def unknown(run: Disturbed, whole: Undisturbed) -> list[Call]:
    """Requests to the model that the undisturbed run never made."""
    usual = {one.key for one in whole.calls}
    return [
        one for one in [*run.before, *run.after] if one.kind == "model" and one.key not in usual
    ]


def differences(report: dict[str, Any] | None, whole: dict[str, Any]) -> list[str]:
    """The parts in which a report differs from another, ids and times aside."""
    if report is None:
        return ["there is no report"]
    return [part for part in _COMPARED if _plain(report[part]) != _plain(whole[part])]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        made = [_plain(one) for one in value]
        codes = bool(made) and all(isinstance(one, dict) and "code" in one for one in made)
        return sorted(made, key=json.dumps) if codes else made
    if isinstance(value, dict):
        return {name: _plain(v) for name, v in value.items() if name not in ("checked", "accessed")}
    return value


def _same(call: Call, other: Call) -> bool:
    return (call.key, call.again) == (other.key, other.again)


def _is(call: Call, kind: Kind, name: str) -> bool:
    return call.kind == kind and name in ("", call.name)
