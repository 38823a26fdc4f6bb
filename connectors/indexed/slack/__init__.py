"""`slack`: the threads of the channels that a bot is in, through Slack's Web API."""

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from connectors.files.tree_path import join_tree_path
from connectors.http.prefetch import prefetch
from connectors.indexed.slack.client import KEY, Channel, SlackClient
from connectors.indexed.slack.text import (
    find_users,
    format_message,
    is_from_person,
    make_title,
)
from connectors.json_fields import get_fields, get_string, parse_json
from connectors.protocol import Limits, SyncingConnector, SyncState, name_readers
from schema.documents import Change, Checkpoint, Document, Gone, ReadersOf, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

WINDOW_SECONDS = 30 * 86_400
"""Seconds before the newest message of the last sync that are read again, for what changed."""
MAX_NAMED = 50
"""Channels that a message names at most."""

_MOMENT = re.compile(r"\d{1,11}\.\d{1,9}")
"""A message's `ts`, which is its identity in a channel, and when it was written."""


class Slack(SyncingConnector):
    """Threads of the channels that the bot was invited to, public and private. Times are UTC.

    A sync sees what is new, changed or gone in the 30 days before its last newest message. What
    happened to older threads, replies to them among it, is seen by a full sync. A reply that
    was only edited is seen with the next change of its thread: Slack tells of none.
    """

    name = "slack"
    description = "threads of channels"
    document_description = (
        "a thread: `slack://TEAM/CHANNEL/TS`, the beginning of its first message, who wrote it, "
        "its address and date, at channel/beginning"
    )
    required_variables = (KEY,)
    package = "slack_sdk"
    tells_readers = True
    limits = Limits(concurrency=3)

    async def find_root(self, location: str) -> str:
        """A channel by its name or id, as in `general` or `C0123ABC`; `*` for all of them."""
        async with SlackClient(self.limits) as web:
            channels = await web.list_channels()
        if location == "*":
            return web.root
        for channel in channels:
            if location.removeprefix("#") in (channel.name, channel.id):
                return channel.root
        names = ", ".join(channel.name for channel in channels[:MAX_NAMED]) or "there is none yet"
        raise InputError(
            f"Slack shows this bot no channel '{location}': invite the bot there, or use * or a "
            f"channel that it is in ({names})."
        )

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Read each channel from the window on; threads with replies are asked for one by one."""
        known = dict[str, list[str]]()
        for uri in since.versions:
            known.setdefault(uri.rpartition("/")[0], []).append(uri)
        async with SlackClient(self.limits) as web:
            channels = {channel.root: channel for channel in await web.list_channels()}
            newest = _parse_cursor(since.cursor, {channel.id for channel in channels.values()})
            for root, channel in channels.items():
                if since.root in (root, web.root):
                    sync = _ChannelSync(web, channel, channels, since, newest)
                    try:
                        readers = await web.list_readers(channel) if since.acl else None
                        if readers is not None:
                            yield ReadersOf(uri=root, readers=readers)
                        async for change in sync.list_changes(known.get(root, ())):
                            yield name_readers(change, readers)
                    except ConnectorError as error:
                        if error.code != "connector_absent" or since.root == root:
                            raise
                        yield Skipped(uri=root, reason=f"The bot left #{channel.name}.")
                    yield Checkpoint(cursor=json.dumps(newest))
            for root in known.keys() - channels.keys() if since.root == web.root else ():
                for uri in known[root]:
                    yield Gone(uri=uri)


class _ChannelSync:
    """One channel in a sync. `newest` is where its newest message is written down."""

    def __init__(
        self,
        web: SlackClient,
        channel: Channel,
        channels: Mapping[str, Channel],
        since: SyncState,
        newest: dict[str, str],
    ) -> None:
        self._web = web
        self._channel = channel
        self._names = {one.id: one.name for one in channels.values()}
        self._versions = since.versions
        self._newest = newest
        self._begin = max(float(newest.get(channel.id, 0)) - WINDOW_SECONDS, 0.0)
        self._last = newest.get(channel.id, "")
        self._seen = set[str]()

    async def list_changes(self, known: Sequence[str]) -> AsyncIterator[Change]:
        """What the window holds; of the threads that are known, those that left it."""
        async for change in prefetch(
            self._list_threads(), self._read_thread, Slack.limits.concurrency
        ):
            if change:
                yield change
        for uri in known:
            if uri not in self._seen and float(uri.rpartition("/")[2]) >= self._begin:
                yield Gone(uri=uri)
        if self._last:
            self._newest[self._channel.id] = self._last

    async def _list_threads(self) -> AsyncIterator[dict[str, Any]]:
        """First messages, in no order that Slack would promise."""
        window = {"oldest": f"{self._begin:.6f}", "inclusive": True} if self._begin else {}
        listing = {"channel": self._channel.id, **window}
        async for message in self._web.iterate_records(
            self._web.client.conversations_history, "messages", **listing
        ):
            moment = get_string(message, "ts")
            if _MOMENT.fullmatch(moment):
                self._last = max(self._last or "0", moment, key=float)
                if get_string(message, "thread_ts") in ("", moment):  # else a reply, shown here too
                    yield message

    async def _read_thread(self, first: dict[str, Any]) -> Change | None:
        uri, version = f"{self._channel.root}/{first['ts']}", _get_version(first)
        if self._versions.get(uri) == version:
            self._seen.add(uri)
            return Unchanged(uri=uri)
        lines, author, title = list[str](), "", ""
        for message in filter(is_from_person, await self._fetch_messages(first)):
            users = {user: await self._web.get_user_name(user) for user in find_users(message)}
            if text := format_message(message, users, self._names):
                name = users.get(get_string(message, "user")) or "Somebody"
                author, title = author or name, title or make_title(text)
                lines.append(f"{name}, {_parse_time(message):%Y-%m-%d %H:%M}: {text}")
        if not lines:
            return None
        self._seen.add(uri)
        return Document(
            uri=uri,
            url=f"{self._channel.url}/p{first['ts'].replace('.', '')}",
            title=title,
            author=author,
            site="Slack",
            text="\n\n".join(lines),
            connector=Slack.name,
            published=_parse_time(first).date().isoformat(),
            version=version,
            path=join_tree_path(self._channel.name, title),
        )

    async def _fetch_messages(self, first: dict[str, Any]) -> list[dict[str, Any]]:
        """A thread from its first message on; nothing where it went meanwhile."""
        found = {first["ts"]: first}
        if first.get("reply_count") and not _is_app_thread(first):
            thread = {"channel": self._channel.id, "ts": first["ts"]}
            try:
                async for message in self._web.iterate_records(
                    self._web.client.conversations_replies, "messages", **thread
                ):
                    if _MOMENT.fullmatch(
                        get_string(message, "ts")
                    ):  # each page begins with the first
                        found[message["ts"]] = message
            except ConnectorError as error:
                if "thread_not_found" not in str(error):
                    raise
                return []
        return [found[moment] for moment in sorted(found, key=float)]


def _parse_cursor(cursor: str, channels: set[str]) -> dict[str, str]:
    """The newest message of each channel by the last sync's cursor, as far as it can be read.

    A channel that the bot left is forgotten: if it comes back, all is read.
    """
    given = get_fields(parse_json(cursor))
    return {
        id_: get_string(given, id_) for id_ in channels if _MOMENT.fullmatch(get_string(given, id_))
    }


def _is_app_thread(first: Mapping[str, Any]) -> bool:
    """Whether an app's message has replies of that app alone: alerts, of which there are many."""
    repliers, itself = first.get("reply_users"), (first.get("user"), first.get("bot_id"))
    return (
        isinstance(repliers, list)
        and not is_from_person(first)
        and all(one in itself for one in repliers)
    )


def _get_version(first: Mapping[str, Any]) -> str:
    changed = get_string(first, "edited", "ts")
    last = get_string(first, "latest_reply") or first["ts"]
    parts = (last, changed, str(first.get("reply_count") or 0), get_string(first, "subtype"))
    return " ".join(part for part in parts if part)  # a deleted first message has a subtype


def _parse_time(message: Mapping[str, Any]) -> datetime:
    return datetime.fromtimestamp(float(message["ts"]), UTC)
