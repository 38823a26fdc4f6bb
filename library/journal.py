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

from library.database.connections import open_database

ABANDONED_DAYS = 30
"""Days after which the record of a run that never came to its end is dropped."""


class Journal:
    """The record of one run. It opens the database when it is first asked."""

    def __init__(self, user: str, run: str) -> None:
        self._user = user
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
        name = (self._user, self._run, digest)
        shared = under_way.get(name)
        if shared is None:
            shared = under_way[name] = _SharedTask(
                asyncio.create_task(self._load_or_make(name[2], make))
            )
            shared.task.add_done_callback(lambda _: under_way.pop(name, None))
        return await shared.wait()

    async def _load_or_make(self, key: str, make: Callable[[], Awaitable[Any]]) -> Any:
        opened = await open_database()
        async with opened.session(self._user) as connection:
            cursor = await connection.execute(
                "SELECT answer FROM quire.journal WHERE user_id = %s AND run = %s AND key = %s",
                (self._user, self._run, key),
            )
            row = await cursor.fetchone()
        if row is not None:
            return json.loads(row[0])
        answer = await make()
        async with opened.session(self._user) as connection:
            await connection.execute(
                "INSERT INTO quire.journal (user_id, run, key, answer) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                (self._user, self._run, key, json.dumps(answer)),
            )
        return answer

    async def find_start(self) -> datetime | None:
        """When the run's first answer was recorded; None before."""
        async with (await open_database()).session(self._user) as connection:
            cursor = await connection.execute(
                "SELECT min(recorded) FROM quire.journal WHERE user_id = %s AND run = %s",
                (self._user, self._run),
            )
            row = await cursor.fetchone()
        began: datetime | None = row[0] if row else None
        return began

    async def close(self) -> None:
        """Forget a run that has come to its end, and those that were abandoned."""
        async with (await open_database()).session(self._user) as connection:
            await connection.execute(
                "DELETE FROM quire.journal WHERE user_id = %s "
                "AND (run = %s OR recorded < now() - make_interval(days => %s))",
                (self._user, self._run, ABANDONED_DAYS),
            )


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
