"""Work that outlives who asked for it: syncs of sources and watches over reports, by workers.

This file alone knows which queue it is (procrastinate, in the library's database). Of one source
never two syncs run at once, and never two are queued; what a killed worker had begun is taken over
by another, and a sync goes on where it was.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from procrastinate import App, JobContext
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Status

from library.database.connections import open_database
from library.database.job_queue import make_connector
from schema.access import Member, check_owner, find_owner, name_space
from schema.errors import InputError
from serving.retention import remove_old_reports
from serving.stored_reports import load_report
from serving.sync_job import FindMember, SyncRetry, find_job_member, sync
from serving.watch import check_watchable
from serving.watch_job import watch
from team.audit import record_as
from team.job_progress import forget_failures, forget_progress, load_progress
from team.schedules import Schedule, list_schedules, set_schedule, take_due
from team.store import TeamStore, open_team

CONCURRENCY = 4
"""Syncs that a worker does at once."""

HEARTBEAT_SECONDS, STALLED_SECONDS = 5.0, 20.0
"""A worker tells that it lives; whose word is missing for so long has its jobs taken over."""

LONGEST_SECONDS = 86_400.0
"""A sync may take that is done by a worker which then ends."""

KEPT_HOURS = 72
"""How long jobs at their end are listed."""

WATCHED = "report:"
"""How the name of a schedule begins that watches a report; the report's id follows."""

JobState = Literal["todo", "doing", "succeeded", "failed", "cancelled", "aborted"]


@dataclass(frozen=True, kw_only=True)
class SyncJob:
    """A sync as a list shows it; `documents`: seen so far.

    `failure` says why it was to no avail, or what was not read.
    """

    id: int
    source: str
    space: str
    state: JobState
    attempts: int
    documents: int
    failure: str
    begun: datetime | None

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state not in ("todo", "doing")


__all__ = ["Jobs", "Schedule", "SyncJob", "find_job_member", "open_jobs"]


async def _queue_due(context: JobContext, timestamp: int) -> None:  # noqa: ARG001  (the queue's)
    await Jobs(context.app, await open_team()).queue_due(datetime.now(UTC))


async def _take_over(context: JobContext, timestamp: int) -> None:  # noqa: ARG001  (the queue's)
    await Jobs(context.app, await open_team()).take_over()


async def _remove_old(context: JobContext, timestamp: int) -> None:  # noqa: ARG001  (the queue's)
    await remove_old_reports(datetime.now(UTC))


class Jobs:
    """The queue. Make it with `open_jobs`."""

    def __init__(self, app: App, team: TeamStore) -> None:
        self._app = app
        self._team = team

    async def queue_sync(
        self, source: str, space: str, member: Member, *, full: bool = False
    ) -> int | None:
        """Have a source synced; returns the job, or None where it is queued already.

        Args:
            source: `connector:location`, as `serving.sources.list_sources` names it.
            space: whose source it is, as the member names it.
            member: in whose name.
            full: look again also at what seemed done.

        Raises:
            AccessError: the member is no curator of the space.
            LibraryError: the database does not answer.
        """
        owner, name = find_owner(space, member, "curator")
        return await self._queue(source, owner, name, member.identity, full)

    async def schedule(
        self, source: str, space: str, member: Member, every: timedelta | None
    ) -> None:
        """Have a source synced every so often; None: no longer.

        Raises:
            AccessError: the member is no curator of the space.
            InputError: that is too often.
        """
        owner, name = find_owner(space, member, "curator")
        await set_schedule(self._team, member, owner, name, source, every)

    async def schedule_watch(self, report: str, member: Member, every: timedelta | None) -> None:
        """Have a report watched every so often; None: no longer.

        Raises:
            AccessError: the member is no curator of the report's space.
            InputError: there is no such report, or that is too often.
            QuireError: it is not finished.
        """
        kept = await load_report(report, member=member)
        check_watchable(kept)
        name = f"{WATCHED}{report}"
        await set_schedule(self._team, member, kept.owner, kept.space, name, every)

    async def queue_due(self, now: datetime) -> int:
        """Queue what is due by its schedule; returns how many, without those queued already."""
        due = await take_due(self._team, now)
        made = [
            await self._queue_watch(one.source.removeprefix(WATCHED), one.identity)
            if one.source.startswith(WATCHED)
            else await self._queue(
                one.source, one.owner, one.space, one.identity, full=False, by="schedule"
            )
            for one in due
        ]
        return sum(job is not None for job in made)

    async def take_over(self) -> None:
        """Queue again what workers had begun that are gone, and forget what is long done."""
        manager = self._app.job_manager
        for job in await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
            try:
                await manager.retry_job(job)
            except ConnectorException:  # it was queued anew meanwhile
                await manager.finish_job(job, status=Status.FAILED, delete_job=False)
        await manager.delete_old_jobs(
            nb_hours=KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )
        await forget_progress(self._team, timedelta(hours=KEPT_HOURS))

    async def list_schedules(self, member: Member) -> list[Schedule]:
        """The schedules of all spaces that a member may read."""
        return await list_schedules(self._team, member)

    async def list_syncs(self, member: Member, space: str = "") -> list[SyncJob]:
        """The syncs of a space, or of all that a member may read, the newest first; at most 200.

        Raises:
            AccessError: the member may not read the space.
        """
        owner, name = find_owner(space, member, "reader") if space else ("", "")
        found = await self._app.connector.execute_query_all_async(
            "SELECT j.id, j.args, j.status::text, j.attempts, "
            "(SELECT max(at) FROM procrastinate_events e WHERE e.job_id = j.id "
            "AND e.type = 'started') AS begun FROM procrastinate_jobs j "
            "WHERE j.task_name = %(task)s AND j.args->>'owner' = ANY(%(owners)s) "
            "AND (%(space)s = '' OR j.args->>'space' = %(space)s) "
            "ORDER BY j.id DESC LIMIT 200",
            task="sync",
            owners=[owner] if owner else member.owners,
            space=name,
        )
        seen = await load_progress(self._team, [row["id"] for row in found])
        return [
            SyncJob(
                id=row["id"],
                source=row["args"]["source"],
                space=name_space(row["args"]["owner"], row["args"]["space"]),
                state=row["status"],
                attempts=row["attempts"],
                documents=seen.get(row["id"], (0, ""))[0],
                failure=seen.get(row["id"], (0, ""))[1],
                begun=row["begun"],
            )
            for row in found
        ]

    async def cancel(self, job: int, member: Member) -> None:
        """End a sync, also one under way: what it stored stays.

        Raises:
            InputError: there is none that the member may see, or it has ended.
            AccessError: the member is no curator of its space.
        """
        held = await self._app.job_manager.list_jobs_async(id=job)
        args: dict[str, Any] = next((one.task_kwargs for one in held), {})
        if args.get("owner") not in member.owners:
            raise InputError(f"There is no job {job}.")
        check_owner(args["owner"], member, "curator")
        if not await self._app.job_manager.cancel_job_by_id_async(job, abort=True):
            raise InputError(f"The job {job} has ended already.")

    async def cancel_syncs(self, source: str, space: str, member: Member) -> None:
        """End the syncs of a source: they would make it again after it was removed.

        Raises:
            AccessError: the member is no curator of the space.
        """
        for one in await self.list_syncs(member, space):
            if one.source == source and not one.ended:
                with suppress(InputError):  # it has ended meanwhile
                    await self.cancel(one.id, member)

    async def forget_failures(self, space: str, member: Member) -> None:
        """Show no longer why syncs of a space failed.

        Raises:
            AccessError: the member is no curator of the space.
        """
        find_owner(space, member, "curator")
        syncs = await self.list_syncs(member, space)
        await forget_failures(self._team, [one.id for one in syncs if one.ended])

    async def work(self, find_member: FindMember, *, wait: bool = True) -> None:
        """Do jobs until cancelled; not `wait`: until none is left. Those under way are given back.

        Args:
            find_member: the member in whose name a job is done.
            wait: for further ones.
        """
        await self._app.run_worker_async(
            concurrency=CONCURRENCY,
            wait=wait,
            install_signal_handlers=False,
            shutdown_graceful_timeout=HEARTBEAT_SECONDS if wait else LONGEST_SECONDS,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=STALLED_SECONDS,
            additional_context={"find_member": find_member},
        )

    async def _queue(
        self, source: str, owner: str, space: str, identity: str, full: bool, by: str = ""
    ) -> int | None:
        lock = f"{owner}/{space}/{source}"
        deferrer = self._app.configure_task("sync", lock=lock, queueing_lock=lock)
        try:
            job = await deferrer.defer_async(
                source=source, owner=owner, space=space, identity=identity, full=full
            )
        except AlreadyEnqueued:
            return None
        told = {"space": name_space(owner, space), "job": job, **({"by": by} if by else {})}
        await record_as(self._team, identity, "source.synced", source, **told)
        return job

    async def _queue_watch(self, report: str, identity: str) -> int | None:
        lock = f"{WATCHED}{report}"
        deferrer = self._app.configure_task("watch", lock=lock, queueing_lock=lock)
        try:
            return await deferrer.defer_async(report=report, identity=identity)
        except AlreadyEnqueued:
            return None


@asynccontextmanager
async def open_jobs() -> AsyncIterator[Jobs]:
    """The queue of the database that the settings name.

    Raises:
        LibraryError: the database cannot be used.
    """
    app = App(connector=await make_connector(await open_database()))
    app.task(name="sync", pass_context=True, retry=SyncRetry())(sync)
    app.task(name="watch", pass_context=True, retry=SyncRetry())(watch)
    for work, when in (
        (_queue_due, "* * * * *"),
        (_take_over, "* * * * * */15"),
        (_remove_old, "17 * * * *"),
    ):
        name = work.__name__.strip("_")
        task = app.task(name=name, pass_context=True, queueing_lock=name)(work)
        app.periodic(cron=when)(task)
    async with app.open_async():
        yield Jobs(app, await open_team())
