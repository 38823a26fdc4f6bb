"""Google's API for what belongs to a user: sign-in by a refresh token, limits in error bodies."""

import asyncio
import time
from typing import Any

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


class GoogleApi(Api):
    """One of Google's APIs, while the context is open.

    Args:
        provider: its name as people know it, for messages.
        url: where it is; away from Google, tokens are asked for there as well, at `/token`.
        limits: of the connector.
    """

    def __init__(self, provider: str, url: str, limits: Limits) -> None:
        super().__init__(
            provider,
            url,
            key=REFRESH,
            limits=limits,
            interpret=self._interpret_error,
            seconds=4 * http.SECONDS,  # for all of a file
            max_bytes=MAX_BYTES,
        )
        self._tokens = AUTHORISATION_URL if url.endswith(".googleapis.com") else f"{url}/token"
        self._token, self._until = "", 0.0
        self._alone = asyncio.Lock()

    async def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        """See `Api.request`; of status `TOO_LARGE` is also what Google does not export."""
        headers = {"Authorization": f"Bearer {await self._get_access_token()}"}
        return await super().request(method, path, headers=headers, **how)

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
                answer = self.parse_object(await super().request("POST", self._tokens, data=form))
                token, seconds = answer.get("access_token"), answer.get("expires_in")
                if not isinstance(token, str) or not isinstance(seconds, int):
                    raise bad_response_error(self.provider)
                self._token, self._until = token, time.monotonic() + seconds - 60
        return self._token

    def _interpret_error(self, answer: httpx.Response) -> ConnectorError | None:
        body = parse_json(answer.content) if answer.status_code in (400, 403) else None
        reason = get_string(body, "error") or get_string(body, "error", "errors", 0, "reason")
        if reason in _RETRYABLE:
            message = f"{self.provider}'s rate limit was hit"
            return ConnectorError(message, code="connector_limit", retryable=True)
        if reason in _BAD_GRANT:
            return bad_key_error(self.provider, REFRESH)
        return too_large_error(self.provider) if reason == "exportSizeLimitExceeded" else None
