"""Asking Slack's Web API through Slack's own client: tries, limits and failures as elsewhere."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from connectors.net import http
from connectors.net.http import base_url, web_host
from connectors.net.refusals import bad_key, explained, refusal, unreadable
from connectors.net.retries import retried
from connectors.net.safe_http import tls
from connectors.protocol import Limits
from connectors.providers.slack_text import word
from schema.errors import ConnectorError
from schema.limits import slots
from schema.settings import variable

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient

KEY = "SLACK_BOT_TOKEN"
PAGE = 200
"""Records of one answer; Slack advises against more, and refuses a thousand."""

_KEYS = {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}
_ABSENT = {"channel_not_found", "not_in_channel", "thread_not_found", "user_not_found"}
_PASSING = {"fatal_error", "internal_error", "request_timeout", "service_unavailable"}
_LIMITS = {"rate_limited", "ratelimited"}


@dataclass(frozen=True)
class Channel:
    """A channel that the bot is in."""

    id: str
    name: str
    root: str
    """The uri that its threads stand below."""
    url: str
    """The address that its threads' addresses begin with."""


class Web:
    """Slack's Web API, while the context is open. Names of users are asked for once."""

    client: "AsyncWebClient"
    """Its methods are given to `ask` and `all`."""
    root: str
    """The uri of the workspace, once its channels were listed."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        self._limits = limits
        self._users = dict[str, str]()

    async def __aenter__(self) -> Self:
        import aiohttp  # noqa: PLC0415  (an extra)
        from slack_sdk.web.async_client import AsyncWebClient  # noqa: PLC0415

        total = aiohttp.ClientTimeout(total=http.SECONDS)
        self._session = aiohttp.ClientSession(timeout=total, trust_env=True)
        self.client = AsyncWebClient(
            variable(KEY),
            base_url("slack", "https://slack.com/api"),
            ssl=tls(),
            session=self._session,
            user_agent_prefix=http.agent(),
            retry_handlers=[],
            logger=logging.Logger("slack", logging.CRITICAL),  # the usual one writes down messages
        )
        self.client.proxy = None  # what it takes from the environment knows no NO_PROXY
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def channels(self) -> list[Channel]:
        """The channels that the bot is in, by name."""
        team = await self.ask(self.client.auth_test)
        self.root, home = f"slack://{word(team, 'team_id')}", word(team, "url").rstrip("/")
        if not word(team, "team_id") or not web_host(home):
            raise unreadable("Slack")
        kinds = ["public_channel", "private_channel"]
        names = dict[str, str]()
        async for one in self.all(self.client.users_conversations, "channels", types=kinds):
            if re.fullmatch(r"[A-Z0-9]+", word(one, "id")):
                names[one["id"]] = word(one, "name") or one["id"]
        return [
            Channel(id_, names[id_], f"{self.root}/{id_}", f"{home}/archives/{id_}")
            for id_ in sorted(names, key=names.__getitem__)
        ]

    async def user(self, id_: str) -> str:
        """The name of a user; the id of one whom Slack does not show."""
        if id_ not in self._users:
            try:
                found = (await self.ask(self.client.users_info, user=id_)).get("user")
            except ConnectorError as error:
                if error.code != "connector_absent":
                    raise
                found = None
            names = found if isinstance(found, dict) else {}
            self._users[id_] = word(names, "real_name") or word(names, "name") or id_
        return self._users[id_]

    async def all(
        self, call: Callable[..., Any], name: str, **given: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """The records that a method lists under a name, over all pages."""
        cursor = ""
        while True:
            answer = await self.ask(call, limit=PAGE, cursor=cursor or None, **given)
            records, more = answer.get(name), answer.get("response_metadata")
            before, cursor = cursor, word(more, "next_cursor") if isinstance(more, dict) else ""
            if not isinstance(records, list) or (cursor and cursor == before):
                raise unreadable("Slack")
            for record in records:
                if isinstance(record, dict):
                    yield record
            if not cursor:
                return

    async def ask(self, call: Callable[..., Any], **given: Any) -> dict[str, Any]:
        """What a method answers.

        Raises:
            ConnectorError: it refused, or did not answer, after all tries.
        """
        return await retried(lambda _: self._once(call, given), self._limits.attempts)

    async def _once(self, call: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
        import aiohttp  # noqa: PLC0415
        from slack_sdk.errors import SlackApiError  # noqa: PLC0415

        try:
            async with slots("requests of Slack", self._limits.concurrency):
                async with asyncio.timeout(http.SECONDS):
                    answer = (await call(**given)).data
        except SlackApiError as error:
            raise _refused(error.response) from None
        except aiohttp.ClientError as error:
            if isinstance(error, TimeoutError):
                raise explained("Slack", KEY, error) from None
            message = f"Slack could not be reached ({type(error).__name__})"
            raise ConnectorError(message, passing=True) from None
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise explained("Slack", KEY, error) from None
        if not isinstance(answer, dict):
            raise unreadable("Slack")
        return answer


def _refused(response: Any) -> ConnectorError:
    """What an answer means that is no success; most of Slack's have status 200."""
    status = getattr(response, "status_code", 0) or getattr(response, "status", 0)
    headers, body = getattr(response, "headers", {}), getattr(response, "data", None)
    if status >= 400:
        return refusal("Slack", KEY, status, headers)
    if not isinstance(body, dict):
        return unreadable("Slack")
    code = word(body, "error")
    if code in _LIMITS:
        return refusal("Slack", KEY, 429, headers)
    if code in _KEYS:
        return bad_key("Slack", KEY)
    if code in _ABSENT:
        return ConnectorError(f"Slack has no such thing ({code})", code="connector_absent")
    if code == "missing_scope":
        message = f"Slack does not allow this: give the app of {KEY} the scope"
        return ConnectorError(f"{message} {word(body, 'needed')}", code="connector_refused")
    return ConnectorError(f"Slack refused the request ({code[:80]})", passing=code in _PASSING)
