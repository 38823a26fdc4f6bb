"""`youtube`: what is said in videos, by their transcripts."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from connectors.files.dates import iso_date
from connectors.files.tree_path import join_tree_path
from connectors.files.xml import get_element_text, parse_xml
from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import bad_response_error
from connectors.http.prefetch import prefetch
from connectors.http.retries import call_with_retries
from connectors.indexed.youtube.transcripts import (
    BASE_URL,
    NoTranscriptError,
    Transcript,
    read_transcript,
)
from connectors.protocol import Limits, SyncingConnector, SyncState
from schema.documents import Change, Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

FEED_SIZE = 15
"""Videos of a feed, the most that YouTube gives."""
FEED_READ = "listed"
"""Cursor once a feed was read: older videos are then only looked after by `--full`."""

_VIDEO = re.compile(r"[\w-]{11}", re.ASCII)
_LIST = re.compile(r"UC[\w-]{22}|(?:PL|UU|FL|OL)[\w-]{10,62}", re.ASCII)
_CHANNEL = re.compile(r"/feeds/videos\.xml\?channel_id=(UC[\w-]{22})", re.ASCII)
_PAGE = re.compile(r"@[\w.·-]+|(?:c|user)/[\w.%-]+")
_HOSTS = ("youtube.com", "youtu.be", "youtube-nocookie.com")
_ID_PREFIXES = ("channel", "shorts", "live", "embed", "v")
"""What stands in an address before the id of a channel or video."""


@dataclass(frozen=True)
class _Video:
    id: str
    uri: str
    folder: str = ""
    title: str = ""
    author: str = ""
    published: str = ""
    updated: str = ""


class YouTube(SyncingConnector):
    """One video, or those of a channel or playlist that stand in its feed.

    What leaves the feed because newer videos came stays; whether it still exists is asked by
    `--full`. What leaves a feed that is not full is gone.
    """

    name = "youtube"
    description = "transcripts of videos"
    document_description = (
        "a video: `youtube://LIST/ID`, its title, channel, address and date of publication, at "
        "list/title"
    )
    package = "youtube_transcript_api"
    limits = Limits(concurrency=2)

    async def find_root(self, location: str) -> str:
        """The video, or the channel or playlist, which is looked up."""
        kind, name = _parse_location(location)
        if kind == "video":
            return f"youtube://video/{name}"
        async with self._make_api() as api:
            try:
                if kind == "list":
                    await _read_feed(api, name)
                    return f"youtube://{name}"
                found = _CHANNEL.search(await api.text(f"/{name}"))
            except ConnectorError as error:
                if error.code != "connector_absent":
                    raise
                raise InputError(f"YouTube has no channel or playlist '{location}'.") from None
        if not found:
            raise InputError(
                f"The channel of '{location}' is not known: write its address with its number, as "
                f"{BASE_URL}/channel/UC…"
            )
        return f"youtube://{found[1]}"

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Read the transcripts of videos that are new or were updated."""
        async with self._make_api() as api:
            videos, is_full = await self._list_videos(api, since.root)

            async def read(video: _Video) -> Change:
                return await self._read_video(video, since.versions.get(video.uri))

            async for change in prefetch(videos, read, self.limits.concurrency):
                yield change
            for uri in sorted(since.versions.keys() - {video.uri for video in videos}):
                if not is_full or (not since.cursor and await _is_gone(api, uri)):
                    yield Gone(uri=uri)
        yield Checkpoint(cursor=FEED_READ)

    def _make_api(self) -> Api:
        return Api("YouTube", base_url(self.name, BASE_URL), limits=self.limits)

    async def _list_videos(self, api: Api, root: str) -> tuple[list[_Video], bool]:
        """The videos of a location, and whether there may be more."""
        kind, _, id_ = root.removeprefix("youtube://").partition("/")
        if kind != "video":
            return await _read_feed(api, kind)
        try:
            info = await _fetch_info(api, id_)
        except ConnectorError as error:
            if error.retryable:
                raise
            info = {}  # it may not be embedded, which says nothing about its transcript
        title, author = str(info.get("title") or ""), str(info.get("author_name") or "")
        return [_Video(id_, root, author or "YouTube", title, author)], False

    async def _read_video(self, video: _Video, held: str | None) -> Change:
        if video.updated and video.updated == held:
            return Unchanged(uri=video.uri)
        try:
            found = await call_with_retries(
                lambda _: asyncio.to_thread(
                    read_transcript, video.id, base_url(self.name, BASE_URL)
                ),
                self.limits.attempts,
            )
        except NoTranscriptError as error:
            if error.absent and held is not None:
                return Gone(uri=video.uri)
            return Skipped(uri=video.uri, reason=f"{video.title or video.id}: {error}")
        document = _build_document(video, found)
        return Unchanged(uri=video.uri) if document.version == held else document


def _parse_location(location: str) -> tuple[Literal["video", "list", "page"], str]:
    """What an address or an id names: a video, a list that has a feed, a channel by its name."""
    url = location if "://" in location else f"https://{location}"
    host = re.sub(r"^(www|m|music)\.", "", web_host(url))
    given = [location]
    if host in _HOSTS:
        parts = urlsplit(url)
        path = parts.path.strip("/").split("/")
        asked = parse_qs(parts.query)
        at = 1 if path[0] in _ID_PREFIXES else 0
        given = [*asked.get("v", ()), *path[at : at + 1], "/".join(path[:2])]
        given += asked.get("list", ())
    for text in given:
        if _LIST.fullmatch(text):
            return "list", text
        if _VIDEO.fullmatch(text):
            return "video", text
        if _PAGE.fullmatch(text):
            return "page", text
    raise InputError(
        f"'{location}' is nothing of YouTube's: write the address of a video, a channel or a "
        "playlist."
    )


async def _read_feed(api: Api, list_: str) -> tuple[list[_Video], bool]:
    """The newest videos of a channel, or the first of a playlist, and whether there may be more."""
    kind = "channel_id" if list_.startswith("UC") else "playlist_id"
    answer = await api.request("GET", "/feeds/videos.xml", params={kind: list_})
    feed = parse_xml(answer.content, "YouTube")
    if not str(feed.tag).endswith("}feed"):
        raise bad_response_error("YouTube")
    entries = feed.findall("{*}entry")
    found: dict[str, _Video] = {}
    for entry in entries:
        id_, title, published, updated = (
            get_element_text(entry.find(f"{{*}}{name}"))
            for name in ("videoId", "title", "published", "updated")
        )
        if _VIDEO.fullmatch(id_):
            found[id_] = _Video(
                id_,
                f"youtube://{list_}/{id_}",
                get_element_text(feed.find("{*}title")) or list_,
                title,
                get_element_text(entry.find("{*}author/{*}name")),
                iso_date(published),
                updated,
            )
    return list(found.values()), len(entries) >= FEED_SIZE


async def _fetch_info(api: Api, video: str) -> dict[str, Any]:
    """Title and author of a video."""
    return await api.get("/oembed", url=f"{BASE_URL}/watch?v={video}", format="json")


async def _is_gone(api: Api, uri: str) -> bool:
    try:
        await _fetch_info(api, uri.rpartition("/")[2])
    except ConnectorError as error:
        if error.retryable:
            raise
        return (
            error.code == "connector_absent"
        )  # another HTTP error: it is private, or not embedded
    return False


def _build_document(video: _Video, found: Transcript) -> Document:
    title = video.title or video.id
    return Document(
        uri=video.uri,
        url=f"{BASE_URL}/watch?v={video.id}",
        text=found.text,
        connector=YouTube.name,
        title=title,
        author=video.author,
        site="YouTube",
        language=found.language,
        published=video.published,
        version=video.updated or blake2b(found.text.encode(), digest_size=16).hexdigest(),
        path=join_tree_path(video.folder, title),
    )
