"""A pass: what one process of a team tells another about who asks, signed with their common secret.

The page shows it to a LangGraph server in place of a key of the member's. It is short-lived, and
holds the identity and the groups alone.
"""

import base64
import hmac
import json
import time

from schema.access import AccessError, Member
from schema.errors import InputError
from schema.settings import get_settings

PASS_SECONDS = 3_600
"""How long a pass holds: longer than any run takes to begin."""

SIGN = "qp_"
"""Begins every pass, and no key."""


def make_pass(member: Member) -> str:
    """A pass for a member.

    Raises:
        InputError: there is no `QUIRE_TEAM_SECRET`.
    """
    told = [member.identity, member.permissions, int(time.time()) + PASS_SECONDS]
    body = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
    return f"{SIGN}{body}.{_sign(body)}"


def read_pass(given: str) -> Member:
    """The member of a pass.

    Raises:
        AccessError: it is none of ours, or its time is over.
        InputError: there is no `QUIRE_TEAM_SECRET`.
    """
    body, _, signature = given.removeprefix(SIGN).partition(".")
    if not given.startswith(SIGN) or not hmac.compare_digest(
        _sign(body).encode(), signature.encode()
    ):
        raise AccessError("The pass is not valid.")
    identity, permissions, until = json.loads(
        base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    )
    if until < time.time():
        raise AccessError("The pass is no longer valid.")
    return Member.from_permissions(identity, permissions)


def _sign(body: str) -> str:
    secret = get_settings().team_secret
    if secret is None or len(secret.get_secret_value()) < 32:
        raise InputError(
            "Set QUIRE_TEAM_SECRET to the same 32 characters or more in all processes of a team."
        )
    return hmac.new(secret.get_secret_value().encode(), body.encode(), "sha256").hexdigest()
