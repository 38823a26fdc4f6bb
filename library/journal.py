"""What a run has paid for: each answer is on record before anything else happens with it.

A run that was killed is gone on with from its last checkpoint, and the step under way is done
again. What that step had asked, of a model or of the web, is then taken from here. Two steps that
ask the same at the same time ask once.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

from library.session import Session

_OF_RUN = "quire.journal WHERE user_id = %(user)s AND run = %(run)s"

ABANDONED_DAYS = 30
"""Days after which the record of a run that never came to its end is dropped."""


class Journal:
    """The record of one run. It opens the database when it is first asked."""

    def __init__(self, user: str, run: str) -> None:
        self.user = user
        self._run = run

    async def once(self, asked: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """What was asked and answered before in this run; else what `make` returns, recorded.

        Who stops waiting stops `make`, unless somebody else waits for it as well. What `make`
        raises is not recorded.

        Args:
            asked: stands for all that the answer depends on.
            make: asks; its result is made of what JSON knows.
        """
        under_way = _running.setdefault(asyncio.get_running_loop(), {})
        digest = blake2b(asked.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        name = (self.user, self._run, digest)
        shared = under_way.get(name)
        if shared is None:
            shared = under_way[name] = _SharedTask(
                asyncio.create_task(self._load_or_make(name[2], make))
            )
            shared.task.add_done_callback(lambda _: under_way.pop(name, None))
        return await shared.wait()

    async def _load_or_make(self, key: str, make: Callable[[], Awaitable[Any]]) -> Any:
        known = await self._fetch(f"SELECT answer FROM {_OF_RUN} AND key = %(key)s", key=key)
        if known:
            return json.loads(known[0][0])
        answer = await make()
        await self._fetch(
            "INSERT INTO quire.journal (user_id, run, key, answer) "
            "VALUES (%(user)s, %(run)s, %(key)s, %(answer)s) ON CONFLICT DO NOTHING RETURNING 1",
            key=key,
            answer=json.dumps(answer),
        )
        return answer

    async def list_answers(self) -> list[Any]:
        """All that is on record, in no order."""
        return [
            json.loads(answer) for (answer,) in await self._fetch(f"SELECT answer FROM {_OF_RUN}")
        ]

    async def find_start(self) -> datetime | None:
        """When the run's first answer was recorded; None before."""
        [(began,)] = await self._fetch(f"SELECT min(recorded) FROM {_OF_RUN}")
        return began  # type: ignore[no-any-return]  # of the column's type

    async def close(self) -> None:
        """Forget a run that has come to its end, and those that were abandoned."""
        await self._fetch(
            "DELETE FROM quire.journal WHERE user_id = %(user)s "
            "AND (run = %(run)s OR recorded < now() - make_interval(days => %(days)s)) RETURNING 1",
            days=ABANDONED_DAYS,
        )

    async def _fetch(self, statement: str, **values: object) -> list[Any]:
        from library.database.connections import open_database

        session = Session(await open_database(), self.user, "")
        return await session.fetch(statement, run=self._run, **values)


@dataclass
class _SharedTask:
    """A question under way, and how many wait for its answer."""

    task: asyncio.Task[Any]
    waiting: int = 0

    async def wait(self) -> Any:
        self.waiting += 1
        try:
            return await asyncio.shield(self.task)
        except asyncio.CancelledError:
            if self.waiting == 1:
                self.task.cancel()
                await asyncio.gather(self.task, return_exceptions=True)
            raise
        finally:
            self.waiting -= 1


_running: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str, str], _SharedTask]] = (
    WeakKeyDictionary()
)
