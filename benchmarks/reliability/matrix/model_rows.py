"""Faults of the language model."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace

from fakes.openai_chat import ChatRequest
from fakes.writer import section_of

from benchmarks.reliability.matrix.actions import TOWN, Ask, Outcome, Report
from benchmarks.reliability.matrix.row import FIRST, MODEL_SECONDS, SECOND, Row, resumes_whole
from benchmarks.reliability.matrix.rules import down_from, only
from benchmarks.reliability.world.chat_model import REFUSAL, Mind, facts, plan
from benchmarks.reliability.world.pages import half
from benchmarks.reliability.world.requests import NEVER, Fault

DOWN = Fault(500)
LIMITED = Fault(429)
WAITING = Fault(429, headers={"retry-after": "1"})
CUT = Fault(cut=True)
REFUSED = Fault(text=REFUSAL)
EMPTY = Fault(text="")
BROKEN = Fault(text='{"title": "The harbour", "sections": [{"ti')
PROSE = Fault(text="Of course! The plan has three parts, which I will now describe.")
OTHER = Fault(text='{"colour": "blue", "sections": "three"}')
SHORT = Fault(finish="length")

ONCE_MORE = MODEL_SECONDS + 12.0
"""Seconds that a call which does not answer may cost: its deadline, a second try, their waits."""


def _all_sections(got: Outcome) -> Iterable[str]:
    written = [one for one in (got.report or {}).get("sections", []) if "[" in one["text"]]
    if len(written) < 3:
        yield f"{len(written)} of 3 sections"


def _refused() -> list[Row]:
    rows = []
    for name, fault in (("a refusal", REFUSED), ("nothing", EMPTY)):
        rows += [
            Row(
                f"{name} in place of a section, once",
                "model: words",
                rules=only(fault, "write_section", about=SECOND, attempts=1),
                check=_all_sections,
                may=frozenset({"section_rewritten"}),
            ),
            Row(
                f"{name} in place of a section, always",
                "model: words",
                rules=only(fault, "write_section", about=SECOND),
                codes=("section_failed",),
                about=SECOND,
            ),
        ]
    return rows


def _uncited(request: ChatRequest) -> str:
    if section_of(request) != SECOND:
        return Mind()(request)
    return " ".join(said for _, said in facts(request, SECOND)[:4])


def _inventing(request: ChatRequest) -> str:
    return Mind()(request) + " ".join(
        f" {said[:-1]} [{90 + n}]." for n, (_, said) in enumerate(facts(request, FIRST)[:2])
    )


def _no_invented(got: Outcome) -> Iterable[str]:
    report = got.report or {"sections": [], "audit": {}, "references": []}
    for section in report["sections"]:
        for mark in re.findall(r"\[(\d+)\]", section["text"]):
            if int(mark) > len(report["references"]):
                yield f"the invented [{mark}] stands in “{section['title']}”"
    if not report["audit"].get("unknown_numbers_dropped"):
        yield "invented numbers are not counted"


def _repeating(request: ChatRequest) -> str:
    text = Mind()(request)
    return f"{text} {text} {text}"


def _nothing_twice(got: Outcome) -> Iterable[str]:
    written = (got.report or {"sections": []})["sections"]
    sections = [one for one in written if one.get("kind") != "summary"]  # which says it again
    said = [s for one in sections for s in re.findall(r"[A-Z][^.]{30,}\.", one["text"])]
    if len(said) > len(set(said)):
        yield f"{len(said) - len(set(said))} sentences stand twice"


def _miscounted(_: ChatRequest) -> str:
    return plan(TOWN, 6)


def _rejecting(_: ChatRequest) -> str:
    return json.dumps({"passed": False, "reason": "It hedges.", "improve": "Say it plainly."})


PROVIDER = [
    Row(
        "HTTP 500 on each 5th call", "model: provider",
        rules=only(DOWN, every=5), extra=12, tested=True,
    ),
    Row(
        "429 on each 5th call, with Retry-After", "model: provider",
        rules=only(WAITING, every=5), extra=12,
    ),
    Row(
        "429 on each 5th call, without", "model: provider",
        rules=only(LIMITED, every=5), extra=12,
    ),
    Row(
        "429 for ever, in one section", "model: provider",
        rules=only(LIMITED, "write_section", about=SECOND),
        codes=("section_failed",), about=SECOND, extra=20,
    ),
    Row(
        "not to be reached from the start", "model: provider",
        variables={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, exit=1, extra=10,
    ),
    Row(
        "the key is refused", "model: provider", rules=only(Fault(401)), exit=1, extra=2,
    ),
    Row(
        "down from the outline on", "model: outage", act=Report(resumed=True),
        rules=lambda: [down_from(DOWN, "outline")], exit=1, extra=25,
        check=resumes_whole("outline_without_model"),
    ),
    Row(
        "down from the sections on", "model: outage", act=Report(resumed=True),
        rules=lambda: [down_from(DOWN, "write_section")], exit=1, extra=20, check=resumes_whole(),
        tested=True,
    ),
    Row(
        "down at the last step", "model: outage",
        rules=lambda: [down_from(DOWN, "revise_report")],
        codes=("not_revised", "not_repaired"), extra=25,
    ),
    Row(
        "down for one section, then --resume", "model: outage", act=Report(resumed=True),
        rules=only(DOWN, "write_section", about=SECOND),
        codes=("section_failed",), about=SECOND, extra=15, check=resumes_whole(),
    ),
]  # fmt: skip

ODD_SCHEMA = [
    Row(
        "broken JSON once", "model: JSON",
        rules=only(BROKEN, "outline", "reformulate", attempts=1),
    ),
    Row(
        "broken JSON twice: question", "model: JSON",
        rules=only(BROKEN, "reformulate"), codes=("question_not_reformulated",),
    ),
    Row(
        "broken JSON twice: outline", "model: JSON",
        rules=only(BROKEN, "outline"), codes=("outline_without_model",), tested=True,
    ),
    Row(
        "prose in place of JSON, everywhere", "model: JSON",
        rules=only(PROSE, "outline", "revise_report", "repair_sentences"),
        codes=("outline_without_model", "not_revised", "not_repaired"),
    ),
    Row(
        "another schema, always", "model: JSON",
        rules=only(OTHER, "outline"), codes=("outline_without_model",),
    ),
    Row(
        "a refusal of question and plan", "model: JSON",
        rules=only(REFUSED, "reformulate", "outline"),
        codes=("question_not_reformulated", "outline_without_model"),
    ),
    Row(
        "six sections of five, once", "model: JSON",
        rules=only(Fault(text=plan(TOWN, 6)), "outline", attempts=1),
    ),
    Row(
        "six sections of five, always", "model: JSON", mind={"outline": _miscounted},
        codes=("outline_without_model",),
    ),
]  # fmt: skip

WORDS = [
    *_refused(),
    Row(
        "a section that cites nothing", "model: words", mind={"write_section": _uncited},
        codes=("no_citations|section_failed|section_uncited",), about=SECOND,
    ),
    Row(
        "invented citation numbers", "model: words", mind={"write_section": _inventing},
        check=_no_invented, tested=True,
    ),
    Row(
        "every sentence three times", "model: words", mind={"write_section": _repeating},
        check=_nothing_twice,
    ),
    Row(
        "the output limit, in one section", "model: words",
        rules=only(SHORT, "write_section", about=SECOND),
        codes=("section_cut",), about=SECOND,
    ),
    Row(
        "the output limit, everywhere", "model: words", rules=only(SHORT),
        codes=("section_cut",),
        may=frozenset({"question_not_reformulated", "outline_without_model", "not_revised",
                       "not_repaired"}),
    ),
    Row(
        "reviewers reject every answer", "model: words", act=Report(mode="deeper"),
        mind={"judge_answer": _rejecting}, excerpts=half, codes=("not_answered",), extra=60,
    ),
    Row(
        "reviewers reject every answer of `ask`", "model: words", act=Ask(),
        mind={"judge_answer": _rejecting}, excerpts=lambda _: True, codes=("not_answered",),
        extra=20, tested=True,
    ),
]  # fmt: skip


def _cut(task: str, about: str, codes: tuple[str, ...], exit_: int = 0) -> list[Row]:
    """The connection breaks in the midst of an answer, once and always, streamed and not."""
    rows = []
    for streamed in (True, False):
        act, way = Report(streamed=streamed), "streamed" if streamed else "whole"
        once = Row(
            f"the answer cut off: {task}, {way}, once",
            "model: cut and silent",
            act=act,
            rules=only(CUT, task, about=about, attempts=1),
            extra=10,
            check=_all_sections,
            tested=streamed and task == "reformulate",
        )
        always = replace(
            once,
            name=f"the answer cut off: {task}, {way}, always",
            rules=only(CUT, task, about=about),
            codes=codes,
            exit=exit_,
            extra=15,
            about=about,
            check=lambda _: (),
            tested=False,
        )
        rows += [once, always]
    return rows


def _silent(task: str, about: str, codes: tuple[str, ...], exit_: int = 0) -> list[Row]:
    """No answer comes: always, and of what a report cannot do without, once."""
    act = Report(judge=task == "judge_citations")
    once = Row(
        f"no answer: {task}, once",
        "model: cut and silent",
        act=act,
        rules=only(NEVER, task, about=about, attempts=1),
        extra=ONCE_MORE,
        check=_all_sections,
    )
    always = replace(
        once,
        name=f"no answer: {task}, always",
        rules=only(NEVER, task, about=about),
        codes=codes,
        exit=exit_,
        about=about,
        extra=ONCE_MORE + 4,
        check=lambda _: (),
    )
    return [once, always] if task in ("reformulate", "outline", "write_section") else [always]


BROKEN_OFF = [
    *_cut("reformulate", "", (), 1),
    *_cut("outline", "", ("outline_without_model",)),
    *_cut("write_section", SECOND, ("section_failed",)),
    *_silent("reformulate", "", (), 1),
    *_silent("outline", "", ("outline_without_model",)),
    *_silent("write_section", SECOND, ("section_failed",)),
    *_silent("revise_report", "", ("not_revised",)),
    *_silent("repair_sentences", SECOND, ("not_repaired",)),
    *_silent("judge_citations", "", ("citations_not_judged",)),
    *_silent("summarise", "", ("summary_quoted",)),
]

ROWS = [*PROVIDER, *ODD_SCHEMA, *WORDS, *BROKEN_OFF]
