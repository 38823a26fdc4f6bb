"""No other site acts through a visitor's browser: stands before all routes, see `web/csrf.py`."""

import hmac
import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schema.access import AccessError
from schema.settings import get_settings
from web.cookies import VISIT, format_cookie
from web.csrf import FIELD, Visit, begin_visit
from web.faults import answer_fault

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

MAX_FORM_BYTES = 2**20
"""Bytes of a form without files."""

MAX_FIRST_FIELD_BYTES = 4_096
"""Bytes of a form with files in which its first field, the token, has to end."""

_FIRST_FIELD = re.compile(
    rb"(?:\r\n)?--[^\r\n]+\r\n"
    rb'content-disposition: form-data; name="csrf_token"\r\n\r\n([\w-]+)\r\n--',
    re.IGNORECASE,
)


class CsrfError(AccessError):
    """The post may come from another site."""


class CsrfGuard:
    """Refuses what changes something and does not come from a page of ours, or from a program."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        visit = begin_visit(request)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and visit.made:
                cookie = format_cookie(request, VISIT, visit.made)
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        try:
            if request.method not in SAFE_METHODS:
                _check_origin(request)
                if not _is_program(request, visit):
                    receive = await _check_token(request, visit)
        except CsrfError as error:
            answer = await answer_fault(request, error)
            await answer(scope, receive, send_with_cookie)
            return
        await self._app(scope, receive, send_with_cookie)


def _check_origin(request: Request) -> None:
    """Browsers say which page a post comes from; programs say nothing."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    public = get_settings().public_url
    own = {request.headers.get("host", ""), urlsplit(public).netloc}
    if (origin and urlsplit(origin).netloc not in own - {""}) or site == "cross-site":
        raise CsrfError("This was sent by a page of another site, and was not done.")


def _is_program(request: Request, visit: Visit) -> bool:
    """Whether no browser can have been made to send this by a page of another site.

    Without being asked first, a browser sends no other site a Bearer token, and no JSON.
    """
    headers = request.headers
    if headers.get("authorization", "").lower().startswith("bearer "):
        return True
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" and not visit.is_known


async def _check_token(request: Request, visit: Visit) -> Receive:
    """Compare the token of the header or of the form; returns the body to be received anew."""
    said, receive = request.headers.get("x-csrf-token", ""), request.receive
    if not said:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/x-www-form-urlencoded":
            body, receive = await _read_ahead(request.receive, MAX_FORM_BYTES)
            said = parse_qs(body.decode("ascii", "replace")).get(FIELD, [""])[0]
        elif kind == "multipart/form-data":
            body, receive = await _read_ahead(request.receive, MAX_FIRST_FIELD_BYTES)
            found = _FIRST_FIELD.match(body)
            said = found[1].decode() if found else ""
    if not visit.is_known or not hmac.compare_digest(said.encode(), visit.token.encode()):
        raise CsrfError(
            "This form is too old or comes from elsewhere: load its page again, and send it anew."
        )
    return receive


async def _read_ahead(receive: Receive, least: int) -> tuple[bytes, Receive]:
    """The body's beginning, of this many bytes or all there are, and how to receive it again."""
    read, body, more = list[Message](), b"", True
    while more and len(body) < least:
        message = await receive()
        read.append(message)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body, _replay(read, receive)


def _replay(read: Sequence[Message], receive: Receive) -> Receive:
    waiting = iter(read)

    async def receive_again() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return receive_again
