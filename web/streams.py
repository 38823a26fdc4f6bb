"""Progress as server-sent events: a page of HTML parts, a sentence, and the end.

Each event has the number of what was seen as its id. A browser that comes back with the last one
gets what is new since; each event shows all there is, so nothing is lost in between.
"""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import StreamingResponse

from serving.background import Job
from serving.live_run import LiveRun
from web.found import find_jobs, find_report, get_background, get_runs, is_own
from web.run_view import view_run
from web.templates import render_part

BEAT_SECONDS = 15.0
"""After which a silent stream says that it lives: proxies close those that say nothing."""

LOOK_SECONDS = 1.0
"""How often a stream looks whether the server is to end."""

PAUSE_SECONDS = 0.5
"""Between two events: more would be no easier to follow."""

_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def stream(request: Request, events: AsyncIterator[str]) -> StreamingResponse:
    """Send events as they come, until the server ends."""
    return StreamingResponse(
        _beat(request, events), media_type="text/event-stream", headers=_HEADERS
    )


def get_last_event(request: Request) -> int:
    """The number of the last event that a browser has seen; 0 where it has seen none."""
    said = request.headers.get("last-event-id", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 0


async def follow_run(request: Request, run: LiveRun) -> AsyncIterator[str]:
    """The events of a run until it ends, or waits for its reader."""
    async for count, seen in get_runs(request).follow(run.begun.id, get_last_event(request)):
        if not is_own(request, run):
            await find_report(request)  # by now it may be kept for fewer
        view = view_run(seen, get_runs(request).find_place(seen.begun.id))
        html = await render_part("run_parts.html", {"view": view, "state": seen.state})
        yield format_event("progress", {"html": html, "says": view.says}, count)
        if seen.ended or seen.state == "asking":
            break
        await asyncio.sleep(PAUSE_SECONDS)
    yield format_event("end", {"state": run.state})


async def follow_jobs(request: Request, *key: str, is_curator: bool = False) -> AsyncIterator[str]:
    """Where the jobs are whose keys begin with these parts, until one of them ends."""
    background = get_background(request)
    seen, before = 0, len(_list_running(background.find(*key)))
    while before:
        seen = await background.wait_for_change(seen)
        running = _list_running(find_jobs(request, *key, is_curator=is_curator))
        if len(running) != before:
            break
        yield format_event("progress", {"says": " ".join(f"{one} {said}" for one, said in running)})
        await asyncio.sleep(PAUSE_SECONDS)
    yield format_event("end", {"state": "changed"})


def _list_running(jobs: list[Job]) -> list[tuple[str, str]]:
    return [(job.title, job.says) for job in jobs if job.state == "running"]


def format_event(name: str, data: object, number: int | None = None) -> str:
    """An event as it is sent."""
    known = "" if number is None else f"id: {number}\n"
    return f"{known}event: {name}\ndata: {json.dumps(data)}\n\n"


async def _beat(request: Request, events: AsyncIterator[str]) -> AsyncIterator[str]:
    """The events, and a sign of life where none came for a while."""
    following, silent = asyncio.ensure_future(anext(events, None)), 0.0
    try:
        while not request.app.state.is_closing:
            done, _ = await asyncio.wait([following], timeout=LOOK_SECONDS)
            if done:
                if (event := following.result()) is None:
                    return
                yield event
                following, silent = asyncio.ensure_future(anext(events, None)), 0.0
            elif (silent := silent + LOOK_SECONDS) >= BEAT_SECONDS:
                yield ": still here\n\n"
                silent = 0.0
    finally:
        following.cancel()
