"""`x_handle`: the latest post of an account of X, through its API, version 2."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx

from connectors.resolvers.protocol import Cost, Resolution, Resolver
from library.library import Library
from schema.errors import ResolverError
from schema.settings import get_settings

SECONDS = 10.0
"""Longest that one step of a request waits."""

POSTS = 5  # the fewest that can be asked for
USER_DOLLARS, POST_DOLLARS = 0.010, 0.005
"""For each one returned: docs.x.com/x-api/getting-started/pricing, in 2026."""

_HANDLE = re.compile(r"(?:https?://(?:www\.)?(?:x|twitter)\.com/|@)?(\w{1,15})/?", re.ASCII)

_STATUS_MESSAGES = {
    401: "X refused the token: check QUIRE_X_BEARER_TOKEN.",
    402: "The credits of X's token are used up: buy more at console.x.com.",
    403: "X does not let this token read posts: check the app's access at console.x.com.",
}


class XHandle(Resolver):
    """Needs QUIRE_X_BEARER_TOKEN. Every answer costs its owner money."""

    id = "x_handle"
    cost: Cost = "paid"
    backend = "X API v2"

    async def explain_unavailable(self) -> str:
        """Whether there is a token."""
        if get_settings().x_bearer_token:
            return ""
        return "set QUIRE_X_BEARER_TOKEN to the bearer token of an app from console.x.com."

    async def resolve(self, value: str, library: Library | None = None) -> Resolution:  # noqa: ARG002
        """The post's `url`, `text` and `published`. A handle may have an @, or be its page."""
        match = _HANDLE.fullmatch(value.strip())
        if match is None:
            message = f"“{value[:100]}” is no handle of X: they have up to 15 letters, digits or _."
            raise ResolverError("not_found", message)
        name = match[1]
        with _translate_errors():
            async with _make_client() as client:
                user = await _fetch_data(client, name, f"/2/users/by/username/{name}", {})
                fields = {"max_results": str(POSTS), "tweet.fields": "created_at"}
                posts = await _fetch_data(client, name, f"/2/users/{user['id']}/tweets", fields)
            post = {
                "url": f"https://x.com/{name}/status/{posts[0]['id']}",
                "text": str(posts[0]["text"]),
                "published": str(posts[0]["created_at"]),
            }
        return Resolution(
            value=post,
            confidence=1.0,
            source=self.backend,
            fetched_at=datetime.now(UTC),
            cost_estimate=round(USER_DOLLARS + POST_DOLLARS * len(posts), 3),
        )


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Errors as sentences, none of which shows the token (`from None`: httpx quotes it)."""
    try:
        yield
    except httpx.TimeoutException:
        raise ResolverError("timeout", "X did not answer in time: try again later.") from None
    except (httpx.LocalProtocolError, UnicodeEncodeError):
        message = "QUIRE_X_BEARER_TOKEN holds characters that no token has: set it again."
        raise ResolverError("refused", message) from None
    except httpx.HTTPError:
        raise ResolverError("upstream", "X could not be reached: try again later.") from None
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ResolverError("upstream", "X's answer could not be read.") from None


def _make_client() -> httpx.AsyncClient:
    here = get_settings()
    token = here.x_bearer_token.get_secret_value() if here.x_bearer_token else ""
    return httpx.AsyncClient(
        base_url=here.x_base_url, headers={"Authorization": f"Bearer {token}"}, timeout=SECONDS
    )


async def _fetch_data(
    client: httpx.AsyncClient, name: str, path: str, fields: dict[str, str]
) -> Any:
    """What the API has at a path. It says 200 also where it has nothing."""
    response = await client.get(path, params=fields)
    if response.status_code != 200:
        raise _build_error(response, name)
    answer = response.json()
    if "data" in answer:
        return answer["data"]
    titles = [error["title"] for error in answer.get("errors", [])]
    if titles and "Not Found Error" not in titles:  # a protected or a suspended account
        raise ResolverError("refused", f"X does not show the posts of @{name}: {titles[0]}.")
    lack = f"there is no account @{name}" if titles else f"@{name} has no posts"
    raise ResolverError("not_found", f"X says that {lack}.")


def _build_error(response: httpx.Response, name: str) -> ResolverError:
    status = response.status_code
    if status in _STATUS_MESSAGES:
        return ResolverError("refused", _STATUS_MESSAGES[status])
    if status == 404:
        return ResolverError("not_found", f"X says that there is no account @{name}.")
    if status == 429:
        reset = response.headers.get("x-rate-limit-reset", "")  # seconds since 1970
        known = reset.isdecimal() and len(reset) < 12
        when = f"after {datetime.fromtimestamp(int(reset), UTC):%H:%M} UTC" if known else "later"
        return ResolverError("rate_limited", f"X's rate limit was hit: try again {when}.")
    return ResolverError("upstream", f"X answered HTTP {status}: try again later.")
