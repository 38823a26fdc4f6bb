"""What becomes of an error: one sentence, as a page for people and as JSON for programs."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from schema.access import AccessError
from schema.errors import InputError, QuireError
from team.limits import LimitError
from web.access import SignInNeededError
from web.bodies import BodyTooLongError
from web.openai_answer import make_error
from web.openai_request import UnknownModelError
from web.templates import render_page


async def answer_fault(request: Request, error: Exception) -> Response:
    """Say what is wrong; nothing of the program shows."""
    status, sentence, headers = describe_fault(error)
    if request.url.path.startswith("/v1/"):
        status = 400 if status == 422 else status  # as OpenAI's clients know it
        return JSONResponse(make_error(status, sentence), status, headers)
    wants_page = "text/html" in request.headers.get("accept", "")
    if wants_page and isinstance(error, SignInNeededError) and request.method == "GET":
        here = f"{request.url.path}?{request.url.query}".rstrip("?")
        return RedirectResponse(f"/sign-in?to={quote(here, safe='/')}", 303)
    if not wants_page:
        return JSONResponse({"fault": sentence}, status, headers)
    return await render_page(request, "fault.html", {"fault": sentence}, status, headers)


def describe_fault(error: Exception) -> tuple[int, str, Mapping[str, str]]:
    """(status of the answer, the sentence, headers of the answer)."""
    status, sentence = _describe(error)
    match error:
        case LimitError():
            return status, sentence, {"retry-after": str(error.seconds)}
        case HTTPException():
            return status, sentence, error.headers or {}
        case SignInNeededError():
            return status, sentence, {"www-authenticate": "Bearer"}
    return status, sentence, {}


def _describe(error: Exception) -> tuple[int, str]:
    match error:
        case HTTPException():
            return error.status_code, f"{error.detail.rstrip('.')}."
        case SignInNeededError():
            return 401, str(error)
        case UnknownModelError():
            return 404, str(error)
        case BodyTooLongError():
            return 413, str(error)
        case LimitError():
            return 429, str(error)
        case AccessError():
            return 403, str(error)
        case InputError():
            return 422, str(error)
        case QuireError():
            return 503, str(error)
    return 500, "A fault of Quire's own ended this: see the server's log."


HANDLERS: Mapping[Any, Any] = {
    QuireError: answer_fault,
    HTTPException: answer_fault,
    500: answer_fault,
}
