"""Asking Google for what belongs to a user: sign-in by a refresh token, limits told in bodies."""

import asyncio
import time
from typing import Any, Self

import httpx

from connectors.net import http
from connectors.net.http import client
from connectors.net.refusals import bad_key, explained, unreadable
from connectors.net.retries import retried
from connectors.protocol import Limits
from connectors.reading.records import read_json, word
from schema.errors import ConnectorError
from schema.settings import variable

CLIENT, SECRET, REFRESH = "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_REFRESH_TOKEN"
TOKENS = "https://oauth2.googleapis.com/token"
LARGEST = 20 * 2**20
"""Bytes of one answer."""
TOO_LARGE = 413

_PASSING = {"userRateLimitExceeded", "rateLimitExceeded"}
_BAD_GRANT = {"invalid_grant", "invalid_client", "unauthorized_client"}


class Google:
    """One of Google's APIs, while the context is open.

    It is no `Api`: every request needs a token of its own, and a file takes longer than an answer.

    Args:
        provider: its name as people know it, for messages.
        url: where it is; away from Google, tokens are asked for there as well, at `/token`.
        limits: of the connector.
    """

    def __init__(self, provider: str, url: str, limits: Limits) -> None:
        self._provider = provider
        self._tokens = TOKENS if url.endswith(".googleapis.com") else f"{url}/token"
        self._client = client(provider, REFRESH, url, meaning=self._meaning)
        self._limits = limits
        self._token, self._until = "", 0.0
        self._alone = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def get(self, path: str, **params: str) -> dict[str, Any]:
        """The object that stands at a path."""
        return self._object(await self.content(path, **params))

    async def content(self, path: str, **params: str) -> bytes:
        """What stands at a path.

        Raises:
            ConnectorError: after all tries; of status `TOO_LARGE` where it has more than
                `LARGEST` bytes, or more than Google exports.
        """
        headers = {"Authorization": f"Bearer {await self._access()}"}
        return await self._asked("GET", path, params=params, headers=headers)

    async def _access(self) -> str:
        """A token that holds for an hour, got with the one that does not expire."""
        async with self._alone:
            if time.monotonic() >= self._until:
                form = {
                    "grant_type": "refresh_token",
                    "client_id": variable(CLIENT),
                    "client_secret": variable(SECRET),
                    "refresh_token": variable(REFRESH),
                }
                answer = self._object(await self._asked("POST", self._tokens, data=form))
                token, seconds = answer.get("access_token"), answer.get("expires_in")
                if not isinstance(token, str) or not isinstance(seconds, int):
                    raise unreadable(self._provider)
                self._token, self._until = token, time.monotonic() + seconds - 60
        return self._token

    async def _asked(self, method: str, url: str, **how: Any) -> bytes:
        async def once(_: int) -> bytes:
            body = bytearray()
            try:
                async with (
                    asyncio.timeout(4 * http.SECONDS),  # for all of a file; a pause is shorter
                    self._client.stream(method, url, timeout=http.SECONDS, **how) as answer,
                ):
                    async for part in answer.aiter_bytes():
                        body += part
                        if len(body) > LARGEST:
                            break
            except (
                ConnectorError,
                httpx.HTTPError,
                httpx.InvalidURL,
                OSError,
                ValueError,
            ) as error:
                raise explained(self._provider, REFRESH, error) from None
            if len(body) > LARGEST:
                raise self._too_large()
            return bytes(body)

        return await retried(once, self._limits.attempts)

    def _meaning(self, status: int, body: bytes) -> ConnectorError | None:
        told = read_json(body) if status in (400, 403) else None
        reason = word(told, "error") or word(told, "error", "errors", 0, "reason")
        if reason in _PASSING:
            message = f"{self._provider}'s rate limit was hit"
            return ConnectorError(message, code="connector_limit", passing=True)
        if reason in _BAD_GRANT:
            return bad_key(self._provider, REFRESH)
        return self._too_large() if reason == "exportSizeLimitExceeded" else None

    def _too_large(self) -> ConnectorError:
        return ConnectorError(f"{self._provider}'s answer is too large", status=TOO_LARGE)

    def _object(self, body: bytes) -> dict[str, Any]:
        read = read_json(body)
        if not isinstance(read, dict):
            raise unreadable(self._provider)
        return read
