"""Asking a provider's HTTP API: failures in one form, tries and waits within bounds.

`make_client` and `base_url` are for those that ask in another way, too.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from connectors.http.errors import (
    bad_key_error,
    bad_response_error,
    http_error,
    parse_retry_after,
    to_connector_error,
    too_large_error,
)
from connectors.http.retries import call_with_retries
from connectors.http.safe_client import make_tls_context
from connectors.json_fields import parse_json
from connectors.protocol import Limits
from schema.concurrency import get_semaphore
from schema.errors import ConnectorError
from schema.settings import get_settings, read_variable
from schema.turns import take_turn

SECONDS = 30.0
"""Longest that one request may take, to the last byte of its answer, and that a server pauses."""

MAX_BYTES = 64 * 2**20
"""Bytes of one answer."""

_last_requests: dict[str, float] = {}


def base_url(connector: str, default: str) -> str:
    """Where a provider's API is: QUIRE_<CONNECTOR>_BASE_URL, else its own address."""
    return (read_variable(f"QUIRE_{connector.upper()}_BASE_URL") or default).rstrip("/")


def make_user_agent() -> str:
    """The User-Agent; services such as Wikipedia want to know whom to write to."""
    contact = get_settings().contact
    return f"Quire/0.1 ({contact})" if contact else "Quire/0.1"


class Api:
    """A provider's API, while the context is open.

    Args:
        provider: its name as people know it, for messages.
        url: where it is.
        key: the variable that holds its key, for messages; "" where there is none.
        bearer: whether the key is sent as a bearer token, where it is set.
        headers: of every request.
        limits: of the connector: its `concurrency` holds for requests, over all runs of a process.
            A live connector gives none, or `attempts=1`: its searches are counted, and tried
            again, as a whole.
        rate_limited: whether `limits.request_interval` holds, which it does at the provider's own
            address.
        interpret: asked first what an answer means, where its status does not tell; None where it
            means nothing else.
        seconds: deadline of one request, to the last byte of its answer; `SECONDS` where None.
        max_bytes: of one answer; `MAX_BYTES` where None.
    """

    def __init__(
        self,
        provider: str,
        url: str,
        *,
        key: str = "",
        bearer: bool = False,
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        rate_limited: bool = False,
        interpret: Callable[[httpx.Response], ConnectorError | None] = lambda _: None,
        seconds: float | None = None,
        max_bytes: int | None = None,
    ) -> None:
        self.provider = provider
        self._key = key
        self._limits = limits or Limits(attempts=1)
        self._takes_turns = limits is not None
        self._rate_limited = rate_limited
        self._seconds = seconds or SECONDS
        self._max_bytes = max_bytes or MAX_BYTES
        self._interpret = interpret
        token = read_variable(key) if bearer else ""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = make_client(provider, key, url, {**sent, **(headers or {})})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(self, path: str, **params: Any) -> dict[str, Any]:
        """The JSON object that stands at a path; parameters that are None are left out."""
        return self.parse_object(await self.request("GET", path, params=_drop_none(params)))

    async def post(self, path: str, body: Any, **params: Any) -> dict[str, Any]:
        """The JSON object that a JSON body is answered with."""
        return self.parse_object(
            await self.request("POST", path, params=_drop_none(params), json=body)
        )

    async def text(self, path: str, **params: Any) -> str:
        """The text that stands at a path."""
        return (await self.request("GET", path, params=_drop_none(params))).text

    async def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        """An answer of a status below 400, read to its end.

        Raises:
            ConnectorError: see `http_error`, `to_connector_error` and `too_large_error`, after
                all tries.
        """
        return await call_with_retries(
            lambda _: self._request_once(method, path, how), self._limits.attempts
        )

    async def _request_once(self, method: str, path: str, how: Mapping[str, Any]) -> httpx.Response:
        await self._wait_for_rate_limit()
        turn = take_turn(f"requests of {self.provider}", self._limits.concurrency)
        try:
            async with (
                turn if self._takes_turns else nullcontext(),
                asyncio.timeout(self._seconds),
                self._client.stream(method, path, **how) as answer,
            ):
                body = await read_start(answer, self._max_bytes + 1)
        except (ConnectorError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise to_connector_error(self.provider, self._key, error) from None
        answer._content = body  # noqa: SLF001  (it was read piece by piece, for its size)
        if meant := self._interpret(answer):
            meant.wait = parse_retry_after(answer.headers) if meant.wait is None else meant.wait
            raise meant
        if answer.status_code >= 400:
            raise http_error(self.provider, self._key, answer.status_code, answer.headers)
        if len(body) > self._max_bytes:
            raise too_large_error(self.provider)
        return answer

    async def _wait_for_rate_limit(self) -> None:
        """Wait until the provider's own server may be asked again."""
        if not (self._rate_limited and self._limits.request_interval):
            return
        async with get_semaphore(f"rate limit {self.provider}", 1):
            now = time.monotonic()
            next_ = (
                _last_requests.get(self.provider, -self._limits.request_interval)
                + self._limits.request_interval
            )
            await asyncio.sleep(max(0.0, next_ - now))
            _last_requests[self.provider] = time.monotonic()

    def parse_object(self, answer: httpx.Response) -> dict[str, Any]:
        """The JSON object that an answer holds.

        Raises:
            ConnectorError: it holds none.
        """
        found = parse_json(answer.content)
        if not isinstance(found, dict):
            raise bad_response_error(self.provider)
        return found


async def read_start(answer: httpx.Response, count: int) -> bytes:
    """The first bytes of a body that is streamed; what comes behind them is not waited for."""
    body = bytearray()
    async for part in answer.aiter_bytes():
        body += part
        if len(body) >= count:
            break
    return bytes(body[:count])


def make_raising_client(provider: str, key: str, url: str = "") -> httpx.AsyncClient:
    """For providers' own clients that take one of httpx: a status of 400 or above is raised.

    Args: see `make_client`.

    Raises:
        ConnectorError: as `http_error` makes it, from each request that is refused.
    """

    async def check(answer: httpx.Response) -> None:
        if answer.status_code >= 400:
            raise http_error(provider, key, answer.status_code, answer.headers)

    client = make_client(provider, key, url)
    client.event_hooks = {"response": [check]}
    return client


def make_client(
    provider: str, key: str, url: str = "", headers: Mapping[str, str] | None = None
) -> httpx.AsyncClient:
    """A client of httpx that asks a provider.

    Args:
        provider: its name as people know it, for messages.
        key: the variable that holds its key, for messages; "" where there is none.
        url: where it is.
        headers: of every request.

    Raises:
        ConnectorError: a header cannot be sent.
    """
    try:
        return httpx.AsyncClient(
            base_url=url,
            headers={"User-Agent": make_user_agent(), **(headers or {})},
            verify=make_tls_context(),
            timeout=SECONDS,
        )
    except UnicodeEncodeError:  # a key with a letter that no header takes
        raise bad_key_error(provider, key) from None


def web_host(url: str) -> str:
    """The host of a web address; "" for anything else."""
    if not url.startswith(("http://", "https://")) or not url.isprintable():
        return ""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _drop_none(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
