"""Asking a website politely: by its robots.txt, a few requests at once, each within bounds."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar
from urllib.parse import urlsplit

import httpx

from connectors.net import http
from connectors.net.addresses import shown
from connectors.net.http import web_host
from connectors.net.refusals import explained, refusal
from connectors.net.retries import retried
from connectors.net.safe_http import safe_client
from connectors.protocol import Limits
from connectors.providers.web_robots import Rules, read_rules
from retrieval.pages import page_uri
from schema.errors import ConnectorError
from schema.limits import slots

AGENT = "Quire"
AT_ONCE = 4
"""Requests to one host under way, of all syncs of a process."""
REDIRECTS = 5
LARGEST_ROBOTS = 500 * 1024
"""Bytes of robots.txt that are read; the rest does not count."""

Body = TypeVar("Body")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer(Generic[Body]):
    """What stands at an address; no body where it is still what the validator stands for."""

    url: str
    """Where it was found, after redirects."""
    headers: httpx.Headers
    body: Body | None


class Site:
    """A website, while the context is open."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector; `attempts` of each request."""
        self._client = safe_client(http.SECONDS)
        self._attempts = limits.attempts
        self._rules: dict[str, Rules] = {}
        self._asking = asyncio.Lock()
        self._free = 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[Body]],
        *,
        within: str = "",
        validator: str = "",
    ) -> Answer[Body]:
        """Ask for an address, and follow its redirects as far as they are allowed.

        Args:
            url: the address, see `web_address`.
            read: takes the body of an answer of status 200, piece by piece if it is large.
            within: the uri at or below which every step of the way must stand; "" for anywhere.
            validator: of the version that is known, see `validator`.

        Raises:
            ConnectorError: it has no such page any more (`connector_absent`), does not allow it,
                or did not answer, after all tries.
        """
        return await self._tried(url, lambda: self._followed(url, read, within, validator))

    async def check(self, url: str) -> None:
        """Make sure that an address may be asked for, without asking for it.

        Raises:
            ConnectorError: its host is no public one, or its robots.txt does not allow it or could
                not be had.
        """
        await self._tried(url, lambda: self._check(url))

    async def _tried(self, url: str, call: Callable[[], Awaitable[Result]]) -> Result:
        async def attempt(_: int) -> Result:
            try:
                return await call()
            except httpx.HTTPError as error:  # such as a body that is not packed as it says
                raise explained(shown(url), "", error) from None

        return await retried(attempt, self._attempts)

    async def _followed(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[Body]],
        within: str,
        validator: str,
    ) -> Answer[Body]:
        step, moved = url, False
        for _ in range(REDIRECTS + 1):
            if within and not is_within(step, within):
                code = "connector_absent" if moved else "connector_failed"
                told = f"{shown(url)} leads out of {shown(within)}, to "
                raise ConnectorError(told + (shown(step) or "no public address"), code=code)
            rules = await self._check(step)
            found = await self._once(step, read, validator, rules.delay)
            if isinstance(found, Answer):
                return found
            step, moved = found
        raise ConnectorError(f"{shown(url)} redirects more than {REDIRECTS} times")

    async def _once(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[Body]],
        validator: str,
        delay: float,
    ) -> Answer[Body] | tuple[str, bool]:
        """An answer, or where it is said to be, and whether for good."""
        async with slots(f"web {web_host(url)}", AT_ONCE):
            await self._turn(delay)
            headers = _conditions(validator)
            async with self._client.stream(
                "GET", url, headers=headers, follow_redirects=False
            ) as answer:
                status = answer.status_code
                if answer.next_request:
                    return web_address(str(answer.next_request.url)), status in (301, 308)
                if status == 304 and headers:
                    return Answer(url, answer.headers, None)
                if status != 200:
                    raise refusal(shown(url), "", status, answer.headers)
                return Answer(url, answer.headers, await read(answer))

    async def _turn(self, delay: float) -> None:
        """Wait until the site may be asked again."""
        now = time.monotonic()
        begin = max(now, self._free)
        self._free = begin + delay
        await asyncio.sleep(begin - now)

    async def _check(self, url: str) -> Rules:
        rules = await self._rules_for(url)
        if not rules.allow(url):
            raise ConnectorError(f"robots.txt does not allow to read {shown(url)}")
        return rules

    async def _rules_for(self, url: str) -> Rules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        async with self._asking:
            if origin not in self._rules:
                self._rules[origin] = await self._robots(f"{origin}/robots.txt")
        return self._rules[origin]

    async def _robots(self, url: str) -> Rules:
        """A site without a robots.txt allows everything; one that fails to give it, nothing yet."""
        async with (
            slots(f"web {web_host(url)}", AT_ONCE),
            self._client.stream("GET", url) as answer,
        ):
            if answer.status_code == 429 or answer.status_code >= 500:
                raise refusal(shown(url), "", answer.status_code, answer.headers)
            if answer.status_code != 200:
                return Rules()
            body = bytearray()
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > LARGEST_ROBOTS:
                    break
        return read_rules(body[:LARGEST_ROBOTS].decode(errors="replace"), AGENT)


def web_address(url: str) -> str:
    """An address as it is asked for: encoded, without `..`, which leads elsewhere, or a fragment.

    "" for what is no address of the web, and for one with a password.
    """
    try:
        parsed = httpx.URL(url).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError):
        return ""
    return str(parsed) if web_host(str(parsed)) and not parsed.userinfo else ""


def is_within(url: str, root: str) -> bool:
    """Whether an address is the root, stands below it, or is a variant of it (`?page=2`).

    Everything is within the root "".
    """
    uri = page_uri(url)
    return not root or uri == root or uri.startswith((f"{root}/", f"{root}?"))


def validator_of(headers: httpx.Headers) -> str:
    """What a server tells one version of a page from another by; "" where it says nothing."""
    if etag := headers.get("etag"):
        return f"etag:{etag}"
    modified = headers.get("last-modified")
    return f"date:{modified}" if modified else ""


def _conditions(validator: str) -> dict[str, str]:
    kind, _, value = validator.partition(":")
    header = {"etag": "If-None-Match", "date": "If-Modified-Since"}.get(kind)
    sendable = value.isascii() and value.isprintable()  # a server may send more than it may be sent
    return {header: value} if header and sendable else {}
