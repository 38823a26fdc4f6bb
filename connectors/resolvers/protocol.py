"""What a resolver is: it takes an address, a name or a handle, and says one fact about it.

A class is one by having the members below, or by inheriting from `Resolver`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from library.library import Library

Cost = Literal["free", "rate-limited", "paid"]
Value = bool | str | dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """A fact.

    `confidence`, in 0..1, is how likely the value is right. `source` is who said it: an address
    or a service. `fetched_at` knows its time zone. `cost_estimate` is in US dollars. `detail` says
    in a word how the value came about, where one does not see it.
    """

    value: Value
    confidence: float
    source: str
    fetched_at: datetime
    cost_estimate: float = 0.0
    detail: str = ""


class Resolver(Protocol):
    """Looks one kind of fact up."""

    id: str
    cost: Cost
    backend: str
    """What it asks, as people call it."""

    async def explain_unavailable(self) -> str:
        """Why it cannot be used, as a sentence that says what to do; "" if it can."""
        return ""

    async def resolve(self, value: str, library: Library | None = None) -> Resolution:
        """Look the value up.

        Args:
            value: what the fact is about.
            library: the run's library, for those that look there.

        Raises:
            ResolverError: there is no such fact, or it could not be had.
        """
        ...
