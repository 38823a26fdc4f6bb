"""Requests as the loopback world sees them, and what goes wrong with their answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["model", "search", "page"]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one answer; each field on its own.

    Attributes:
        status: of HTTP, with the provider's own words.
        headers: of the answer.
        wait: seconds before the answer, besides the usual ones.
        cut: the connection breaks in the midst of the answer.
        text: of the model, in place of what it would have said.
        finish: why the model stopped.
        body: in place of all that would have been sent, with its media type.
        size: bytes of a page that does not end before.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: bool = False
    text: str | None = None
    finish: str = ""
    body: tuple[bytes, str] | None = None
    size: int = 0


NEVER = Fault(wait=3600.0)


@dataclass
class Call:
    """One request as the world saw it. Times are of `time.monotonic`; `sent` is None until then.

    Attributes:
        kind: whom it asked.
        name: the model's task, the search's engine, the page's path.
        about: the section, the question or the query.
        chain: requests of one chain follow each other, each made with the answer to the last one.
        key: the same for the same request.
        number: how many of this kind came before it.
        again: how often the very same request came before.
        attempt: how often one of the same `name` and `about` came before.
    """

    kind: Kind
    name: str
    about: str
    chain: str
    key: str
    number: int
    again: int
    attempt: int
    came: float
    sent: float | None = None
    faulty: bool = False

    @property
    def finished(self) -> bool:
        """Whether it was answered wholly and well."""
        return self.sent is not None and not self.faulty


Rule = Callable[[Call], Fault | None]
"""What is wrong with a request; None where nothing is."""


@dataclass(frozen=True)
class Delays:
    """Seconds that an answer takes."""

    model: float = 0.3
    search: float = 0.2
    page: float = 0.1
