"""Asking an API: what its failures mean, when it is asked again, what never leaves."""

import asyncio
import time
from email.utils import formatdate
from typing import Any

import httpx
import pytest
from fakes.provider import Provider
from fakes.server import Served
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from connectors.http import client as http
from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import http_error, parse_retry_after
from connectors.protocol import Limits
from schema.errors import ConnectorError

KEY = "sk-0123456789abcdef"


class Answers(Starlette):
    """Gives the answers it is told, one a request; the last one goes on."""

    def __init__(self, *answers: Response) -> None:
        super().__init__(routes=[Route("/{path:path}", self.answer, methods=["GET", "POST"])])
        self.answers = list(answers)
        self.requests: list[Request] = []

    async def answer(self, request: Request) -> Response:
        self.requests.append(request)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Mill(Provider):
    """Answers everybody."""

    def api(self) -> list[Any]:
        return [Route("/x", lambda _: Response("x"))]

    def allowed(self, request: Request) -> bool:
        return True


async def got(*answers: Response, attempts: int = 1, **how: Any) -> tuple[Any, int]:
    """What `get` makes of the answers, and how many requests it took."""
    app = Answers(*answers)
    with Served(app) as served:
        limits = Limits(attempts=attempts)
        async with Api("Mill", served.url, key="MILL_KEY", limits=limits, **how) as api:
            return await api.get("/x"), len(app.requests)


async def refused(*answers: Response, attempts: int = 1) -> tuple[ConnectorError, int]:
    app = Answers(*answers)
    with Served(app) as served, pytest.raises(ConnectorError) as caught:
        async with Api("Mill", served.url, key="MILL_KEY", limits=Limits(attempts=attempts)) as api:
            await api.get("/x")
    return caught.value, len(app.requests)


@pytest.mark.parametrize(
    ("status", "headers", "code", "passing"),
    [
        (400, {}, "connector_failed", False),
        (401, {}, "connector_key", False),
        (402, {}, "connector_refused", False),
        (403, {}, "connector_refused", False),
        (403, {"Retry-After": "1"}, "connector_limit", True),
        (403, {"X-RateLimit-Remaining": "0"}, "connector_limit", True),
        (404, {}, "connector_absent", False),
        (408, {}, "connector_failed", True),
        (429, {}, "connector_limit", True),
        (500, {}, "connector_failed", True),
        (503, {}, "connector_failed", True),
    ],
)
async def test_a_status_means_one_kind_of_failure(
    status: int, headers: dict[str, str], code: str, passing: bool
) -> None:
    error, _ = await refused(JSONResponse({}, status, headers))
    assert (error.code, error.retryable) == (code, passing)
    assert str(error).startswith("Mill")
    assert ("MILL_KEY" in str(error)) == (code in ("connector_key", "connector_refused"))


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        ("", ""),
        ("0", ""),
        ("0.3", " (it asks to wait 1 s)"),
        ("1", " (it asks to wait 1 s)"),
        ("119", " (it asks to wait 119 s)"),
        ("3600", " (it asks to wait 60 min)"),
    ],
)
def test_a_rate_limit_says_how_long_to_wait(wait: str, said: str) -> None:
    error = http_error("Mill", "MILL_KEY", 429, {"retry-after": wait})
    assert str(error) == f"Mill's rate limit was hit{said}"


def test_without_a_key_a_401_names_none() -> None:
    error = http_error("Mill", "", 401)
    assert (error.code, str(error)) == ("connector_refused", "Mill does not allow this")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "date+30"}, 30),
        ({"retry-after": "date-30"}, 0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "+60"}, 60),
        ({"x-ratelimit-remaining": "5", "x-ratelimit-reset": "+60"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "\u00b2"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 400}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    def absolute(value: str) -> str:
        if value.startswith("date"):
            return formatdate(time.time() + int(value[4:]), usegmt=True)
        return str(int(time.time()) + int(value)) if value.startswith("+") else value

    sent = {name: absolute(value).encode("latin-1") for name, value in headers.items()}
    read = parse_retry_after(httpx.Headers(sent))
    assert read == (None if seconds is None else pytest.approx(seconds, abs=2))


async def test_what_passes_is_asked_again_as_often_as_allowed() -> None:
    away, well = JSONResponse({}, 503), JSONResponse({"a": 1})
    assert await got(away, away, well, attempts=3) == ({"a": 1}, 3)
    error, asked = await refused(away, attempts=3)
    assert (str(error), asked) == ("Mill answered HTTP 503", 3)
    assert (await refused(JSONResponse({}, 404), attempts=3))[1] == 1


@pytest.mark.slow
async def test_the_wait_that_is_asked_for_is_kept_unless_it_is_too_long() -> None:
    well = JSONResponse({"a": 1})
    started = time.monotonic()
    answers = JSONResponse({}, 429, {"Retry-After": "1"}), well
    assert await got(*answers, attempts=2) == ({"a": 1}, 2)
    assert time.monotonic() - started >= 1
    error, asked = await refused(JSONResponse({}, 429, {"Retry-After": "3600"}), well, attempts=2)
    assert (asked, error.wait) == (1, 3600)


@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, "<html>"])
async def test_what_is_no_json_cannot_be_read(body: str) -> None:
    error, _ = await refused(Response(body, media_type="application/json"))
    assert str(error) == "Mill's answer could not be read"


async def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BYTES", 1_000)
    error, _ = await refused(Response("x" * 5_000))
    assert str(error) == "Mill's answer is too large"


async def test_nobody_there_may_come_back() -> None:
    with pytest.raises(ConnectorError, match=r"could not be reached \(ConnectError\)") as caught:
        async with Api("Mill", "http://127.0.0.1:1") as api:
            await api.get("/x")
    assert caught.value.retryable


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY}–"])
async def test_a_key_that_cannot_be_sent_is_named_and_not_shown(key: str) -> None:
    with Served(Answers(JSONResponse({}))) as served, pytest.raises(ConnectorError) as caught:
        async with Api("Mill", served.url, key="MILL_KEY", headers={"X-Key": key}) as api:
            await api.get("/x")
    assert str(caught.value) == "Mill refused the key: check MILL_KEY"
    assert KEY not in repr(caught.value.__cause__)


async def test_parameters_that_are_not_given_are_not_sent() -> None:
    app = Answers(JSONResponse({}))
    with Served(app) as served:
        async with Api("Mill", served.url) as api:
            await api.get("/x", a="ä&b", b=None, c=1)
            await api.post("/x", {"a": 1}, d=None)
    assert [dict(request.query_params) for request in app.requests] == [{"a": "ä&b", "c": "1"}, {}]


@pytest.mark.slow
async def test_requests_keep_their_distance_where_the_provider_asks_for_it() -> None:
    app = Answers(JSONResponse({}))
    with Served(app) as served:
        for rate_limited in (True, False):
            started = time.monotonic()
            limits = Limits(request_interval=0.3)
            for _ in range(3):
                async with Api(
                    "Slow mill", served.url, limits=limits, rate_limited=rate_limited
                ) as api:
                    await api.get("/x")
            assert (time.monotonic() - started >= 0.6) == rate_limited


@pytest.mark.slow
@pytest.mark.parametrize(("limits", "peak"), [(Limits(concurrency=2), 2), (None, 6)], ids=str)
async def test_requests_of_several_clients_share_the_limit_of_a_connector(
    limits: Limits | None, peak: int
) -> None:
    with Mill() as mill:
        mill.pause = 0.3

        async def ask() -> None:
            async with Api("Busy mill", mill.url, limits=limits) as api:
                await api.text("/x")

        await asyncio.gather(*(ask() for _ in range(6)))
    assert mill.peak == peak


def test_a_base_url_of_ones_own_counts_before_the_providers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert base_url("mill", "https://mill.test/") == "https://mill.test"
    monkeypatch.setenv("QUIRE_MILL_BASE_URL", "http://127.0.0.1:9/x/")
    assert base_url("mill", "https://mill.test") == "http://127.0.0.1:9/x"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://a.test/x", "a.test"),
        ("http://A.test:80", "a.test"),
        ("ftp://a.test", ""),
        ("javascript:alert(1)", ""),
        ("https://[", ""),
        ("https://a.test/\n", ""),
        ("", ""),
    ],
)
def test_only_web_addresses_have_a_host(url: str, host: str) -> None:
    assert web_host(url) == host
