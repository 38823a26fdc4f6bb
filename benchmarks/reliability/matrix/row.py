"""A row of the fault matrix: what goes wrong, what is run, and the word that has to be kept."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.reliability.matrix.actions import TOWN, Act, Outcome, Report, codes_of
from benchmarks.reliability.matrix.rules import Rules
from benchmarks.reliability.process import Ran
from benchmarks.reliability.world.chat_model import REFUSAL, Answer
from benchmarks.reliability.world.pages import Page, section

FIRST, SECOND = (section(TOWN, number)[0] for number in (0, 1))
"""Titles of sections of the report."""

MODEL_SECONDS, CONNECTOR_SECONDS = 4, 4
"""Deadlines of a model's call and of a search in every row."""

SLACK = 6.0
"""Seconds that a busy machine may add to any run, besides its time once more."""

_MARK = re.compile(r"\[\d+\]")

Check = Callable[[Outcome], Iterable[str]]
"""What is wrong with an outcome, a sentence each."""


def bound(row: "Row", without: float | None, slack: float = SLACK) -> float:
    """Seconds that a row may take, by what it takes without its fault, if that is known."""
    return 2 * (without or 5.0) + row.extra + slack


@dataclass(frozen=True)
class Row:
    """One fault, and how a run has to bear it.

    Attributes:
        name: of the fault.
        group: of rows.
        rules: makes the rules of the world, anew for every run.
        mind: answers of the model that take the place of its own.
        act: what is run.
        exit: the code that the command ends with; None where any will do.
        codes: that the report must name; of several in one string, as `a|b`, one will do.
        about: what their sentences must name, as the title of the section that was lost.
        may: codes that the report may name besides.
        extra: seconds that the fault may add.
        variables: of the process.
        excerpts: whether a page is shown by its beginning only.
        check: what else is wrong with the outcome.
        tested: whether the row is a part of the suite.
    """

    name: str
    group: str
    act: Act = field(default_factory=Report)
    rules: Rules = tuple
    mind: Mapping[str, Answer] = field(default_factory=dict)
    exit: int | None = 0
    codes: tuple[str, ...] = ()
    about: str = ""
    may: frozenset[str] = frozenset()
    extra: float = 6.0
    variables: Mapping[str, str] = field(default_factory=dict)
    excerpts: Callable[[Page], bool] = lambda _: False
    search_delay: float = 0.2
    check: Check = lambda _: ()
    tested: bool = False


def complaints(row: Row, got: Outcome, base: Outcome | None, most: float) -> list[str]:
    """In what a run did not keep its word.

    Args:
        row: what was to be borne.
        got: what came of it.
        base: the same commands in a world in which nothing is wrong.
        most: seconds that it may take.
    """
    ran = got.ran
    told = []
    if ran.code is None:
        told.append("it did not end")
    elif row.exit is not None and ran.code != row.exit:
        said = f" ({ran.sentences[-1][:200]})" if ran.sentences else ""
        told.append(f"exit {ran.code}, not {row.exit}{said}")
    told += _printed(ran)
    if got.then is not None:
        told += [f"on resuming, {one}" for one in _printed(got.then)]
    if ran.code == 0 and row.exit == 0 and got.report is not None:
        told += _codes(row, got)
        told += _silent(got, base if not row.mind.keys() & {"write_section", "outline"} else None)
    if ran.seconds > most:
        told.append(f"{ran.seconds:.1f} s, more than {most:.1f} s")
    return [*told, *row.check(got), *(f"the stand-in failed: {one}" for one in got.failures)]


def resumes_whole(*allowed: str) -> Check:
    """Going on has to end in a whole report, which names no code but those."""

    def check(got: Outcome) -> Iterable[str]:
        if got.then is None or got.then.code != 0:
            yield f"on resuming, exit {got.then and got.then.code}"
            return
        report = got.then_report or {"sections": []}
        if len([one for one in report["sections"] if _MARK.search(one["text"])]) < 3:
            yield "on resuming, not every section was written"
        if stale := [code for code in codes_of(report) if code not in allowed]:
            yield f"on resuming, the report still names {', '.join(stale)}"

    return check


def _printed(ran: Ran) -> list[str]:
    told = []
    if ran.traceback:
        told.append("a traceback")
    elif ran.noise:
        told.append(f"{len(ran.noise)} lines beside the sentence: {ran.noise[0][:80]}")
    if len(ran.sentences) > 1:
        told.append(f"{len(ran.sentences)} sentences of error")
    if ran.code not in (0, None) and not ran.sentences:
        told.append("no sentence of error")
    return told


def _codes(row: Row, got: Outcome) -> list[str]:
    wanted = [set(one.split("|")) for one in row.codes]
    named = {one["code"]: one["detail"] for one in (got.report or {}).get("degraded", [])}
    told = [f"{' or '.join(sorted(one))} is not named" for one in wanted if not one & named.keys()]
    if row.about and wanted:
        details = [d["detail"] for d in (got.report or {})["degraded"]]
        if not any(row.about in detail for detail in details):
            told.append(f"no code names “{row.about}”")
    allowed = set().union(row.may, *wanted)
    if more := [code for code in got.codes if code not in allowed]:
        told.append(f"{', '.join(more)} for no reason")
    return told


def _silent(got: Outcome, base: Outcome | None) -> list[str]:
    """What was lost without a word, by what the same run makes of a world without faults."""
    if not got.report or "sections" not in got.report:
        return []
    told = []
    details = " ".join(one["detail"] for one in got.report["degraded"])
    held = {one["title"]: one["text"] for one in got.report["sections"]}
    whole = [one["title"] for one in base.report["sections"]] if base and base.report else []
    same_plan = bool(whole) and set(held) <= set(whole)
    for title in whole if same_plan else held:
        text = held.get(title, "")
        if not _MARK.search(text) and title not in details:
            told.append(f"a silent loss: the section “{title}”")
        if REFUSAL[:9] in text:
            told.append(f"a refusal is the section “{title}”")
    if same_plan and base and base.report and not got.codes:
        lost = len(base.report["references"]) - len(got.report["references"])
        told += [f"a silent loss: {lost} sources"] if lost > 0 else []
    return told
