"""Turns: how much is asked of a model or a source at once, in a process or over all workers."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from schema.concurrency import get_semaphore


@dataclass
class Turn:
    """A turn that was taken. Who took it notes what it cost before it ends, money in US dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0


class TurnKeeper(Protocol):
    """Gives out turns over all workers; see `team.turns`."""

    def take(self, name: str, size: int, user: str) -> AbstractAsyncContextManager[Turn]:
        """A turn of this name, of which there are `size` at once; waits until it has come."""
        ...


_keepers: list[TurnKeeper] = []


def share_turns(keeper: TurnKeeper | None) -> None:
    """Have this process take its turns beside all others; None: by itself again."""
    _keepers[:] = [keeper] if keeper else []


@asynccontextmanager
async def take_turn(name: str, size: int, user: str = "") -> AsyncIterator[Turn]:
    """A turn of this name, of which there are `size` at once; waits until it has come.

    Args:
        name: what is asked.
        size: turns at once, on this event loop, and over all workers where turns are shared.
        user: in whose name; shared turns are dealt out fairly between users.
    """
    async with get_semaphore(name, size):
        if not _keepers:
            yield Turn()
            return
        async with _keepers[0].take(name, size, user) as turn:
            yield turn
