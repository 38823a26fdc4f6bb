"""Asking Slack's Web API: its failures, its listings, its channels and users."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx

from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import (
    bad_key_error,
    bad_response_error,
    find_or_none,
    http_error,
)
from connectors.json_fields import get_records, get_string, parse_json
from connectors.protocol import Limits
from schema.errors import ConnectorError

KEY = "SLACK_BOT_TOKEN"
PAGE_SIZE = 200
"""Records of one answer; Slack advises against more, and refuses a thousand."""

_KEY_ERRORS = {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}
_ABSENT_ERRORS = {"channel_not_found", "not_in_channel", "thread_not_found", "user_not_found"}
_RETRYABLE = {"fatal_error", "internal_error", "request_timeout", "service_unavailable"}
_RATE_LIMIT_ERRORS = {"rate_limited", "ratelimited"}


@dataclass(frozen=True)
class Channel:
    """A channel that the bot is in."""

    id: str
    name: str
    root: str
    """The uri that its threads stand below."""
    url: str
    """The address that its threads' addresses begin with."""


class SlackApi(Api):
    """Slack's Web API, while the context is open. Names of users are asked for once."""

    root: str
    """The uri of the workspace, once its channels were listed."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        super().__init__(
            "Slack",
            base_url("slack", "https://slack.com/api"),
            key=KEY,
            bearer=True,
            limits=limits,
            interpret=_interpret_answer,
        )
        self._users = dict[str, str]()

    async def list_channels(self) -> list[Channel]:
        """The channels that the bot is in, by name."""
        team = await self.post("/auth.test", None)
        home = get_string(team, "url").rstrip("/")
        self.root = f"slack://{get_string(team, 'team_id')}"
        if not get_string(team, "team_id") or not web_host(home):
            raise bad_response_error("Slack")
        names = dict[str, str]()
        async for one in self.iterate_records(
            "/users.conversations", "channels", types="public_channel,private_channel"
        ):
            if re.fullmatch(r"[A-Z0-9]+", get_string(one, "id")):
                names[one["id"]] = get_string(one, "name") or one["id"]
        return [
            Channel(id_, names[id_], f"{self.root}/{id_}", f"{home}/archives/{id_}")
            for id_ in sorted(names, key=names.__getitem__)
        ]

    async def get_user_name(self, id_: str) -> str:
        """The name of a user; the id of one whom Slack does not show."""
        if id_ not in self._users:
            found = await find_or_none(self.get("/users.info", user=id_))
            names = (get_string(found, "user", name) for name in ("real_name", "name"))
            self._users[id_] = next(filter(None, names), id_)
        return self._users[id_]

    async def iterate_records(
        self, path: str, name: str, **given: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """The records that a method lists under a name, over all pages."""
        cursor = ""
        while True:
            answer = await self.get(path, limit=PAGE_SIZE, cursor=cursor or None, **given)
            before, cursor = cursor, get_string(answer, "response_metadata", "next_cursor")
            if not isinstance(answer.get(name), list) or (cursor and cursor == before):
                raise bad_response_error("Slack")
            for record in get_records(answer[name]):
                yield record
            if not cursor:
                return


def _interpret_answer(answer: httpx.Response) -> ConnectorError | None:
    """What an answer means that is no success; most of Slack's have status 200."""
    body = parse_json(answer.content)
    if answer.status_code >= 400 or not isinstance(body, dict) or body.get("ok") is True:
        return None
    code = get_string(body, "error")
    if code in _RATE_LIMIT_ERRORS:
        return http_error("Slack", KEY, 429, answer.headers)
    if code in _KEY_ERRORS:
        return bad_key_error("Slack", KEY)
    if code in _ABSENT_ERRORS:
        return ConnectorError(f"Slack has no such thing ({code})", code="connector_absent")
    if code == "missing_scope":
        message = f"Slack does not allow this: give the app of {KEY} the scope"
        return ConnectorError(f"{message} {get_string(body, 'needed')}", code="connector_refused")
    return ConnectorError(f"Slack refused the request ({code[:80]})", retryable=code in _RETRYABLE)
