"""The ceiling of a run: what its language models may read and write, kept before each call.

A call is held to what it can cost at most: its prompt, as large as the server may count it, and the
longest answer that it is told to give. What it did cost takes the place of that afterwards.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel

from models.prices import Price, find_price
from schema.errors import InputError, ModelUnavailableError
from schema.settings import get_settings

LONGEST_ANSWERS = (4, 2, 1)
"""How many times as long as usual an answer may be, thoughts included; the first that is cheap."""

CHEAP = 0.25
"""Share of what is left that a call may hold for an answer longer than usual."""


class CeilingError(ModelUnavailableError):
    """A model was not asked, or not heard out: the run would have gone beyond a ceiling of its."""


@dataclass(frozen=True)
class Ceiling:
    """Tokens read and written, and US dollars, that a run must not pass; None for no limit."""

    tokens: int | None = None
    cost: float | None = None

    def __bool__(self) -> bool:
        return self.tokens is not None or self.cost is not None

    def describe(self) -> str:
        """In words."""
        parts = [f"{self.tokens:,} tokens"] if self.tokens is not None else []
        parts += [f"${self.cost:,.2f}"] if self.cost is not None else []
        return " and ".join(parts)


@dataclass
class Amount:
    """Tokens, and what they cost in US dollars."""

    tokens: float = 0.0
    cost: float = 0.0

    def add(self, other: "Amount") -> None:
        """Add another."""
        self.tokens += other.tokens
        self.cost += other.cost

    def minus(self, other: "Amount") -> "Amount":
        """What is left without another."""
        return Amount(self.tokens - other.tokens, self.cost - other.cost)


@dataclass
class Held:
    """What a call may cost: `limit` is the longest answer, in tokens.

    Whoever asks sets `used`: what it did cost, or nothing where the server refused.
    """

    limit: int
    amount: Amount
    used: Amount | None = None


@dataclass
class Spending:
    """What a run has spent, and what its calls under way hold.

    Attributes:
        ceiling: of the run.
        load_spent: what an earlier process has spent of it, as (model, input, output) of each call.
        refused: what calls that were not made would have cost, by prompt.
    """

    ceiling: Ceiling
    load_spent: Callable[[], Awaitable[list[tuple[str, int, int]]]]
    refused: dict[str, Amount] = field(default_factory=dict)
    _spent: Amount = field(default_factory=Amount)
    _held: Amount = field(default_factory=Amount)
    _longest: dict[str, int] = field(default_factory=dict)
    _under_way: int = 0
    _loaded: bool = False
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @asynccontextmanager
    async def hold(
        self, model: str, prompt: str, sent: float, answer: int, share: float
    ) -> AsyncIterator[Held]:
        """Hold what a call can cost while it is made; wait for others where only they are in it.

        Args:
            model: `provider:model`.
            prompt: its name.
            sent: tokens of the messages, at most.
            answer: tokens of a usual answer.
            share: of the ceiling that this call may bring the run to.

        Raises:
            CeilingError: it does not fit.
        """
        async with self._changed:
            await self._load()
            while (held := self._try(model, sent, answer, share)) is None:
                if not self._under_way:
                    self._refuse(model, prompt, sent, answer)
                await self._changed.wait()
            self._held.add(held.amount)
            self._under_way += 1
        try:
            yield held
        finally:
            self._under_way -= 1
            self._held = Amount() if not self._under_way else self._held.minus(held.amount)
            self._spent.add(held.amount if held.used is None else held.used)
            async with self._changed:
                self._changed.notify_all()

    def measure(self, model: str, input_tokens: float, output_tokens: float) -> Amount:
        """What a call costs."""
        if self.ceiling.cost is None:
            return Amount(input_tokens + output_tokens)
        cost = _get_price(model).measure(input_tokens, output_tokens)
        return Amount(input_tokens + output_tokens, cost)

    def note_answer(self, model: str, output_tokens: int) -> None:
        """Learn how much a model writes: it may think longer than it is told to."""
        self._longest[model] = max(self._longest.get(model, 0), output_tokens)

    async def _load(self) -> None:
        if not self._loaded:
            for model, read, written in await self.load_spent():
                self._spent.add(self.measure(model, read, written))
            self._loaded = True

    def _try(self, model: str, sent: float, answer: int, share: float) -> Held | None:
        """The longest answer that is cheap, else the usual one if it fits at all."""
        for times in LONGEST_ANSWERS:
            limit = times * answer
            amount = self.measure(model, sent, max(limit, self._longest.get(model, 0)))
            if self._fits(amount, share, CHEAP if times > 1 else 1.0):
                return Held(limit, amount)
        return None

    def _fits(self, amount: Amount, share: float, part: float) -> bool:
        most, spent, held = self.ceiling, self._spent, self._held
        return all(
            wanted <= part * (share * limit - used)
            for wanted, limit, used in (
                (amount.tokens, most.tokens, spent.tokens + held.tokens),
                (amount.cost, most.cost, spent.cost + held.cost),
            )
            if limit is not None
        )

    def _refuse(self, model: str, prompt: str, sent: float, answer: int) -> None:
        self.refused.setdefault(prompt, Amount()).add(self.measure(model, sent, answer))
        raise CeilingError(
            f"The model {model} was not asked for “{prompt}”: the run would have gone beyond its "
            f"ceiling of {self.ceiling.describe()}."
        )


def check_ceiling(ceiling: Ceiling, models: list[str]) -> None:
    """Raise `InputError` where a ceiling in money cannot be kept, for want of a price."""
    if ceiling.cost is not None:
        for model in models:
            _get_price(model)


def limit_answer(chat: BaseChatModel, tokens: int) -> BaseChatModel:
    """The model, told to write no more than so many tokens.

    Servers at OPENAI_BASE_URL know that by its older name.
    """
    fields = type(chat).model_fields
    told: dict[str, Any] = {}
    if "extra_body" in fields and get_settings().openai_base_url:
        told = {"extra_body": {**(getattr(chat, "extra_body", None) or {}), "max_tokens": tokens}}
    else:
        known = ("max_tokens", "max_output_tokens", "num_predict", "max_new_tokens")
        name = next((one for one in known if one in fields), None)
        told = {name: tokens} if name else {}
    return chat.model_copy(update=told)


def _get_price(model: str) -> Price:
    price = find_price(model)
    if price is None:
        raise InputError(
            f"No price of {model} is known, so a ceiling in money cannot be kept: name a table of "
            "prices with QUIRE_PRICES, or give a ceiling of tokens."
        )
    return price
