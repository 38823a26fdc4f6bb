"""`/account`: who one is here, one's keys, and signing out."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from schema.access import AccessError, Member
from schema.errors import InputError
from schema.settings import get_settings
from team.api_keys import create_key, list_keys, revoke_key
from team.audit import list_records, record
from team.store import open_team
from web.access import get_member
from web.templates import render_page


async def show_account(request: Request) -> Response:
    """Who one is, in which groups, and one's keys."""
    member = _find_person(request)
    return await _render(request, member)


async def make_key(request: Request) -> Response:
    """Make a key, and show it this once."""
    member, form = _find_person(request), await request.form()
    days = str(form.get("days", ""))
    if not (days.isascii() and days.isdigit() and len(days) < 6) and days:
        raise InputError("The days of a key are a number.")
    team, scope = await open_team(), str(form.get("scope", ""))
    name = str(form.get("name", ""))
    key = await create_key(team, member.identity, name, scope, int(days) if days else None)
    await record(member, "key.created", name, scope=scope, days=days)
    return await _render(request, member, key)


async def revoke(request: Request) -> Response:
    """Let a key of one's own open nothing any more."""
    member, identifier = _find_person(request), request.path_params["id"]
    try:
        await revoke_key(await open_team(), identifier, member.identity)
    except InputError as error:
        raise HTTPException(404, str(error)) from None
    await record(member, "key.revoked", identifier)
    return RedirectResponse("/account", 303)


async def show_audit(request: Request) -> Response:
    """What was done here, for operators."""
    member, said = _find_person(request), request.query_params.get("before", "")
    if not member.operator:
        raise HTTPException(404)
    before = int(said) if said.isascii() and said.isdigit() and len(said) < 19 else None
    records = await list_records(await open_team(), member, before)
    return await render_page(request, "audit.html", {"records": records})


async def _render(request: Request, member: Member, new_key: str = "") -> Response:
    keys = await list_keys(await open_team(), member.identity)
    values = {"member": member, "keys": keys, "new_key": new_key}
    return await render_page(request, "account.html", values, headers={"cache-control": "no-store"})


def _find_person(request: Request) -> Member:
    """Who asks, in a browser: a key makes no keys, and is not shown what its owner may see."""
    member = get_member(request)
    if not get_settings().needs_sign_in:
        raise HTTPException(404)
    if request.user.by_key:
        raise AccessError("A key cannot do this: sign in with a browser.")
    return member


routes = [
    Route("/account", show_account),
    Route("/account/keys", make_key, methods=["POST"]),
    Route("/account/keys/{id}/revoke", revoke, methods=["POST"]),
    Route("/audit", show_audit),
]
