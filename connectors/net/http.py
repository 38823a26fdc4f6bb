"""Asking a provider's HTTP API: failures in one form, tries and waits within bounds.

For providers without a well-kept client of their own; `client` and `base_url` are for all.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from connectors.net.refusals import bad_key, explained, refusal, retry_after, unreadable
from connectors.net.retries import retried
from connectors.net.safe_http import tls
from connectors.protocol import Limits
from schema.errors import ConnectorError
from schema.limits import slots
from schema.settings import settings, variable

SECONDS = 30.0
"""Longest that one request may take, to the last byte of its answer."""

LARGEST = 64 * 2**20
"""Bytes of one answer."""

_last: dict[str, float] = {}


def base_url(connector: str, default: str) -> str:
    """Where a provider's API is: QUIRE_<CONNECTOR>_BASE_URL, else its own address."""
    return (variable(f"QUIRE_{connector.upper()}_BASE_URL") or default).rstrip("/")


def agent() -> str:
    """The User-Agent; services such as Wikipedia want to know whom to write to."""
    contact = settings().contact
    return f"Quire/0.1 ({contact})" if contact else "Quire/0.1"


class Api:
    """A provider's API, while the context is open.

    Args:
        provider: its name as people know it, for messages.
        url: where it is.
        key: the variable that holds its key, for messages; "" where there is none.
        headers: of every request.
        limits: of the connector. A live connector passes `attempts=1`: its searches are tried
            again as a whole.
        spaced: whether `limits.spacing` holds, which it does at the provider's own address.
        meaning: see `client`.
    """

    def __init__(
        self,
        provider: str,
        url: str,
        *,
        key: str = "",
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        spaced: bool = False,
        meaning: "Meaning | None" = None,
    ) -> None:
        self._provider = provider
        self._key = key
        self._limits = limits or Limits(attempts=1)
        self._spaced = spaced
        self._client = client(provider, key, url, headers, meaning)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(self, path: str, **params: Any) -> Any:
        """The JSON that stands at a path; parameters that are None are left out."""
        return self._read(await self.request("GET", path, params=_given(params)))

    async def post(self, path: str, body: Any, **params: Any) -> Any:
        """The JSON that a JSON body is answered with."""
        return self._read(await self.request("POST", path, params=_given(params), json=body))

    async def text(self, path: str, **params: Any) -> str:
        """The text that stands at a path."""
        return (await self.request("GET", path, params=_given(params))).text

    async def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        """An answer of a status below 400, read to its end.

        Raises:
            ConnectorError: see `refusal` and `explained`, after all tries.
        """
        return await retried(lambda _: self._once(method, path, how), self._limits.attempts)

    async def _once(self, method: str, path: str, how: Mapping[str, Any]) -> httpx.Response:
        await self._pause()
        try:
            async with asyncio.timeout(SECONDS), self._client.stream(method, path, **how) as answer:
                body = bytearray()
                async for part in answer.aiter_bytes():
                    body += part
                    if len(body) > LARGEST:
                        break
        except (ConnectorError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise explained(self._provider, self._key, error) from None
        if len(body) > LARGEST:
            raise ConnectorError(f"{self._provider}'s answer is too large")
        answer._content = bytes(body)  # noqa: SLF001  (it was read piece by piece, for its size)
        return answer

    async def _pause(self) -> None:
        """Wait until the provider's own server may be asked again."""
        if not (self._spaced and self._limits.spacing):
            return
        async with slots(f"spacing {self._provider}", 1):
            now = time.monotonic()
            next_ = _last.get(self._provider, -self._limits.spacing) + self._limits.spacing
            await asyncio.sleep(max(0.0, next_ - now))
            _last[self._provider] = time.monotonic()

    def _read(self, answer: httpx.Response) -> Any:
        try:
            return json.loads(answer.content)
        except (ValueError, RecursionError):
            raise unreadable(self._provider) from None


Meaning = Callable[[int, bytes], ConnectorError | None]
"""What an error status and its body say in the words of one provider; None where nothing new."""


def client(
    provider: str,
    key: str,
    url: str = "",
    headers: Mapping[str, str] | None = None,
    meaning: Meaning | None = None,
) -> httpx.AsyncClient:
    """A client whose every answer of status 400 or above is raised as a `refusal`.

    For `Api`, and for providers' own clients that take one of httpx.

    Args:
        provider: its name as people know it, for messages.
        key: the variable that holds its key, for messages; "" where there is none.
        url: where it is.
        headers: of every request.
        meaning: asked first what an error means, where only its body tells.

    Raises:
        ConnectorError: a header cannot be sent.
    """

    async def check(answer: httpx.Response) -> None:
        if answer.status_code < 400:
            return
        told = meaning(answer.status_code, await answer.aread()) if meaning else None
        error = told or refusal(provider, key, answer.status_code, answer.headers)
        if error.wait is None:
            error.wait = retry_after(answer.headers)
        raise error

    try:
        return httpx.AsyncClient(
            base_url=url,
            headers={"User-Agent": agent(), **(headers or {})},
            verify=tls(),
            timeout=SECONDS,
            event_hooks={"response": [check]},
        )
    except UnicodeEncodeError:  # a key with a letter that no header takes
        raise bad_key(provider, key) from None


def web_host(url: str) -> str:
    """The host of a web address; "" for anything else."""
    if not url.startswith(("http://", "https://")) or not url.isprintable():
        return ""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
