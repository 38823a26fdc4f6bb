"""The cookies of this server: none is read by scripts, and none is sent along by other sites."""

from typing import Final

from starlette.requests import HTTPConnection

from schema.settings import get_settings

SESSION: Final = "quire_session"
"""Who is signed in."""

VISIT: Final = "quire_visit"
"""A browser in which nobody is signed in; its forms are told from those of other sites by it."""

SIGNING_IN: Final = "quire_signing_in"
"""What the provider has to give back of a sign-in that has begun."""


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the browser reaches this server by https; behind a proxy the setting says so."""
    return connection.url.scheme == "https" or get_settings().public_url.startswith("https:")


def find_cookie(connection: HTTPConnection, name: str) -> str:
    """A cookie's value; "" where the browser sent none."""
    return connection.cookies.get(_spell(connection, name), "")


def format_cookie(
    connection: HTTPConnection, name: str, value: str, seconds: int | None = None
) -> str:
    """The header that sets a cookie.

    Args:
        connection: whom it is for.
        name: of the cookie.
        value: of letters, digits, - and _; "" takes the cookie away.
        seconds: how long it stays; as long as the browser is open where there is none.
    """
    parts = [f"{_spell(connection, name)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if not value or seconds is not None:
        parts.append(f"Max-Age={seconds if value else 0}")
    if is_secure(connection):
        parts.append("Secure")
    return "; ".join(parts)


def _spell(connection: HTTPConnection, name: str) -> str:
    """Over https no other host of the domain can set it: the prefix has browsers see to that."""
    return f"__Host-{name}" if is_secure(connection) else name
