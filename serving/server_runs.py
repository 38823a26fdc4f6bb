"""Reports written on a LangGraph server: `langgraph dev`, Aegra, or LangGraph's own.

Server and page use one database. The page begins the report and follows its run; the server's
`save` finds what was begun by the thread.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIError

from library.library import open_library
from library.saved_reports import SavedReport
from schema.access import Member
from schema.errors import QuireError
from serving.reports import ReportOutcome
from serving.runs import OnEvent
from serving.stored_reports import list_messages, remove_report, restore_context
from team.passes import make_pass

TRIES = 5
"""How often a stream that broke is taken up again, where it was."""


class ServerWriter:
    """Writes reports on a server. Its face is `serving.live_runs.Writer`."""

    def __init__(self, url: str, *, signs_in: bool = False) -> None:
        """Args: url: of the server; signs_in: whether it asks who comes (QUIRE_TEAM_SECRET)."""
        self._url = url
        self._signs_in = signs_in

    async def write(
        self, begun: SavedReport, on_event: OnEvent, member: Member, answer: object
    ) -> ReportOutcome:
        """Write a report that was begun, or go on with it; see `serving.reports.write_report`.

        Raises:
            QuireError: the run failed, or the server does not answer; it can be gone on with.
        """
        headers = {"authorization": f"Bearer {make_pass(member)}"} if self._signs_in else {}
        client = get_client(url=self._url, headers=headers)
        try:
            return await self._run(client, begun, on_event, member, answer)
        except (APIError, httpx.HTTPError) as error:
            raise QuireError(
                f"The server that writes reports does not answer ({type(error).__name__}): try "
                "again, or look whether it runs."
            ) from error
        finally:
            await client.aclose()

    async def _run(
        self,
        client: LangGraphClient,
        begun: SavedReport,
        on_event: OnEvent,
        member: Member,
        answer: object,
    ) -> ReportOutcome:
        thread = begun.thread
        await client.threads.create(thread_id=thread, if_exists="do_nothing")
        state = await client.threads.get_state(thread)
        if state["values"] and answer is None and _list_interrupts(state):
            return ReportOutcome(None, asks=_list_interrupts(state)[0])
        given: dict[str, Any] = {}
        if state["checkpoint"]:  # where it stopped: Aegra wants to be told
            given = {"checkpoint_id": state["checkpoint"]["checkpoint_id"]}
        if answer is not None:
            given = {"command": {"resume": answer}}
        elif not state["values"]:
            given = {"input": {"messages": list_messages(begun)}}
        context = restore_context(begun).model_dump(exclude_defaults=True)
        run = await client.runs.create(
            thread,
            "report",
            context=context,
            stream_mode=["custom"],
            stream_subgraphs=True,
            stream_resumable=True,
            multitask_strategy="reject",
            **given,
        )
        try:
            async for event in _follow(client, thread, run["run_id"]):
                on_event(event)
        except asyncio.CancelledError:
            await asyncio.shield(client.runs.cancel(thread, run["run_id"], wait=True))
            raise
        return await _read_outcome(client, begun, run["run_id"], member)


async def _follow(client: LangGraphClient, thread: str, run: str) -> AsyncIterator[Any]:
    """The events of a run, each once, also where the connection breaks in between."""
    last: str | None = None
    for number in range(1, TRIES + 1):
        try:
            async for part in client.runs.join_stream(
                thread, run, stream_mode=["custom"], last_event_id=last
            ):
                last = part.id or last
                if part.event.split("|")[0] == "custom":
                    yield part.data
        except httpx.HTTPError:
            if number == TRIES:
                raise
            await asyncio.sleep(number)
            continue
        return


async def _read_outcome(
    client: LangGraphClient, begun: SavedReport, run: str, member: Member
) -> ReportOutcome:
    state = await client.threads.get_state(begun.thread)
    ended = await client.runs.get(begun.thread, run)
    if interrupts := _list_interrupts(state):
        return ReportOutcome(None, asks=interrupts[0])
    if ended["status"] not in ("success", "interrupted"):
        raise QuireError(
            f"The report could not be written: the server's run ended in {ended['status']}."
        )
    library = await open_library(begun.space, begun.owner, member.names)
    saved = await library.load_report(begun.id)
    if saved is not None and saved.report is not None:
        return ReportOutcome(saved.report)
    await remove_report(begun.id, member)
    values: Any = state["values"]
    return ReportOutcome(None, str(values["messages"][-1]["content"]))


def _list_interrupts(state: Any) -> list[dict[str, Any]]:
    """What a thread waits to be answered."""
    tasks = state.get("tasks") or []
    return [one["value"] for task in tasks for one in task.get("interrupts") or []]
