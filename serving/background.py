"""Work of this process that goes on when its request is answered: revisions, answers.

Who asks may look at it later by its key, whose first parts say what it belongs to.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from schema.concurrency import is_waited_for
from schema.errors import InputError, QuireError
from schema.events import Event
from serving.runs import OnEvent

_log = logging.getLogger("quire")

Key = tuple[str, ...]

MAX_FAILED_KEPT = 200
"""Failures that are kept to be shown."""


@dataclass
class Job:
    """Work under way, or that failed; `says` is where it is, or why it failed, in a sentence.

    That may name documents which not all may read who see that there is work: `asked_by` may.
    """

    title: str
    state: Literal["running", "failed"] = "running"
    says: str = ""
    asked_by: str = ""


class Background:
    """The jobs of this process. One that did what it should is forgotten."""

    def __init__(self) -> None:
        self._jobs: dict[Key, Job] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._changed, self._changes = asyncio.Event(), 1

    def start(
        self,
        key: Key,
        title: str,
        work: Callable[[OnEvent], Awaitable[object]],
        asked_by: str = "",
    ) -> None:
        """Begin a job.

        Args:
            key: what it is of.
            title: what it does, as its reader is told.
            work: does it, and tells its progress.
            asked_by: identity of who wants it.

        Raises:
            InputError: the job of this key is under way.
        """
        if key in self._tasks:
            raise InputError("This is being done already: wait until it has ended.")
        job = self._jobs[key] = Job(title, asked_by=asked_by)
        self._tasks[key] = asyncio.create_task(self._do(key, job, work))
        self._forget_oldest()
        self._wake()

    def find(self, *key: str) -> list[Job]:
        """The jobs whose keys begin with these parts."""
        return [job for name, job in self._jobs.items() if name[: len(key)] == key]

    def forget(self, *key: str) -> None:
        """Show no failures any more of the jobs whose keys begin with these parts."""
        for name in [one for one in self._jobs if one[: len(key)] == key]:
            if name not in self._tasks:
                del self._jobs[name]

    async def wait_for_change(self, seen: int) -> int:
        """Wait until more than `seen` changes came of jobs; returns how many. Begin with 0."""
        while self._changes == seen:
            await self._changed.wait()
        return self._changes

    async def close(self) -> None:
        """Stop all jobs."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, key: Key, job: Job, work: Callable[[OnEvent], Awaitable[object]]) -> None:
        def tell(event: Event) -> None:
            if says := describe_event(event):
                job.says = says
                self._wake()

        is_waited_for.set(False)  # the request is answered
        try:
            await work(tell)
        except QuireError as error:
            job.state, job.says = "failed", str(error)
        except Exception:  # noqa: BLE001  (the job is shown as failed, whatever ended it)
            _log.exception("background job %s", key[0])
            job.state = "failed"
            job.says = "A fault of Quire's own ended this: see the server's log."
        else:
            del self._jobs[key]
        finally:
            del self._tasks[key]
            self._wake()

    def _forget_oldest(self) -> None:
        ended = [key for key in self._jobs if key not in self._tasks]
        for key in ended[: max(0, len(ended) - MAX_FAILED_KEPT)]:
            del self._jobs[key]

    def _wake(self) -> None:
        self._changes += 1
        self._changed.set()
        self._changed = asyncio.Event()


def describe_event(event: Event) -> str:
    """What is being done, in a few words; "" where an event tells nothing new."""
    match event["type"]:
        case "question":
            return "Planning."
        case "outline" | "outline_revised":
            return "Asking the sources."
        case "searched":
            return f"Asking the sources: “{event['question'][:100]}”."
        case "pages":
            return "Reading pages."
        case "pool":
            return f"Writing from {event['passages']} passages of {event['sources']} sources."
        case "written":
            return f"Wrote “{event['title'][:100]}”."
        case "step":
            return event["why"][:200] or event["action"]
        case "ingested":
            return f"Reading {event['uri'].rsplit('/', 1)[-1][:100]}."
        case "embedded":
            return "Reading what the passages mean."
        case _:
            return ""
