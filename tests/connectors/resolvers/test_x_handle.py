"""The latest post of an account of X, and what X says instead of one."""

import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from fakes.server import Served
from fakes.sites.x_api import FakeX, posts
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from connectors.resolvers import x_handle
from connectors.resolvers.registry import resolve
from schema.errors import ResolverError

TOKEN = "AAAAtest0123456789"
StartX = Callable[..., AbstractContextManager[FakeX]]


@pytest.fixture
def x(monkeypatch: pytest.MonkeyPatch) -> StartX:
    """Starts a fake X and configures Quire for it."""

    @contextmanager
    def start(**how: Any) -> Iterator[FakeX]:
        accounts = {"Otters": posts(8), "new_one": [], "hidden": [{"protected": True}]}
        with FakeX(accounts, **{"api_key": TOKEN, **how}) as api:
            monkeypatch.setenv("QUIRE_X_BEARER_TOKEN", TOKEN)
            monkeypatch.setenv("QUIRE_X_BASE_URL", api.url)
            yield api

    return start


async def refusal(handle: str = "otters") -> ResolverError:
    """The error that a look-up ends in; nothing of it or of its causes shows the token."""
    with pytest.raises(ResolverError) as caught:
        await resolve("x_handle", handle)
    assert "AAAAtest" not in "".join(traceback.format_exception(caught.value))
    return caught.value


HANDLES = ["otters", "@Otters", " @otters ", "https://x.com/otters", "http://twitter.com/otters/"]


@pytest.mark.parametrize("handle", HANDLES)
async def test_the_latest_post_is_found_by_every_way_to_write_a_handle(
    x: StartX, handle: str
) -> None:
    with x() as api:
        found = await resolve("x_handle", handle)
    assert isinstance(found.value, dict)
    assert (found.value["text"], found.value["published"]) == ("Post 8", "2026-11-20T08:00:00.000Z")
    assert found.value["url"].casefold() == "https://x.com/otters/status/1000"
    assert (found.confidence, found.source, found.cost_estimate) == (1.0, "X API v2", 0.035)
    assert found.fetched_at.tzinfo is not None
    assert len(api.requests) == 2


async def test_without_a_token_it_is_unavailable() -> None:
    error = await refusal()
    assert error.code == "unavailable"
    assert "set QUIRE_X_BEARER_TOKEN to" in str(error)


@pytest.mark.parametrize(
    ("handle", "sentence"),
    [
        ("nobody", "X says that there is no account @nobody."),
        ("new_one", "X says that @new_one has no posts."),
        ("two words", "“two words” is no handle of X"),
        ("a" * 16, "is no handle of X"),
        ("../../2/tweets", "is no handle of X"),
        ("https://example.com/otters", "is no handle of X"),
        ("", "is no handle of X"),
    ],
)
async def test_what_is_not_there_is_not_found(x: StartX, handle: str, sentence: str) -> None:
    with x():
        error = await refusal(handle)
    assert error.code == "not_found"
    assert sentence in str(error)


async def test_a_protected_account_is_refused(x: StartX) -> None:
    with x():
        error = await refusal("hidden")
    assert error.code == "refused"
    assert str(error) == "X does not show the posts of @hidden: Authorization Error."


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("status", "code", "sentence"),
    [
        (401, "refused", "check QUIRE_X_BEARER_TOKEN"),
        (402, "refused", "credits"),
        (403, "refused", "access"),
        (404, "not_found", "no account @otters"),
        (429, "rate_limited", "try again after 10:00 UTC"),
        (500, "upstream", "X answered HTTP 500"),
        (302, "upstream", "X answered HTTP 302"),
    ],
)
async def test_a_refusal_says_what_to_do(
    x: StartX, monkeypatch: pytest.MonkeyPatch, status: int, code: str, sentence: str, first: bool
) -> None:
    with x() as api:
        statuses = iter([status] if first else [None, status])
        monkeypatch.setattr(api, "refusal", lambda _: next(statuses))
        error = await refusal()
    assert error.code == code
    assert sentence in str(error)


async def test_a_wrong_token_is_refused(x: StartX) -> None:
    with x(api_key="another"):
        assert (await refusal()).code == "refused"


@pytest.mark.parametrize("reset", ["soon", "", "9" * 30])
async def test_a_limit_without_a_time_says_later(x: StartX, reset: str) -> None:
    with x(faults=[429]) as api:
        api.reset = reset
        assert "try again later" in str(await refusal())


async def test_a_server_that_hangs_is_left(x: StartX, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x_handle, "SECONDS", 0.2)
    with x(latency=30):
        assert (await refusal()).code == "timeout"


async def test_a_server_that_is_away_is_named(x: StartX, monkeypatch: pytest.MonkeyPatch) -> None:
    with x():
        pass
    error = await refusal()
    assert (error.code, str(error)) == ("upstream", "X could not be reached: try again later.")


@pytest.mark.parametrize("token", ["AAAAtest\n", "AAAAtest-ключ"])
async def test_a_token_that_cannot_be_sent_is_not_shown(
    x: StartX, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    with x():
        monkeypatch.setenv("QUIRE_X_BEARER_TOKEN", token)
        assert (await refusal()).code == "refused"


BODIES = ["", "<html>", "[]", "null", '{"data": 3}', '{"data": {}}', '{"data": [1]}']


@pytest.mark.parametrize("body", BODIES)
async def test_an_answer_that_is_none_is_an_error(
    monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    async def answer(_: Any) -> Response:
        return Response(body, media_type="application/json")

    with Served(Starlette(routes=[Route("/{path:path}", answer)])) as served:
        monkeypatch.setenv("QUIRE_X_BEARER_TOKEN", TOKEN)
        monkeypatch.setenv("QUIRE_X_BASE_URL", served.url)
        error = await refusal()
    assert (error.code, str(error)) == ("upstream", "X's answer could not be read.")
