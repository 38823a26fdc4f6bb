"""Reading one page that a search found."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from typing import Any

import pytest
from fakes.sites.website import WebServer, page
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from connectors.page_fetcher import fetch_page
from schema.errors import ConnectorError

TEXT = "<h1>Gearbox</h1><p>The gearbox was changed because its bearings wore out.</p>"
Serve = Callable[..., AbstractContextManager[WebServer]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Serves pages by path; this host may be read."""

    @contextmanager
    def started(**pages: Any) -> Iterator[WebServer]:
        monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
        given = {f"/{name}": made for name, made in pages.items()}
        with WebServer([], given) as server:
            yield server

    return started


async def refused(url: str, seconds: float = 10) -> ConnectorError:
    with pytest.raises(ConnectorError) as caught:
        await fetch_page(url, seconds=seconds)
    return caught.value


async def test_a_page_becomes_a_document_with_its_links_and_its_last_change(serve: Serve) -> None:
    head = '<title>Gearbox</title><meta property="article:modified_time" content="2024-05-03">'
    body = f'{TEXT}<p><a href="/rotor">The  rotor</a> <a href="https://other.test/x#y">x</a></p>'
    with serve(gearbox=page(body, head)) as server:
        here = server.url
        found = await fetch_page(f"{here}/gearbox#top", seconds=10)
    document = found.document
    assert "bearings wore out" in document.text
    assert "Imprint" not in document.text
    assert (document.title, document.site) == ("Gearbox", "127.0.0.1")
    assert document.url == f"{here}/gearbox"
    assert document.fetched
    assert found.links[f"{here}/rotor"] == "The rotor"
    assert found.links["https://other.test/x"] == "x"
    assert found.updated == (date(2024, 5, 3), 0.85)


async def test_only_public_addresses_are_asked(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = RedirectResponse("http://169.254.169.254/latest")
    with serve(gearbox=page(TEXT), away=away) as server:
        assert "no public host" in str(await refused(f"{server.url}/away"))
        monkeypatch.delenv("QUIRE_ALLOWED_HOSTS")
        assert "no public host" in str(await refused(f"{server.url}/gearbox"))
        assert "/gearbox?" not in server.calls


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "javascript:x", "https://u:p@a.test/"])
async def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    assert (await refused(url)).code == "connector_refused"


async def test_robots_are_respected(serve: Serve) -> None:
    with serve(**{"private/x": page(TEXT)}) as server:
        assert "robots.txt" in str(await refused(f"{server.url}/private/x"))


@pytest.mark.slow
async def test_what_a_page_does_costs_its_limit(serve: Serve) -> None:
    async def drip() -> Any:
        import asyncio

        while True:
            yield b"<p>drop</p>"
            await asyncio.sleep(0.05)

    def slow(request: Request) -> Response:
        return StreamingResponse(drip(), media_type="text/html")

    pages = {
        "loop": RedirectResponse("/loop"),
        "binary": Response(b"\0" * 99, media_type="application/octet-stream"),
        "empty": Response("", media_type="text/html"),
        "slow": slow,
        "gone": Response("", 404),
    }
    reasons = {
        "loop": "redirects more than 5 times",
        "binary": "is of type application/octet-stream",
        "empty": "",
        "slow": "did not answer within 1 s",
        "gone": "no such thing",
    }
    with serve(**pages) as server:
        for name, reason in reasons.items():
            assert reason in str(await refused(f"{server.url}/{name}", seconds=1)), name
