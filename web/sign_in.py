"""Signing in with the provider that the settings name, and out again."""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from schema.access import AccessError
from schema.settings import get_settings
from team.accounts import Account, enter_account
from team.audit import ANYBODY, record, record_as
from team.browser_sessions import begin_session, end_all_sessions, end_session
from team.groups import find_grant
from team.known_names import list_known_names
from team.store import open_team
from web.access import get_member
from web.cookies import SESSION, SIGNING_IN, find_cookie, format_cookie
from web.local_path import make_local
from web.oidc import Attempt, Provider, SignInError
from web.templates import render_page

ATTEMPT_SECONDS = 600
"""Between the beginning of a sign-in and its end."""

BACK = "/sign-in/back"


async def begin_sign_in(request: Request) -> Response:
    """Send the browser to the provider; it comes back to `to`, a path of this server."""
    to = make_local(request.query_params.get("to", "/"))
    if not get_settings().oidc_issuer:
        if not get_settings().needs_sign_in:
            return RedirectResponse(to, 303)
        raise HTTPException(404, "This server is for programs that have a key")
    attempt = Attempt(*(secrets.token_urlsafe(32) for _ in range(3)))
    answer = RedirectResponse(await _get_provider(request).begin(attempt, _name_back(request)), 303)
    value = ".".join(
        (attempt.state, attempt.nonce, attempt.verifier, urlsafe_b64encode(to.encode()).decode())
    ).rstrip("=")
    answer.headers.append("set-cookie", format_cookie(request, SIGNING_IN, value, ATTEMPT_SECONDS))
    return answer


async def end_sign_in(request: Request) -> Response:
    """The browser is back from the provider: let it in."""
    attempt, to = _restore_attempt(find_cookie(request, SIGNING_IN))
    said = request.query_params
    if attempt is None or not hmac.compare_digest(
        said.get("state", "").encode(), attempt.state.encode()
    ):
        raise SignInError("This sign-in was begun elsewhere or is too old: sign in once more.")
    team = await open_team()
    try:
        account = await _enter(request, attempt)
    except AccessError as error:
        await record_as(team, ANYBODY, "account.refused", why=str(error))
        raise
    session = await begin_session(team, account.identity, find_cookie(request, SESSION))
    roles = sorted(f"{group}: {role}" for group, role in account.groups.items())
    await record_as(team, account.identity, "account.signed_in", account.identity, roles=roles)
    answer = RedirectResponse(to, 303)
    seconds = int(get_settings().session_hours * 3_600)
    for cookie in (
        format_cookie(request, SESSION, session, seconds),
        format_cookie(request, SIGNING_IN, ""),
    ):
        answer.headers.append("set-cookie", cookie)
    return answer


async def _enter(request: Request, attempt: Attempt) -> Account:
    """The account of whom the provider sent back.

    Raises:
        AccessError: it sent nobody, or what it said cannot be trusted; or the account is blocked.
    """
    code = request.query_params.get("code")
    if code is None:
        raise SignInError("The provider let nobody in: sign in once more, or ask who runs it.")
    claims = await _get_provider(request).finish(attempt, code, _name_back(request))
    return await enter_account(
        await open_team(),
        get_settings().oidc_issuer,
        claims.subject,
        claims.name,
        claims.email,
        find_grant(claims.groups),
        list_known_names(claims.email, claims.groups, email_checked=claims.email_checked),
    )


async def sign_out(request: Request) -> Response:
    """Sign this browser out, or all of the account's."""
    team = await open_team()
    if request.url.path.endswith("/everywhere"):
        member = get_member(request)
        await end_all_sessions(team, member.identity)
        await record(member, "account.signed_out_everywhere", member.identity)
    elif session := find_cookie(request, SESSION):
        await end_session(team, session)
    answer = RedirectResponse("/signed-out", 303)
    answer.headers.append("set-cookie", format_cookie(request, SESSION, ""))
    return answer


async def show_signed_out(request: Request) -> Response:
    """Say so, and how to come back; the provider may still know the browser."""
    return await render_page(request, "signed_out.html", {})


def _get_provider(request: Request) -> Provider:
    provider: Provider = request.app.state.provider
    return provider


def _name_back(request: Request) -> str:
    public = get_settings().public_url or f"{request.url.scheme}://{request.url.netloc}"
    return f"{public}{BACK}"


def _restore_attempt(cookie: str) -> tuple[Attempt | None, str]:
    """What the browser kept of the beginning, and where it wanted to go."""
    parts = cookie.split(".")
    if len(parts) != 4:
        return None, "/"
    try:
        to = urlsafe_b64decode(f"{parts[3]}==").decode()
    except (Base64Error, UnicodeDecodeError):
        to = "/"
    return Attempt(*parts[:3]), make_local(to)


routes = [
    Route("/sign-in", begin_sign_in),
    Route(BACK, end_sign_in),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/sign-out/everywhere", sign_out, methods=["POST"]),
    Route("/signed-out", show_signed_out),
]
