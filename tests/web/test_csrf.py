"""No page of another site changes anything, and no name but this machine's own is served."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fakes.server import Served
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from web.app import build_app
from web.templates import render_page


async def show(request: Request) -> Response:
    return await render_page(request, "fault.html", {"fault": "a page"})


async def change(request: Request) -> Response:
    if request.headers.get("content-type", "").startswith("application/json"):
        return JSONResponse(await request.json())
    form = await request.form()
    told = {}
    for name, value in form.multi_items():
        told[name] = value if isinstance(value, str) else len(await value.read())
    return JSONResponse(told)


@asynccontextmanager
async def browser(**headers: str) -> AsyncIterator[tuple[httpx.AsyncClient, str]]:
    """A client that has loaded a page, and the token that it found there."""
    app = build_app()
    app.routes.extend([Route("/page", show), Route("/change", change, methods=["POST", "DELETE"])])
    with Served(app) as server:
        async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
            page = (await client.get("/page", headers={"accept": "text/html"})).text
            found = re.search('name="csrf-token" content="([0-9a-f]{64})"', page)
            assert found, page
            yield client, found[1]


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"word": "a&b"}},
        {"data": {"word": "a", "csrf_token": "0" * 64}},
        {"files": {"word": b"text"}},
        {"data": {"csrf_token": "0" * 64}, "files": {"word": b"text"}},
        {"json": {"word": "a"}},
        {"content": '{"word": "a"}', "headers": {"content-type": "text/plain"}},
        {"headers": {"x-csrf-token": "0" * 64}},
        {"headers": {"x-csrf-token": ""}},
        {"headers": {"authorization": "Basic bG9jYWw6"}},
        {},
    ],
)
async def test_without_the_page_s_token_nothing_is_changed(sent: dict[str, Any]) -> None:
    async with browser() as (client, _):
        for method in ("POST", "DELETE"):
            answer = await client.request(method, "/change", **sent)
            assert answer.status_code == 403
            assert answer.json()["fault"].startswith("This form is too old")


async def test_a_form_of_the_page_is_taken_whole() -> None:
    async with browser() as (client, token):
        given = {"csrf_token": token, "word": "a&b ü"}
        assert (await client.post("/change", data=given)).json() == given
        big = b"x" * 3_000_000
        answer = await client.post("/change", data=given, files={"file": ("a.txt", big)})
        assert answer.json() == {**given, "file": len(big)}
        answer = await client.post("/change", json=given, headers={"x-csrf-token": token})
        assert answer.json() == given


async def test_a_token_is_of_no_use_in_another_browser() -> None:
    async with browser() as (_, token), browser() as (other, _):
        answer = await other.post("/change", data={"csrf_token": token})
        assert answer.status_code == 403
        other.cookies.clear()
        answer = await other.post("/change", data={"csrf_token": token})
        assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:1"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
async def test_a_page_of_another_site_is_refused_whatever_it_knows(headers: dict[str, str]) -> None:
    async with browser() as (client, token):
        known = {"x-csrf-token": token, "authorization": "Bearer x", **headers}
        answer = await client.post("/change", json={"word": "a"}, headers=known)
        assert answer.status_code == 403
        assert answer.json()["fault"].startswith("This was sent by a page of another site")


async def test_programs_need_no_token() -> None:
    async with browser() as (client, _):
        own = {"authorization": "Bearer any", "origin": str(client.base_url).rstrip("/")}
        assert (await client.post("/change", data={"a": "b"}, headers=own)).json() == {"a": "b"}
        client.cookies.clear()
        assert (await client.post("/change", json={"a": "b"})).json() == {"a": "b"}


async def test_only_the_names_of_this_machine_are_served() -> None:
    async with browser() as (client, _):
        port = client.base_url.port
        for name in (f"localhost:{port}", f"[::1]:{port}", "127.0.0.1"):
            assert (await client.get("/healthz", headers={"host": name})).status_code == 200
        for name in ("evil.example", f"localhost.evil.example:{port}", "10.0.0.1", "[::1", ""):
            assert (await client.get("/healthz", headers={"host": name})).status_code in (400, 421)


async def test_no_script_and_no_other_site_gets_at_the_cookie() -> None:
    async with browser() as (client, _):
        client.cookies.clear()
        [cookie] = (await client.get("/page", headers={"accept": "text/html"})).headers.get_list(
            "set-cookie"
        )
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Secure" not in cookie
        assert "set-cookie" not in (await client.get("/healthz")).headers
