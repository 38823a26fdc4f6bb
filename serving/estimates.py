"""What a report will take, before it is begun: as much as those like it took here."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

from library.library import open_library
from library.saved_reports import MeasuredRun
from models.chat import choose_model, get_chat_model
from models.extractive.chat_model import EXTRACTIVE
from models.prices import find_price
from nodes.common.ceiling import measure_allowance
from schema.access import LOCAL_MEMBER, Member
from schema.context import SECTION_WORDS, SECTIONS, Context, ResearchMode

TOKENS_PER_WORD = 25
"""Tokens that language models read and write for a word of a report; `benchmarks/golden.py`
prints it of a model's reports."""

PACE: dict[str, float] = {"general": 1.0, "deep": 2.5, "deeper": 3.9}
"""How long a report of a mode takes beside a general one: its sections are written side by side.
From the runs of `benchmarks/price.py`."""

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
    first; of other modes, tokens are taken by the word that is planned, seconds by `PACE`. Nothing
    is asked of a model.

    Raises:
        InputError: the writer cannot be used.
    """
    writer = choose_model(context.writer_model)
    if writer == EXTRACTIVE:
        return Estimate(Range(0, 0, 0), Range(0, 0, 0), None, 0)
    await asyncio.to_thread(get_chat_model, writer)
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
        tokens = _measure_range([run.tokens * _scale_words(run, context) for run in used])
        seconds = _measure_range([run.seconds * _scale_pace(run, context) for run in used])
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
    else:
        parts.append("an unknown price (QUIRE_PRICES)")
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


def _scale_words(run: MeasuredRun, context: Context) -> float:
    """How many times the words of a run are planned now."""
    return context.words_in_all / (run.words or _count_words(run.mode))


def _scale_pace(run: MeasuredRun, context: Context) -> float:
    """How many times as long as a run one of these settings takes."""
    mode = run.mode or "general"
    longer = context.words_in_all / _count_words(context.research_mode)
    before = (run.words or _count_words(mode)) / _count_words(mode)
    return PACE[context.research_mode] / PACE[mode] * longer / before


def _count_words(mode: ResearchMode | None) -> int:
    """Words of a report of a mode for which none are planned."""
    return SECTIONS[mode or "general"] * SECTION_WORDS[mode or "general"]


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
