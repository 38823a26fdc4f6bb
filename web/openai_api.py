"""OpenAI's chat completions, for whatever speaks them: a model here is a kind of report, or `ask`.

The runs are those of the page: a report is listed there while it is written, and stays. A client
that hangs up stops its run, unless somebody follows it on the page.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from exports.formats import export
from exports.markdown import render_answer
from schema.access import Member
from schema.errors import QuireError
from serving.answers import answer_question, check_may_ask
from serving.live_run import LiveRun
from serving.live_runs import LiveRuns
from serving.stored_reports import load_finished_report
from serving.webhooks import check_webhook
from web.access import get_member
from web.bodies import read_json
from web.chat_errands import run_errand
from web.faults import describe_fault
from web.openai_answer import (
    DONE,
    KEEP_ALIVE,
    Completion,
    Written,
    count_tokens,
    dump,
    make_error,
    make_event,
)
from web.openai_follow_up import begin_follow_up, sign
from web.openai_request import MODELS, ChatRequest, find_model, parse_chat
from web.progress_text import Tell, follow_run, make_teller

_log = logging.getLogger("quire")


KEEP_ALIVE_SECONDS = 10.0

STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

_OPENED = 1_767_225_600  # what `created` says of a model: nobody reads it


class _AnsweredError(QuireError):
    """A run that gave no report."""


async def list_models(request: Request) -> Response:
    """What a client may choose from."""
    get_member(request)
    return _answer({"object": "list", "data": [_describe_model(name) for name in MODELS]})


async def show_model(request: Request) -> Response:
    """One model, also with a space in its name."""
    get_member(request)
    name = request.path_params["name"]
    find_model(name)
    return _answer(_describe_model(name))


async def complete_chat(request: Request) -> Response:
    """Write a report or an answer, at once or as a stream."""
    member = get_member(request)
    asked = parse_chat(await read_json(request))
    check_webhook(asked.webhook)
    completion = Completion(asked.model)
    if (said := run_errand(asked.question)) is not None:
        work: Callable[[Tell], Awaitable[Written]] = _wrap(Written(said))
    elif asked.ask:
        await check_may_ask(asked.question, asked.context, member)  # the stream has no status
        work = _begin_answer(asked, member)
    else:
        work = await begin_follow_up(asked, member) or await _begin_report(
            request.app.state.runs, asked, member
        )
    if asked.stream:
        parts = _stream(work, completion, asked.usage)
        return StreamingResponse(parts, media_type="text/event-stream", headers=STREAM_HEADERS)
    written = await _work_while_connected(request, work)
    return _answer(completion.make_whole(written))


def _wrap(written: Written) -> Callable[[Tell], Awaitable[Written]]:
    async def give(_: Tell) -> Written:
        return written

    return give


def _begin_answer(asked: ChatRequest, member: Member) -> Callable[[Tell], Awaitable[Written]]:
    async def search(tell: Tell) -> Written:
        answer = await answer_question(
            asked.question, asked.context, make_teller(tell), member, asked.conversation
        )
        return Written(render_answer(answer), tokens=count_tokens(answer["usage"]))

    return search


async def _begin_report(
    runs: LiveRuns, asked: ChatRequest, member: Member
) -> Callable[[Tell], Awaitable[Written]]:
    identity = await runs.start(
        asked.question, asked.context, member, asked.conversation, asked.webhook
    )

    async def follow(tell: Tell) -> Written:
        return await _read_outcome(await follow_run(runs, identity, member, tell), member)

    return follow


async def _read_outcome(run: LiveRun, member: Member) -> Written:
    """What a run has come to.

    Raises:
        QuireError: it failed, or was stopped.
    """
    if run.answered:
        return Written(run.reason)
    if run.state != "finished":
        raise _AnsweredError(run.reason or "The report was stopped: go on with it on the page.")
    report = await load_finished_report(run.begun.id, member=member)
    text = sign(export(report, "markdown").decode(), run.begun.id)
    return Written(text, run.begun.id, count_tokens(report["usage"]))


async def _stream(
    work: Callable[[Tell], Awaitable[Written]], completion: Completion, usage: bool
) -> AsyncIterator[bytes]:
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    task = asyncio.ensure_future(work(lines.put_nowait))
    task.add_done_callback(lambda _: lines.put_nowait(None))
    try:
        yield completion.make_chunk(role="assistant", content="")
        async for line in _receive(lines):
            yield completion.make_chunk(reasoning_content=f"{line}\n") if line else KEEP_ALIVE
        try:
            written = await task
        except Exception as error:  # noqa: BLE001  (the answer has begun: no handler can say it)
            if not isinstance(error, QuireError):
                _log.exception("a chat completion")
            status, sentence, _ = describe_fault(error)
            yield make_event(make_error(status, sentence))
            return
        for line in written.text.splitlines(keepends=True):
            yield completion.make_chunk(content=line)
        yield completion.make_last_chunk(written)
        if usage:
            yield completion.make_usage_chunk(written)
        yield DONE
    finally:
        task.cancel()


async def _receive(lines: "asyncio.Queue[str | None]") -> AsyncIterator[str]:
    """Lines as they come, until None; "" where none came for a while."""
    while True:
        try:
            async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                line = await lines.get()
        except TimeoutError:
            yield ""
            continue
        if line is None:
            return
        yield line


async def _work_while_connected(
    request: Request, work: Callable[[Tell], Awaitable[Written]]
) -> Written:
    task = asyncio.ensure_future(work(lambda _: None))
    gone = asyncio.create_task(_wait_until_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise _AnsweredError("The client hung up.")
        return await task
    finally:
        task.cancel()
        gone.cancel()


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _answer(value: object) -> Response:
    return Response(dump(value), media_type="application/json")


def _describe_model(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": _OPENED, "owned_by": "quire"}


routes = [
    Route("/v1/models", list_models),
    Route("/v1/models/{name:path}", show_model),
    Route("/v1/chat/completions", complete_chat, methods=["POST"]),
]
