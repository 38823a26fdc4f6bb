"""Captures of a browser extension, over HTTP: two routes beside those of a LangGraph server.

`langgraph.json` names this app. docs/captures.md says what goes in and what comes out.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, Literal, NotRequired, TypeVar

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.authentication import UnauthenticatedUser
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import TypedDict

from connectors.files.file_text import UnreadableError
from connectors.indexed.captures import Capture, Captures, build_capture_document
from connectors.sync import BATCH_CHARACTERS, BATCH_DOCUMENTS
from library.batch_writer import BatchWriter
from library.library import Library, open_library
from library.stored_documents import StoreResult
from retrieval.web.canonical_url import normalise_url
from schema.access import LOCAL_MEMBER, AccessError, Member, find_owner
from schema.concurrency import get_semaphore
from schema.context import Context
from schema.documents import Document
from schema.errors import InputError, QuireError
from schema.report import Degradation

MAX_PUSH_BYTES = 50 * 2**20
"""Bytes of one push."""

WAIT_SECONDS = 60.0
"""Seconds that a page of a push may wait for its turn and be read."""

BUSY = "Too many pages are being read: push again in a minute."

MAX_SINGLE_LOOKUPS = 100
"""Pages whose versions are looked up one by one; of more, those of all captures are."""

MAX_FAULTS = 100
"""Faults of one push that are told."""


Result = TypeVar("Result")


class CaptureOutcome(TypedDict):
    """What became of one capture."""

    url: str
    uri: str
    outcome: Literal["added", "changed", "unchanged", "removed", "skipped"]
    reason: NotRequired[str]


class _RequestError(Exception):
    """A request that cannot be served: its status, and a sentence for each fault."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(*faults)
        self.status = status
        self.faults = faults


async def push_captures(request: Request) -> dict[str, Any]:
    """Store one capture or a list of them."""
    library = await _open_space(request)
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _RequestError(415, "The content type must be application/json.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_PUSH_BYTES:
            raise _RequestError(
                413, f"A push must not be larger than {MAX_PUSH_BYTES // 2**20} MB."
            )
    captures = await asyncio.to_thread(_parse_captures, bytes(body))
    return await _run_until_disconnect(request, _store_and_embed(library, captures))


async def _store_and_embed(library: Library, captures: Sequence[Capture]) -> dict[str, Any]:
    """What is new gets its vectors; without them it is stored all the same, and found by words."""
    outcomes, degraded = await store_captures(library, captures), list[Degradation]()
    try:
        await library.embed_missing()
    except QuireError as error:
        degraded = [Degradation(code="embedding_unavailable", detail=str(error))]
    return {"outcomes": outcomes, "degraded": degraded}


async def remove_capture(request: Request) -> dict[str, Any]:
    """Delete the capture of a page."""
    library = await _open_space(request)
    url = request.query_params.get("url", "").strip()
    if not url:
        raise _RequestError(422, "The page must be named, as in ?url=https://example.org/page.")
    uri = normalise_url(url)
    async with library.hold_lock(Captures.name, ""):
        if uri not in await library.load_versions(Captures.name, [uri]):
            raise _RequestError(404, f"There is no capture of {url[:200]} in {library.space}.")
        await library.remove([uri])
    return {"outcomes": [CaptureOutcome(url=url, uri=uri, outcome="removed")]}


async def store_captures(library: Library, captures: Sequence[Capture]) -> list[CaptureOutcome]:
    """Bring captures into a library; what is older than what it holds is left out.

    Returns:
        One outcome for each, in order.
    """
    uris = [capture.uri for capture in captures]
    newest = {capture.uri: capture for capture in sorted(captures, key=lambda one: one.version)}
    told: dict[str, CaptureOutcome] = {}
    async with library.hold_lock(Captures.name, ""):  # or an older one could overtake a newer one
        roots = list(newest) if len(newest) <= MAX_SINGLE_LOOKUPS else ["https:"]
        held = await library.load_versions(Captures.name, roots)
        wanted = []
        for uri, capture in newest.items():
            if held.get(uri, "") > capture.version:
                told[uri] = _make_skipped(capture, "a newer capture of this page is held")
            elif held.get(uri) == capture.version:
                told[uri] = CaptureOutcome(url=capture.url, uri=uri, outcome="unchanged")
            else:
                wanted.append(capture)

        def tell(stored: StoreResult) -> None:
            url = newest[stored.uri].url
            told[stored.uri] = CaptureOutcome(url=url, uri=stored.uri, outcome=stored.outcome)

        async with BatchWriter(library, tell) as writers:
            for part in _split_batches(wanted):
                documents, unreadable = await _read_documents(library.user, part)
                told |= {one["uri"]: one for one in unreadable}
                await writers.put(documents)
    older = "a newer capture of this page came with it"
    return [
        told[uri] if newest[uri] is capture else _make_skipped(capture, older)
        for uri, capture in zip(uris, captures, strict=True)
    ]


def _split_batches(captures: Iterable[Capture]) -> Iterator[list[Capture]]:
    """As many at a time as a sync stores: a large push must not take the memory of all."""
    part, characters = list[Capture](), 0
    for capture in captures:
        part.append(capture)
        characters += len(capture.html) + len(capture.text) + len(capture.markdown)
        if len(part) >= BATCH_DOCUMENTS or characters >= BATCH_CHARACTERS:
            yield part
            part, characters = [], 0
    if part:
        yield part


async def _read_documents(
    user: str, captures: Sequence[Capture]
) -> tuple[list[Document], list[CaptureOutcome]]:
    """What is in captures, read one after the other for one user: others wait for one at most.

    Raises:
        _RequestError: so many others push pages that this one's turn does not come.
    """
    documents, unreadable = list[Document](), list[CaptureOutcome]()
    for capture in captures:
        turn = get_semaphore(f"pages that {user} pushes", 1) if capture.html else nullcontext()
        try:
            async with asyncio.timeout(WAIT_SECONDS), turn:
                documents.append(await build_capture_document(capture))
        except UnreadableError as error:
            unreadable.append(_make_skipped(capture, str(error)))
        except TimeoutError:
            raise _RequestError(503, BUSY) from None
    return documents, unreadable


def _make_skipped(capture: Capture, reason: str) -> CaptureOutcome:
    return CaptureOutcome(url=capture.url, uri=capture.uri, outcome="skipped", reason=reason)


def _parse_captures(body: bytes) -> list[Capture]:
    """The captures of a push: all of them, or none if one has a fault."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise _RequestError(422, "The body must be JSON.") from None
    several = given if isinstance(given, list) else [given]
    captures, faults = list[Capture](), list[str]()
    for number, one in enumerate(several, start=1):
        try:
            captures.append(Capture.model_validate(one))
        except ValidationError as error:
            found = error.errors(include_input=False)
            faults += [_describe_fault(number, fault) for fault in found]
        if len(faults) >= MAX_FAULTS:
            break
    if not several:
        faults = ["The list must hold a capture."]
    if faults:
        raise _RequestError(422, *faults[:MAX_FAULTS])
    return captures


def _describe_fault(number: int, fault: Any) -> str:
    field = ", ".join(map(str, fault["loc"]))[:100]
    said = str(fault["msg"]).removeprefix("Value error, ")
    return f"Capture {number}{f', {field}' if field else ''}: {said}."


async def _open_space(request: Request) -> Library:
    """The space that the request names, of whom the server authenticated, else of `local`."""
    try:
        space = Context(space=request.query_params.get("space", "")).space
    except InputError:
        raise _RequestError(422, "The space must be a name of letters, digits and _ . -") from None
    user = request.scope.get("user")
    member = LOCAL_MEMBER
    if user is not None and not isinstance(user, UnauthenticatedUser):
        told = getattr(user, "permissions", ())
        member = Member.from_permissions(str(user.identity), told)
    try:
        owner, name = find_owner(space, member, "curator")
    except AccessError as error:
        raise _RequestError(403, str(error)) from None
    return await open_library(name, owner, member.names)


async def _run_until_disconnect(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of work that ends when its client leaves."""

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(left())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise _RequestError(499, "The client left.")
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


def _make_endpoint(
    serve: Callable[[Request], Awaitable[dict[str, Any]]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that tells faults as JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await serve(request))
        except _RequestError as error:
            return JSONResponse({"faults": error.faults}, error.status)
        except QuireError as error:
            return JSONResponse({"faults": [str(error)]}, 503)

    endpoint.__doc__ = serve.__doc__
    return endpoint


app = Starlette(
    routes=[
        Route("/captures", _make_endpoint(push_captures), methods=["POST"], name="push"),
        Route("/captures", _make_endpoint(remove_capture), methods=["DELETE"], name="remove"),
    ]
)
