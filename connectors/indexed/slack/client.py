"""Asking Slack's Web API through Slack's own client: tries, limits and failures as elsewhere."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from connectors.http import client as http
from connectors.http.client import base_url, web_host
from connectors.http.errors import bad_key_error, bad_response_error, http_error, to_connector_error
from connectors.http.retries import call_with_retries
from connectors.http.safe_client import make_tls_context
from connectors.json_fields import get_records, get_string
from connectors.protocol import Limits
from schema.access import EVERYONE
from schema.concurrency import get_semaphore
from schema.errors import ConnectorError
from schema.settings import read_variable

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient

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
    is_private: bool


class SlackClient:
    """Slack's Web API, while the context is open. Names of users are asked for once."""

    client: "AsyncWebClient"
    """Its methods are given to `ask` and `all`."""
    root: str
    """The uri of the workspace, once its channels were listed."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        self._limits = limits
        self._users = dict[str, str]()
        self._addresses = dict[str, str]()

    async def __aenter__(self) -> Self:
        import aiohttp  # noqa: PLC0415  (an extra)
        from slack_sdk.web.async_client import AsyncWebClient  # noqa: PLC0415

        total = aiohttp.ClientTimeout(total=http.SECONDS)
        self._session = aiohttp.ClientSession(timeout=total, trust_env=True)
        self.client = AsyncWebClient(
            read_variable(KEY),
            base_url("slack", "https://slack.com/api"),
            ssl=make_tls_context(),
            session=self._session,
            user_agent_prefix=http.make_user_agent(),
            retry_handlers=[],
            logger=logging.Logger("slack", logging.CRITICAL),  # the usual one writes down messages
        )
        self.client.proxy = None  # what it takes from the environment knows no NO_PROXY
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def list_channels(self) -> list[Channel]:
        """The channels that the bot is in, by name."""
        team = await self.request(self.client.auth_test)
        self.root, home = (
            f"slack://{get_string(team, 'team_id')}",
            get_string(team, "url").rstrip("/"),
        )
        if not get_string(team, "team_id") or not web_host(home):
            raise bad_response_error("Slack")
        kinds = ["public_channel", "private_channel"]
        names, private = dict[str, str](), set[str]()
        async for one in self.iterate_records(
            self.client.users_conversations, "channels", types=kinds
        ):
            if re.fullmatch(r"[A-Z0-9]+", get_string(one, "id")):
                names[one["id"]] = get_string(one, "name") or one["id"]
                if one.get("is_private") is not False:
                    private.add(one["id"])
        return [
            Channel(id_, names[id_], f"{self.root}/{id_}", f"{home}/archives/{id_}", id_ in private)
            for id_ in sorted(names, key=names.__getitem__)
        ]

    async def list_readers(self, channel: Channel) -> tuple[str, ...]:
        """Names of a channel's readers: everyone of a public one, else its members.

        Who shows no address, or where the app has not the scope for it, is known by their id.
        """
        if not channel.is_private:
            return (EVERYONE,)
        members = list[str]()
        cursor = ""
        while True:
            answer = await self.request(
                self.client.conversations_members,
                channel=channel.id, limit=PAGE_SIZE, cursor=cursor or None,
            )  # fmt: skip
            before, cursor = cursor, get_string(answer, "response_metadata", "next_cursor")
            held = answer.get("members")
            if not isinstance(held, list) or (cursor and cursor == before):
                raise bad_response_error("Slack")
            members += [one for one in held if isinstance(one, str)]
            if not cursor:
                break
        for one in members:
            await self.get_user_name(one)
        return tuple(self._addresses.get(one) or f"slack:{one}" for one in members)

    async def get_user_name(self, id_: str) -> str:
        """The name of a user; the id of one whom Slack does not show."""
        if id_ not in self._users:
            try:
                found = await self.request(self.client.users_info, user=id_)
            except ConnectorError as error:
                if error.code != "connector_absent":
                    raise
                found = {}
            names = (get_string(found, "user", name) for name in ("real_name", "name"))
            self._users[id_] = next(filter(None, names), id_)
            self._addresses[id_] = get_string(found, "user", "profile", "email").lower()
        return self._users[id_]

    async def iterate_records(
        self, call: Callable[..., Any], name: str, **given: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """The records that a method lists under a name, over all pages."""
        cursor = ""
        while True:
            answer = await self.request(call, limit=PAGE_SIZE, cursor=cursor or None, **given)
            before, cursor = cursor, get_string(answer, "response_metadata", "next_cursor")
            if not isinstance(answer.get(name), list) or (cursor and cursor == before):
                raise bad_response_error("Slack")
            for record in get_records(answer[name]):
                yield record
            if not cursor:
                return

    async def request(self, call: Callable[..., Any], **given: Any) -> dict[str, Any]:
        """What a method answers.

        Raises:
            ConnectorError: it refused, or did not answer, after all tries.
        """
        return await call_with_retries(
            lambda _: self._request_once(call, given), self._limits.attempts
        )

    async def _request_once(
        self, call: Callable[..., Any], given: dict[str, Any]
    ) -> dict[str, Any]:
        import aiohttp  # noqa: PLC0415
        from slack_sdk.errors import SlackApiError  # noqa: PLC0415

        try:
            async with get_semaphore("requests of Slack", self._limits.concurrency):
                async with asyncio.timeout(http.SECONDS):
                    answer = (await call(**given)).data
        except SlackApiError as error:
            raise _to_connector_error(error.response) from None
        except aiohttp.ClientError as error:
            if isinstance(error, TimeoutError):
                raise to_connector_error("Slack", KEY, error) from None
            message = f"Slack could not be reached ({type(error).__name__})"
            raise ConnectorError(message, retryable=True) from None
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise to_connector_error("Slack", KEY, error) from None
        if not isinstance(answer, dict):
            raise bad_response_error("Slack")
        return answer


def _to_connector_error(response: Any) -> ConnectorError:
    """What an answer means that is no success; most of Slack's have status 200."""
    status = getattr(response, "status_code", 0) or getattr(response, "status", 0)
    headers, body = getattr(response, "headers", {}), getattr(response, "data", None)
    if status >= 400:
        return http_error("Slack", KEY, status, headers)
    if not isinstance(body, dict):
        return bad_response_error("Slack")
    code = get_string(body, "error")
    if code in _RATE_LIMIT_ERRORS:
        return http_error("Slack", KEY, 429, headers)
    if code in _KEY_ERRORS:
        return bad_key_error("Slack", KEY)
    if code in _ABSENT_ERRORS:
        return ConnectorError(f"Slack has no such thing ({code})", code="connector_absent")
    if code == "missing_scope":
        message = f"Slack does not allow this: give the app of {KEY} the scope"
        return ConnectorError(f"{message} {get_string(body, 'needed')}", code="connector_refused")
    return ConnectorError(f"Slack refused the request ({code[:80]})", retryable=code in _RETRYABLE)
