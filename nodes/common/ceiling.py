"""What a run may spend: its account while it runs, and a plan that fits its ceiling."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from library.journal import Journal
from models.chat import choose_model
from models.extractive.chat_model import EXTRACTIVE
from models.prices import find_price
from models.spending import Amount, Ceiling, Spending, check_ceiling
from schema.context import FEWEST_TOKENS, Context
from schema.errors import InputError
from schema.report import Degradation

SECTION_COST = 6_500
"""Tokens of a section: the writer's instructions, its evidence, its text, and once more a part."""

WRITING_SHARE = 0.55
"""Share of a ceiling that the sections are written from; the rest is planning and checking."""

FEWEST_SECTION_TOKENS = 1_000
"""Of sources that a section is written from, however low the ceiling."""

READ_SHARE = 0.85
"""Of a run's tokens, those that are read; the others are written."""

_MAX_RUNS = 1_000

_spendings: OrderedDict[str, Spending] = OrderedDict()


def find_spending(journal: Journal, run: str, context: Context) -> Spending | None:
    """The account of a run in this process; None where it has no ceiling.

    What an earlier process has spent is read from the run's record.
    """
    ceiling = Ceiling(context.max_tokens, context.max_cost)
    if not ceiling:
        return None

    async def load_spent() -> list[tuple[str, int, int]]:
        return [usage for one in await journal.list_answers() for usage in _read_usage(one)]

    while len(_spendings) >= _MAX_RUNS:
        _spendings.popitem(last=False)
    return _spendings.setdefault(run, Spending(ceiling, load_spent))


def close_spending(run: str) -> Spending | None:
    """Forget the account of a run that comes to its end, and return it for the last time."""
    return _spendings.pop(run, None)


def check_context_ceiling(context: Context) -> None:
    """Raise `InputError` where a run cannot keep its ceiling: no price is known, or it is tiny."""
    models = list_models(context)
    check_ceiling(Ceiling(context.max_tokens, context.max_cost), models)
    allowance = measure_allowance(context)
    if allowance is not None and allowance < FEWEST_TOKENS:
        least = FEWEST_TOKENS * (context.max_cost or 0) / max(1, allowance)
        raise InputError(
            f"${context.max_cost:,.4f} buys about {allowance:,} tokens of {models[0]}, too few "
            f"for a report: raise max_cost to ${least:,.4f} or more."
        )


def list_models(context: Context) -> list[str]:
    """The language models that a run asks, the writer first."""
    chosen = [context.writer_model, context.planner_model, context.reader_model]
    models = [choose_model(one) for one in chosen if one != EXTRACTIVE]
    return list(dict.fromkeys([*models, *([context.judge_model] if context.judge_model else [])]))


def list_unpriced(context: Context) -> list[str]:
    """The language models that a run asks and of which no price is known."""
    return [one for one in list_models(context) if find_price(one) is None]


def measure_allowance(context: Context) -> int | None:
    """Tokens that a run may use, its money at the writer's price; None without a ceiling."""
    allowances = [] if context.max_tokens is None else [context.max_tokens]
    price = find_price(choose_model(context.writer_model)) if context.max_cost else None
    if price and context.max_cost:
        of_token = price.measure(READ_SHARE, 1 - READ_SHARE)
        allowances += [int(context.max_cost / of_token)] if of_token else []
    return min(allowances, default=None)


def fit_section_limits(context: Context) -> tuple[int, int]:
    """The fewest and the most sections, no more than the run's ceiling pays for."""
    fewest, most = context.section_limits
    allowance = measure_allowance(context)
    if allowance is None or choose_model(context.writer_model) == EXTRACTIVE:
        return fewest, most
    paid = max(1, int(WRITING_SHARE * allowance / SECTION_COST))
    return min(fewest, paid), min(most, paid)


def fit_section_tokens(context: Context) -> int:
    """Tokens of sources for a section, no more than the run's ceiling pays for."""
    allowance = measure_allowance(context)
    if allowance is None:
        return context.section_tokens
    most = fit_section_limits(context)[1]
    each = int(WRITING_SHARE * allowance / most) - (SECTION_COST - context.section_tokens)
    return max(FEWEST_SECTION_TOKENS, min(context.section_tokens, each))


def describe_ceiling(spending: Spending | None) -> list[Degradation]:
    """What the ceiling left out, and about how much more would pay for it; once a run."""
    if spending is None or not spending.refused:
        return []
    more = Amount()
    for amount in spending.refused.values():
        more.add(amount)
    asked = ", ".join(f"“{name}”" for name in sorted(spending.refused))
    buys = f"{round(more.tokens, -2):,.0f} tokens"
    if spending.ceiling.cost is not None:
        buys += f" (${more.cost:,.4f})"
    return [
        Degradation(
            code="ceiling_reached",
            detail=f"The run kept within its ceiling of {spending.ceiling.describe()}: its models "
            f"were not asked for {asked}; about {buys} more would pay for that.",
        )
    ]


def _read_usage(answer: Any) -> Sequence[tuple[str, int, int]]:
    """Model and tokens of each call that is on record as an answer; other records have none."""
    if not isinstance(answer, list):
        return []
    return [
        (one["model"], usage["input_tokens"], usage["output_tokens"])
        for one in answer
        if isinstance(one, dict) and "message" in one and one.get("model", EXTRACTIVE) != EXTRACTIVE
        if (usage := one["message"].get("usage_metadata"))
    ]
