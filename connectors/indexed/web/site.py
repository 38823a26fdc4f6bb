"""Asking a website politely: by its robots.txt, a few requests at once, each within bounds."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar
from urllib.parse import urlsplit

import httpx

from connectors.http import client as http
from connectors.http.client import read_start, web_host
from connectors.http.errors import http_error, to_connector_error
from connectors.http.redact import redact_url
from connectors.http.retries import call_with_retries
from connectors.http.safe_client import make_safe_client
from connectors.indexed.web.robots import RobotsRules
from connectors.protocol import Limits
from retrieval.web.canonical_url import normalise_url
from schema.concurrency import get_semaphore
from schema.errors import ConnectorError

USER_AGENT = "Quire"
CONCURRENCY = 4
"""Requests to one host under way, of all syncs of a process."""
MAX_REDIRECTS = 5
MAX_ROBOTS_BYTES = 500 * 1024
"""Bytes of robots.txt that are read; the rest does not count."""

BodyT = TypeVar("BodyT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class SiteResponse(Generic[BodyT]):
    """What stands at an address; no body where it is still what the validator stands for."""

    url: str
    """Where it was found, after redirects."""
    headers: httpx.Headers
    body: BodyT | None


class WebsiteClient:
    """A website, while the context is open."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector; `attempts` of each request."""
        self._client = make_safe_client(http.SECONDS)
        self._attempts = limits.attempts
        self._rules: dict[str, RobotsRules] = {}
        self._rules_lock = asyncio.Lock()
        self._free_at = 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[BodyT]],
        *,
        within: str = "",
        validator: str = "",
    ) -> SiteResponse[BodyT]:
        """Ask for an address, and follow its redirects as far as they are allowed.

        Args:
            url: the address, see `to_request_url`.
            read: takes the body of an answer of status 200, piece by piece if it is large.
            within: the uri at or below which every step of the way must stand; "" for anywhere.
            validator: of the version that is known, see `validator`.

        Raises:
            ConnectorError: it has no such page any more (`connector_absent`), does not allow it,
                or did not answer, after all tries.
        """
        return await self._call_with_retries(
            url, lambda: self._follow_redirects(url, read, within, validator)
        )

    async def check(self, url: str) -> None:
        """Make sure that an address may be asked for, without asking for it.

        Raises:
            ConnectorError: its host is no public one, or its robots.txt does not allow it or could
                not be had.
        """
        await self._call_with_retries(url, lambda: self._check_rules(url))

    async def _call_with_retries(self, url: str, call: Callable[[], Awaitable[ResultT]]) -> ResultT:
        async def attempt(_: int) -> ResultT:
            try:
                return await call()
            except httpx.HTTPError as error:  # such as a body that is not packed as it says
                raise to_connector_error(redact_url(url), "", error) from None

        return await call_with_retries(attempt, self._attempts)

    async def _follow_redirects(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[BodyT]],
        within: str,
        validator: str,
    ) -> SiteResponse[BodyT]:
        step, moved = url, False
        for _ in range(MAX_REDIRECTS + 1):
            if within and not is_within(step, within):
                code = "connector_absent" if moved else "connector_failed"
                message = f"{redact_url(url)} leads out of {redact_url(within)}, to "
                raise ConnectorError(message + (redact_url(step) or "no public address"), code=code)
            rules = await self._check_rules(step)
            found = await self._request_once(step, read, validator, rules.delay)
            if isinstance(found, SiteResponse):
                return found
            step, moved = found
        raise ConnectorError(f"{redact_url(url)} redirects more than {MAX_REDIRECTS} times")

    async def _request_once(
        self,
        url: str,
        read: Callable[[httpx.Response], Awaitable[BodyT]],
        validator: str,
        delay: float,
    ) -> SiteResponse[BodyT] | tuple[str, bool]:
        """An answer, or where it is said to be, and whether for good."""
        async with get_semaphore(f"web {web_host(url)}", CONCURRENCY):
            await self._wait_for_turn(delay)
            headers = _build_conditions(validator)
            async with self._client.stream(
                "GET", url, headers=headers, follow_redirects=False
            ) as answer:
                status = answer.status_code
                if answer.next_request:
                    return to_request_url(str(answer.next_request.url)), status in (301, 308)
                if status == 304 and headers:
                    return SiteResponse(url, answer.headers, None)
                if status != 200:
                    raise http_error(redact_url(url), "", status, answer.headers)
                return SiteResponse(url, answer.headers, await read(answer))

    async def _wait_for_turn(self, delay: float) -> None:
        """Wait until the site may be asked again."""
        now = time.monotonic()
        begin = max(now, self._free_at)
        self._free_at = begin + delay
        await asyncio.sleep(begin - now)

    async def _check_rules(self, url: str) -> RobotsRules:
        rules = await self._get_rules(url)
        if not rules.can_fetch(url):
            raise ConnectorError(f"robots.txt does not allow to read {redact_url(url)}")
        return rules

    async def _get_rules(self, url: str) -> RobotsRules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        async with self._rules_lock:
            if origin not in self._rules:
                self._rules[origin] = await self._fetch_rules(f"{origin}/robots.txt")
        return self._rules[origin]

    async def _fetch_rules(self, url: str) -> RobotsRules:
        """A site without a robots.txt allows everything; one that fails to give it, nothing yet."""
        async with (
            get_semaphore(f"web {web_host(url)}", CONCURRENCY),
            self._client.stream("GET", url) as answer,
        ):
            if answer.status_code == 429 or answer.status_code >= 500:
                raise http_error(redact_url(url), "", answer.status_code, answer.headers)
            if answer.status_code != 200:
                return RobotsRules("", USER_AGENT)
            body = await read_start(answer, MAX_ROBOTS_BYTES)
        return RobotsRules(body.decode(errors="replace"), USER_AGENT)


def to_request_url(url: str) -> str:
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
    uri = normalise_url(url)
    return not root or uri == root or uri.startswith((f"{root}/", f"{root}?"))


def get_validator(headers: httpx.Headers) -> str:
    """What a server tells one version of a page from another by; "" where it says nothing."""
    if etag := headers.get("etag"):
        return f"etag:{etag}"
    modified = headers.get("last-modified")
    return f"date:{modified}" if modified else ""


def _build_conditions(validator: str) -> dict[str, str]:
    kind, _, value = validator.partition(":")
    header = {"etag": "If-None-Match", "date": "If-Modified-Since"}.get(kind)
    sendable = value.isascii() and value.isprintable()  # a server may send more than it may be sent
    return {header: value} if header and sendable else {}
