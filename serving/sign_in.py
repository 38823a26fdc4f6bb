"""The same sign-in for LangGraph servers; `langgraph.json` names `auth`.

Where neither a provider, a common secret nor `QUIRE_REQUIRE_SIGN_IN` is set, everyone is the local
user, as if there were no sign-in. Else who asks has a key of ours, or a pass of the page's; and
threads, assistants, crons and the store are of who made them.
"""

from collections.abc import Mapping
from typing import Any

from langgraph_sdk import Auth

from schema.access import LOCAL_MEMBER, AccessError, Member
from schema.errors import InputError, QuireError
from schema.settings import get_settings
from team.api_keys import PREFIX, find_key
from team.passes import SIGN, read_pass
from team.store import open_team

auth = Auth()

_OWNER = "owner"

_MAKER = "created_by"
"""The server's mark on assistants that it made of the graphs: they are for everybody."""

_SYSTEM = {_MAKER: "system"}

_WRITES = ("create", "update", "create_run")


@auth.authenticate
async def authenticate(headers: Mapping[Any, Any]) -> Auth.types.MinimalUserDict:
    """Who sends a request, by its headers alone: what every server hands over.

    Raises:
        HTTPException: 401 where nobody is known by them, 503 where the database does not answer.
    """
    try:
        member = await _find_member(_read_token(headers))
    except (AccessError, InputError) as error:
        raise Auth.exceptions.HTTPException(status_code=401, detail=str(error)) from None
    except QuireError as error:
        raise Auth.exceptions.HTTPException(status_code=503, detail=str(error)) from None
    return {
        "identity": member.identity,
        "display_name": member.name or member.identity,
        "permissions": member.permissions,
        "is_authenticated": True,
    }


@auth.on
async def hold_to_owner(
    ctx: Auth.types.AuthContext, value: dict[str, Any]
) -> dict[str, Any] | None:
    """Mark what is made with its maker, and show nobody what another made."""
    if _is_open():
        return None
    owner = {_OWNER: ctx.user.identity}
    if ctx.resource == "store":  # labels of its names hold no dots
        label = ctx.user.identity.encode().hex()
        value["namespace"] = (label, *(value.get("namespace") or ()))
        return None
    if ctx.action in _WRITES:
        if value.get("metadata") is None:
            value["metadata"] = {}
        value["metadata"].pop(_MAKER, None)
        value["metadata"].update(owner)
    if ctx.resource == "assistants" and ctx.action in ("read", "search"):
        return {"$or": [owner, _SYSTEM]}
    return owner


async def _find_member(token: str) -> Member:
    if token.startswith(SIGN):
        return read_pass(token)
    if _is_open():
        return LOCAL_MEMBER
    member = await find_key(await open_team(), token) if token.startswith(PREFIX) else None
    if member is None:
        raise AccessError("Send a key of yours that is in use, as Authorization: Bearer qk_…")
    return member


def _is_open() -> bool:
    here = get_settings()
    return not here.needs_sign_in and here.team_secret is None


def _read_token(headers: Mapping[Any, Any]) -> str:
    """The Bearer token; servers hand headers over as texts or as bytes."""
    for name, value in headers.items():
        said = name.decode("latin-1") if isinstance(name, bytes) else str(name)
        if said.lower() == "authorization":
            told = value.decode("latin-1") if isinstance(value, bytes) else str(value)
            kind, _, token = told.partition(" ")
            return token.strip() if kind.lower() == "bearer" else ""
    return ""
