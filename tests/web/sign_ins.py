"""Browsers of people who sign in at a server of the team."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from fakes.oidc_provider import CLIENT_ID, CLIENT_SECRET, OidcProvider, Person
from fakes.server import Served
from starlette.routing import BaseRoute

from web.app import build_app


@contextmanager
def team_server(
    monkeypatch: pytest.MonkeyPatch, *routes: BaseRoute, lives: bool = False, **settings: str
) -> Iterator[tuple[str, OidcProvider]]:
    """A server where people sign in; yields its address, and the provider who lets them in.

    One that `lives` works on its jobs, too.
    """
    with OidcProvider() as provider:
        for name, value in {
            "OIDC_ISSUER": provider.url,
            "OIDC_CLIENT_ID": CLIENT_ID,
            "OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "GROUPS": "lawyers=law:writer,lawyers-in-chief=law:curator,admins=operator",
            **settings,
        }.items():
            monkeypatch.setenv(f"QUIRE_{name}", value)
        app = build_app()
        app.routes.extend(routes)
        with Served(app, lives=lives) as server:
            provider.back = f"{server.url}/sign-in/back"
            yield server.url, provider


def open_browser(url: str) -> httpx.AsyncClient:
    """A browser: it keeps cookies, goes where it is sent, and says that it wants pages."""
    return httpx.AsyncClient(
        base_url=url, headers={"accept": "text/html"}, follow_redirects=True, timeout=20
    )


async def sign_in(browser: httpx.AsyncClient, provider: OidcProvider, person: Person) -> str:
    """Sign someone in; returns the page at which the browser ends."""
    provider.person = person
    answer = await browser.get("/account")
    return answer.text
