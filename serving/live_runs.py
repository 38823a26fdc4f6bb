"""Reports that are being written, to be looked at while they are: here, or on a LangGraph server.

A page that is opened late, or again, gets all events from the first one. What a restart ends is
unfinished, and goes on with `resume`.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Protocol
from uuid import uuid4

from anyio import CancelScope

from library.saved_reports import SavedReport
from nodes.common.ceiling import list_unpriced
from schema.access import Member, check_owner
from schema.concurrency import is_waited_for
from schema.context import Context
from schema.errors import InputError, QuireError
from schema.events import Event
from schema.report import Report
from schema.settings import get_settings
from serving.conversation import Turn
from serving.live_run import LiveRun, RunState, WaitingRun
from serving.pauses import PausedError
from serving.reports import ReportOutcome, begin_report, write_report
from serving.run_records import record_asked, record_ended
from serving.runs import OnEvent
from serving.stored_reports import load_report, remove_report
from team.limits import check_limits
from team.store import open_team
from team.usage import note_run

_log = logging.getLogger("quire")

MAX_RUNS_KEPT = 200
"""Runs at their end whose events are kept."""


Announce = Callable[[SavedReport, RunState], Awaitable[None]]
"""Takes a report and how its run ended, before anybody else hears of it."""


class Writer(Protocol):
    """Writes reports elsewhere than in this process."""

    async def write(
        self, begun: SavedReport, on_event: OnEvent, member: Member, answer: object
    ) -> ReportOutcome:
        """As `serving.reports.write_report`; stops the run when it is cancelled."""
        ...


class LiveRuns:
    """The runs of this process; of more than `QUIRE_RUNS_AT_ONCE` the others wait for a turn."""

    def __init__(
        self,
        on_event: OnEvent = lambda _: None,
        on_end: Callable[[RunState], None] = lambda _: None,
        writer: Writer | None = None,
        announce: Announce | None = None,
    ) -> None:
        """Runs of this process, or of a server.

        Args:
            on_event: takes the events of all runs.
            on_end: is told how each run came to its end.
            writer: writes reports elsewhere; see `serving.server_runs`.
            announce: is told of each report at its end.
        """
        self._announce = announce
        self._writer = writer
        self._on_event = on_event
        self._on_end = on_end
        self._runs: dict[str, LiveRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._queue: list[WaitingRun] = []

    def find(self, identity: str) -> LiveRun | None:
        """The run of a report, if it was written in this process; who may see it is not asked."""
        return self._runs.get(identity)

    async def start(
        self,
        question: str,
        context: Context,
        member: Member,
        conversation: Sequence[Turn] = (),
        webhook: str = "",
    ) -> str:
        """Begin a report and write it in the background; returns its id.

        Args:
            question: what it answers.
            context: settings of its run.
            member: who asks.
            conversation: the turns before the question.
            webhook: address that is told of its end, beside those of the installation.

        Raises:
            InputError: there is no question, or the space is not the member's.
            LimitError: the member has used what they may.
        """
        team = await open_team()
        await check_limits(team, member, self._count(member), list_unpriced(context))
        thread = str(uuid4()) if self._writer else ""
        begun = await begin_report(
            question, context, member, thread, conversation=conversation, webhook=webhook
        )
        await note_run(team, member.identity)
        await record_asked(begun, context, member)
        self._go_on(begun, member, is_new=True)
        return begun.id

    def count_states(self) -> Counter[RunState]:
        """How many runs are in each state, of those that are kept."""
        return Counter(run.state for run in self._runs.values())

    def find_place(self, identity: str) -> int:
        """How many runs come before one that waits, and itself; 0 for one that does not."""
        return next((n for n, one in enumerate(self._sort(), 1) if one.run.begun.id == identity), 0)

    async def resume(self, identity: str, member: Member, answer: object = None) -> None:
        """Go on with a report where its run stopped, or waits for an answer.

        Args:
            identity: of the report.
            member: who asks for it.
            answer: "accept", or the outline in place of the one that was asked about.

        Raises:
            InputError: there is no such report, it is being written, or it is another's.
        """
        kept = await load_report(identity, member=member)
        check_owner(kept.owner, member, "writer")
        if identity in self._tasks or self.find_place(identity):
            raise InputError("This report is being written already.")
        self._go_on(kept, member, answer)

    async def stop(self, identity: str, member: Member) -> None:
        """Stop a run; it can be gone on with.

        Raises:
            InputError: there is no such report, or it is another's.
        """
        kept = await load_report(identity, member=member)
        check_owner(kept.owner, member, "writer")
        for one in [one for one in self._queue if one.run.begun.id == identity]:
            self._queue.remove(one)
            one.run.enter("stopped")
        if task := self._tasks.get(identity):
            task.cancel()
            await asyncio.wait([task])

    async def follow(
        self, identity: str, after: int = 0
    ) -> AsyncGenerator[tuple[int, LiveRun], None]:
        """Yields (number of events, run) whenever there is more than before, until its end.

        Args:
            identity: of a report that `find` knows.
            after: how many events were seen.
        """
        run, state = self._runs[identity], ""
        run.followers += 1
        try:
            while True:
                if len(run.events) > after or run.state != state:
                    after, state = len(run.events), run.state
                    yield after, run
                elif run.ended:
                    return
                else:
                    await run.wait_for_change()
        finally:
            run.followers -= 1

    @asynccontextmanager
    async def attend(
        self, identity: str, member: Member
    ) -> AsyncIterator[AsyncIterator[tuple[int, LiveRun]]]:
        """`follow` for whom the run is for: it stops if they leave and nobody else looks on."""
        run = self._runs[identity]
        try:
            async with aclosing(self.follow(identity)) as seen:
                yield seen
        finally:
            if not run.ended and run.state != "asking" and not run.followers:
                with CancelScope(shield=True):  # else a cancelled request could wait for nothing
                    await self.stop(identity, member)

    async def close(self) -> None:
        """Stop all runs; they can be gone on with."""
        self._queue.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _go_on(
        self, begun: SavedReport, member: Member, answer: object = None, *, is_new: bool = False
    ) -> None:
        run = self._runs.setdefault(begun.id, LiveRun(begun, member))
        run.member = member
        run.enter("waiting")
        self._queue.append(WaitingRun(run, answer, is_new))
        self._begin_next()
        self._forget_oldest()

    def _begin_next(self) -> None:
        """Begin what waits, as far as there are turns."""
        while self._queue and len(self._tasks) < get_settings().runs_at_once:
            one = self._sort()[0]
            self._queue.remove(one)
            one.run.enter("running")
            identity = one.run.begun.id
            task = asyncio.create_task(self._write(one.run, one.answer, one.is_new))
            self._tasks[identity] = task
            task.add_done_callback(partial(self._end, identity))

    def _tell(self, run: LiveRun, event: Event) -> None:
        run.add(event)
        self._on_event(event)

    def _end(self, identity: str, _: object) -> None:
        self._tasks.pop(identity, None)
        self._begin_next()

    def _sort(self) -> list[WaitingRun]:
        """What waits, in the order in which it comes: each member in turn, then who came first."""
        counts: Counter[str] = Counter()
        for name in self._tasks:
            counts[self._runs[name].member.identity] += 1
        shares = []
        for place, one in enumerate(self._queue):
            counts[one.run.member.identity] += 1
            shares.append((counts[one.run.member.identity], place, one))
        return [one for _, _, one in sorted(shares, key=lambda share: share[:2])]

    def _count(self, member: Member) -> int:
        states = ("running", "waiting")
        runs = self._runs.values()
        return sum(run.state in states and run.member.identity == member.identity for run in runs)

    async def _write(self, run: LiveRun, answer: object, is_new: bool) -> None:
        is_waited_for.set(False)  # it was begun by a request, which is answered
        try:
            write = self._writer.write if self._writer else write_report
            outcome = await write(run.begun, partial(self._tell, run), run.member, answer)
        except asyncio.CancelledError:
            await self._close_run(run, "stopped")
            raise
        except PausedError:
            await self._close_run(run, "stopped")
        except QuireError as error:
            if is_new and isinstance(error, InputError):  # there is nothing to go on with
                await remove_report(run.begun.id, run.member)
            await self._close_run(run, "failed", str(error))
        except Exception:  # noqa: BLE001  (the run is shown as failed, whatever ended it)
            _log.exception("report %s", run.begun.id)
            why = "A fault of Quire's own ended this: see the server's log."
            await self._close_run(run, "failed", why)
        else:
            run.answered = outcome.asks is None and outcome.report is None
            if outcome.asks is not None:
                run.outline = outcome.asks
                run.enter("asking", str(outcome.asks.get("problem", "")))
            else:
                state: RunState = "finished" if outcome.report else "failed"
                await self._close_run(run, state, outcome.reason, outcome.report)

    async def _close_run(
        self, run: LiveRun, state: RunState, reason: str = "", report: Report | None = None
    ) -> None:
        """Show that a run has come to its end, once that is on record."""
        try:
            await record_ended(run.begun.id, run.member, state, run.events, report)
            if self._announce:
                await self._announce(run.begun, state)
        except QuireError:  # the report itself is well
            _log.exception("the end of report %s is not on record", run.begun.id)
        finally:
            run.enter(state, reason)
        self._on_end(state)

    def _forget_oldest(self) -> None:
        ended = [name for name, run in self._runs.items() if run.ended]
        for name in ended[: max(0, len(ended) - MAX_RUNS_KEPT)]:
            del self._runs[name]
