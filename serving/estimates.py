"""What a report will take, before it is begun: as much as those like it took here."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

from library.library import open_library
from library.saved_reports import MeasuredRun
from models.chat import choose_model
from models.extractive.chat_model import EXTRACTIVE
from models.prices import find_price
from nodes.common.ceiling import measure_allowance
from schema.access import LOCAL_MEMBER, Member
from schema.context import SECTION_WORDS, SECTIONS, Context

TOKENS_PER_WORD = 25
"""Tokens that language models read and write for a word of a report; `benchmarks/golden.py`
prints it of a model's reports."""

UNMEASURED = 0.5
"""How far an estimate that rests on no run may be off, as a share."""

LEAST_SPREAD = 0.25
"""How far one that rests on runs may be off, as a share, however much alike these were."""

LATEST = 20
"""Runs that an estimate rests on, the newest."""


@dataclass(frozen=True)
class Range:
    """A figure: the one in the middle, and between which it will lie in most cases."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """What a run will take.

    `cost` is in US dollars, None where no price is known; `seconds` None where no run like it was
    measured. `runs` are those that it rests on. A run with a ceiling takes no more than that.
    """

    tokens: Range
    cost: Range | None
    seconds: Range | None
    runs: int


async def estimate_report(context: Context, member: Member = LOCAL_MEMBER) -> Estimate:
    """What a report with these settings will take.

    It rests on the newest saved reports of the same writer, those of the same mode and length
    first; of other modes, tokens and seconds are taken by the word that is planned. Nothing is
    asked of a model.
    """
    writer = choose_model(context.writer_model)
    if writer == EXTRACTIVE:
        return Estimate(Range(0, 0, 0), Range(0, 0, 0), None, 0)
    runs = [
        run
        for owner in member.owners
        for run in await (await open_library(user=owner, names=member.names)).list_measured_runs(
            writer
        )
    ]
    alike = [run for run in runs if _is_alike(run, context)]
    if alike or runs:
        used = (alike or runs)[:LATEST]
        scales = [1.0 if alike else context.words_in_all / _plan_words(run) for run in used]
        tokens = _measure_range([run.tokens * by for run, by in zip(used, scales, strict=True)])
        seconds = _measure_range([run.seconds * by for run, by in zip(used, scales, strict=True)])
        read = sum(run.input_tokens for run in used) / sum(run.tokens for run in used)
    else:
        used, seconds, read = [], None, 0.85
        middle = TOKENS_PER_WORD * context.words_in_all
        tokens = Range(middle * (1 - UNMEASURED), middle, middle * (1 + UNMEASURED))
    tokens = _cap(tokens, measure_allowance(context))
    price = find_price(writer)
    of_token = price.measure(read, 1 - read) if price else None
    cost = None if of_token is None else _scale(tokens, of_token)
    if seconds:
        seconds = _cap(seconds, context.run_seconds)
    return Estimate(tokens, cost, seconds, len(used))


def describe_estimate(made: Estimate, context: Context) -> str:
    """In one sentence: tokens, money and minutes, and what that rests on."""
    if not made.tokens.high:
        return "This report costs nothing: no language model is asked."
    parts = [_describe_range(made.tokens, "{:,.0f}", " tokens", -2)]
    if made.cost:
        parts.append(_describe_range(made.cost, "${:,.4f}", "", 4))
    if made.seconds:
        parts.append(_describe_range(_scale(made.seconds, 1 / 60), "{:,.1f}", " minutes", 1))
    basis = (
        f"as {made.runs} saved reports by this model took"
        if made.runs
        else "by its length alone: no report of this model was measured here yet"
    )
    return f"A {context.research_mode} report: about {', '.join(parts)}, {basis}."


def _describe_range(one: Range, form: str, unit: str, digits: int) -> str:
    low, middle, high = (form.format(round(x, digits)) for x in (one.low, one.middle, one.high))
    return f"{middle}{unit} ({low} to {high})"


def _is_alike(run: MeasuredRun, context: Context) -> bool:
    return (run.mode or "general", run.words) == (context.research_mode, context.words)


def _plan_words(run: MeasuredRun) -> int:
    mode = run.mode or "general"
    return run.words or SECTIONS[mode] * SECTION_WORDS[mode]


def _measure_range(values: Sequence[float]) -> Range:
    """The middle of some values, and between which nine of ten lie; never a narrow range."""
    if len(values) == 1:
        low = middle = high = values[0]
    else:
        cuts = quantiles(values, n=20, method="inclusive")
        low, middle, high = cuts[0], cuts[9], cuts[-1]
    return Range(
        min(low, middle * (1 - LEAST_SPREAD)), middle, max(high, middle * (1 + LEAST_SPREAD))
    )


def _cap(estimated: Range, most: float | None) -> Range:
    if most is None:
        return estimated
    return Range(*(min(one, most) for one in (estimated.low, estimated.middle, estimated.high)))


def _scale(estimated: Range, by: float) -> Range:
    return Range(estimated.low * by, estimated.middle * by, estimated.high * by)
