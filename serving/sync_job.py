"""What a worker does for one sync: reads the source, in the name of who asked for it.

How far it came is written down as it goes, for whoever looks on from another process.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from procrastinate import JobContext, RetryDecision, RetryStrategy
from procrastinate.exceptions import JobAborted
from procrastinate.job_context import AbortReason
from procrastinate.jobs import Job

from schema.access import LOCAL_USER, Member, name_space
from schema.context import Context
from schema.errors import ConnectorError, LibraryError, QuireError
from schema.events import Event
from schema.state import IngestState
from serving.runs import run_ingest
from team.accounts import find_member
from team.job_progress import note_progress
from team.store import open_team

_log = logging.getLogger("quire")

PROGRESS_SECONDS = 1.0
"""How often a sync writes down how far it came."""

MAX_NAMED = 3
"""Documents that were not read and are named."""

FindMember = Callable[[str], Awaitable[Member]]
"""The member of an identity as they are now; raises `AccessError` where they may no longer."""


class SyncRetry(RetryStrategy):
    """After 5, 25 and 125 s where a source or the database was away; else not at all.

    What a worker that is stopped had begun is given to another at once.
    """

    def __init__(self) -> None:
        away = [ConnectorError, LibraryError]
        super().__init__(max_attempts=4, exponential_wait=5, retry_exceptions=away)

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When a job is tried again; None: never."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        return super().get_retry_decision(exception=exception, job=job)


async def find_job_member(identity: str) -> Member:
    """The member of an identity, with the roles that they have now.

    Raises:
        AccessError: they may not come in any more.
    """
    return await find_member(await open_team(), identity)


async def sync(
    context: JobContext, *, source: str, owner: str, space: str, identity: str, full: bool
) -> None:
    """Read one source; held to what its member may do now, not when it was queued."""
    assert context.job.id is not None  # noqa: S101  (it was stored)
    try:
        async with _note_progress(context.job.id) as progress:
            member = await context.additional_context["find_member"](identity)
            where = Context(space=name_space(owner, space))
            asks = (
                None if member.identity == LOCAL_USER else member
            )  # on their own machine they may
            state = await run_ingest([source], where, progress.tell, full=full, member=asks)
            progress.left_out = _describe_skipped(state)
    except asyncio.CancelledError:
        if context.abort_reason() == AbortReason.USER_REQUEST:
            raise JobAborted from None
        raise


def _describe_skipped(state: IngestState) -> str:
    reasons = [one["reason"] for one in state["skipped"]]
    more = f" and {len(reasons) - MAX_NAMED} more" if len(reasons) > MAX_NAMED else ""
    return f"Not read: {'; '.join(reasons[:MAX_NAMED])}{more}." if reasons else ""


class _Progress:
    """Documents that a sync has seen, and what of them was not read."""

    def __init__(self) -> None:
        self.seen, self.left_out = 0, ""

    def tell(self, event: Event) -> None:
        self.seen += event["type"] == "ingested"


@asynccontextmanager
async def _note_progress(job: int) -> AsyncIterator[_Progress]:
    """Writes down now and then how far a sync came, and what became of it in the end."""
    team, progress = await open_team(), _Progress()

    async def note_again_and_again() -> None:
        noted = 0
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            if progress.seen != noted:
                noted = progress.seen
                await note_progress(team, job, noted)

    noting = asyncio.create_task(note_again_and_again())
    try:
        yield progress
        await note_progress(team, job, progress.seen, progress.left_out)
    except QuireError as error:
        await note_progress(team, job, progress.seen, str(error))
        raise
    except Exception:
        why = "A fault of Quire's own ended this: see the worker's log."
        await note_progress(team, job, progress.seen, why)
        raise
    finally:
        noting.cancel()
        await asyncio.gather(noting, return_exceptions=True)
