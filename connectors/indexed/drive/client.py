"""Google's API for what belongs to a user: sign-in by a refresh token, limits in error bodies."""

import asyncio
import time
from typing import Any, Self

import httpx

from connectors.http import client as http
from connectors.http.client import Api
from connectors.http.errors import bad_key_error, bad_response_error, too_large_error
from connectors.json_fields import get_string, parse_json
from connectors.protocol import Limits
from schema.errors import ConnectorError
from schema.settings import read_variable

CLIENT, SECRET, REFRESH = "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_REFRESH_TOKEN"
AUTHORISATION_URL = "https://oauth2.googleapis.com/token"
MAX_BYTES = 20 * 2**20
"""Bytes of one answer."""

_RETRYABLE = {"userRateLimitExceeded", "rateLimitExceeded"}
_BAD_GRANT = {"invalid_grant", "invalid_client", "unauthorized_client"}


class GoogleClient:
    """One of Google's APIs, while the context is open.

    Args:
        provider: its name as people know it, for messages.
        url: where it is; away from Google, tokens are asked for there as well, at `/token`.
        limits: of the connector.
    """

    def __init__(self, provider: str, url: str, limits: Limits) -> None:
        self._provider = provider
        self._tokens = AUTHORISATION_URL if url.endswith(".googleapis.com") else f"{url}/token"
        self._api = Api(
            provider,
            url,
            key=REFRESH,
            limits=limits,
            interpret_error=self._interpret_error,
            seconds=4 * http.SECONDS,  # for all of a file
            max_bytes=MAX_BYTES,
        )
        self._token, self._until = "", 0.0
        self._alone = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._api.__aexit__()

    async def get(self, path: str, **params: str) -> dict[str, Any]:
        """The object that stands at a path."""
        return self._api.parse_object(await self._get(path, params))

    async def get_content(self, path: str, **params: str) -> bytes:
        """What stands at a path.

        Raises:
            ConnectorError: after all tries; of status `TOO_LARGE` where it has more than
                `MAX_BYTES` bytes, or more than Google exports.
        """
        return (await self._get(path, params)).content

    async def _get(self, path: str, params: dict[str, str]) -> httpx.Response:
        headers = {"Authorization": f"Bearer {await self._get_access_token()}"}
        return await self._api.request("GET", path, params=params, headers=headers)

    async def _get_access_token(self) -> str:
        """A token that holds for an hour, got with the one that does not expire."""
        async with self._alone:
            if time.monotonic() >= self._until:
                form = {
                    "grant_type": "refresh_token",
                    "client_id": read_variable(CLIENT),
                    "client_secret": read_variable(SECRET),
                    "refresh_token": read_variable(REFRESH),
                }
                given = await self._api.request("POST", self._tokens, data=form)
                answer = self._api.parse_object(given)
                token, seconds = answer.get("access_token"), answer.get("expires_in")
                if not isinstance(token, str) or not isinstance(seconds, int):
                    raise bad_response_error(self._provider)
                self._token, self._until = token, time.monotonic() + seconds - 60
        return self._token

    def _interpret_error(self, status: int, body: bytes) -> ConnectorError | None:
        answer = parse_json(body) if status in (400, 403) else None
        reason = get_string(answer, "error") or get_string(answer, "error", "errors", 0, "reason")
        if reason in _RETRYABLE:
            message = f"{self._provider}'s rate limit was hit"
            return ConnectorError(message, code="connector_limit", retryable=True)
        if reason in _BAD_GRANT:
            return bad_key_error(self._provider, REFRESH)
        return too_large_error(self._provider) if reason == "exportSizeLimitExceeded" else None
