"""Transcripts of videos: what every connector must do, and what is special to YouTube."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from conformance import UNICODE, SyncConformance, items, list_changes
from fakes.provider import OLD, Item
from fakes.sites.youtube import CHANNEL, PLAYLIST, YouTubeServer, video_id
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from connectors.http import client as http
from connectors.indexed.youtube import transcripts
from connectors.protocol import SyncState
from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Checkpoint, Document, Gone, Skipped
from schema.errors import ConnectorError, InputError


class TestYouTube(SyncConformance[YouTubeServer]):
    name = "youtube"
    location = CHANNEL
    batch = many = 15  # a feed gives no more
    first_requests = 4  # the feed, and what goes before threads ask for transcripts
    provider = YouTubeServer

    def expected(self, item: Item) -> dict[str, Any]:
        return {
            "uri": f"youtube://{CHANNEL}/{video_id(item.number)}",
            "url": f"https://www.youtube.com/watch?v={video_id(item.number)}",
            "title": item.title,
            "author": "Ada Lovelace",
            "site": "YouTube",
            "language": "en",
            "published": "2024-05-01",
            "path": f"Wind∕Sun/{item.title}",
        }

    async def test_every_item_is_read_over_all_pages(self, library: Library) -> None:
        """There is one page, of the fifteen newest; what leaves it is kept."""
        held = items(32)
        with self.serving(held[:17]) as provider:
            assert await self.sync(library) == {"added": 15}
            provider.put(*held[17:20])
            assert await self.sync(library) == {"added": 3, "unchanged": 12}
            texts = await self.held(library)
        assert set(texts) == {self.expected(item)["uri"] for item in held[2:20]}
        for item in held[2:20]:
            assert item.text in (texts[self.expected(item)["uri"]] or "")

    async def test_text_of_every_script_arrives_unharmed(self, library: Library) -> None:
        """But for what looks like markup, which the library takes out of what is said."""
        with self.serving([Item(1, "Wind 世界 🎈", UNICODE)]):
            await self.sync(library)
            (text,) = (await self.held(library)).values()
        assert text == "[00:00:00] Grüße, 世界 — مرحبا 🎈 &amp; \u202eabc"

    async def test_a_second_sync_transfers_only_news(self, library: Library) -> None:
        """Of the suite's sixty items, the feed has the fifteen newest."""
        with self.serving(items(60)) as provider:
            await self.sync(library)
            first = len(provider.sent)
            provider.sent.clear()
            provider.put(Item(61, "Wind turbine 61", "The newest.", when=OLD + timedelta(days=90)))
            told = await self.sync(library)
        assert first == 15
        assert told == {"added": 1, "unchanged": 14}
        assert provider.sent == [61]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[YouTubeServer]:
    with YouTubeServer(items(2)) as running:
        monkeypatch.setenv("QUIRE_YOUTUBE_BASE_URL", running.url)
        yield running


async def changes(
    location: str, versions: dict[str, str] | None = None, cursor: str = ""
) -> list[Any]:
    """What a sync yields, without its checkpoint, which is always there."""
    *found, last = await list_changes("youtube", location, versions, cursor)
    assert last == Checkpoint(cursor="listed")
    return found


VIDEO = video_id(1)
ROOT = f"youtube://{CHANNEL}"


@pytest.mark.parametrize(
    ("location", "root"),
    [
        (VIDEO, f"youtube://video/{VIDEO}"),
        (f"https://www.youtube.com/watch?v={VIDEO}&list={PLAYLIST}&t=90s", f"youtube://video/{VIDEO}"),
        (f"youtube.com/watch?feature=x&v={VIDEO}", f"youtube://video/{VIDEO}"),
        (f"https://youtu.be/{VIDEO}?list={PLAYLIST}", f"youtube://video/{VIDEO}"),
        (f"https://m.youtube.com/shorts/{VIDEO}/", f"youtube://video/{VIDEO}"),
        (f"https://www.youtube.com/live/{VIDEO}", f"youtube://video/{VIDEO}"),
        (f"https://www.youtube-nocookie.com/embed/{VIDEO}", f"youtube://video/{VIDEO}"),
        (PLAYLIST, f"youtube://{PLAYLIST}"),
        (f"https://www.youtube.com/playlist?list={PLAYLIST}", f"youtube://{PLAYLIST}"),
        (f"https://music.youtube.com/playlist?list={PLAYLIST}", f"youtube://{PLAYLIST}"),
        (f"https://www.youtube.com/channel/{CHANNEL}/videos", ROOT),
        (CHANNEL, ROOT),
        ("@turbines", ROOT),
        ("https://www.youtube.com/@turbines/videos", ROOT),
        ("http://youtube.com/c/turbines", ROOT),
    ],
)  # fmt: skip
async def test_a_place_is_an_address_or_an_id(
    server: YouTubeServer, location: str, root: str
) -> None:
    assert await make_syncing_connector("youtube").find_root(location) == root


@pytest.mark.parametrize(
    "location",
    ["", "turbines", "https://youtube.com", "https://vimeo.com/1234567", "https://notyoutube.com/@a",
     "https://youtube.com.test/watch?v=" + VIDEO, "https://youtube.com/playlist?list=WL", "http://["],
)  # fmt: skip
async def test_another_place_is_answered_with_what_to_write(
    server: YouTubeServer, location: str
) -> None:
    with pytest.raises(InputError, match=r"address of a video, a channel or a playlist\.$"):
        await make_syncing_connector("youtube").find_root(location)
    assert server.calls == []


@pytest.mark.parametrize("location", ["UC" + "x" * 22, "PL" + "x" * 20, "@nobody"])
async def test_a_channel_that_does_not_exist_is_named(server: YouTubeServer, location: str) -> None:
    with pytest.raises(InputError, match=rf"no channel or playlist '{location}'\.$"):
        await make_syncing_connector("youtube").find_root(location)


async def test_a_channel_behind_a_page_of_consent_can_be_named_by_its_number(
    server: YouTubeServer,
) -> None:
    elsewhere = {"Location": "https://consent.youtube.com/m?continue=x"}
    server.answers["/@"] = lambda _: Response(status_code=302, headers=elsewhere)
    with pytest.raises(InputError, match=r"write its address with its number"):
        await make_syncing_connector("youtube").find_root("@turbines")


async def test_one_video_has_its_title_from_oembed(server: YouTubeServer) -> None:
    (document,) = await changes(f"https://youtu.be/{VIDEO}")
    assert isinstance(document, Document)
    assert (document.uri, document.title) == (f"youtube://video/{VIDEO}", "Wind turbine 1")
    assert (document.author, document.published) == ("Ada Lovelace", "")
    assert document.path == "Ada Lovelace/Wind turbine 1"
    (again,) = await changes(VIDEO, {document.uri: document.version})
    assert type(again).__name__ == "Unchanged"


@pytest.mark.parametrize(
    "answer",
    [PlainTextResponse("Unauthorized", 401), PlainTextResponse("Forbidden"), JSONResponse([])],
)
async def test_a_video_that_may_not_be_embedded_is_read_all_the_same(
    server: YouTubeServer, answer: Response
) -> None:
    server.answers["/oembed"] = lambda _: answer
    (document,) = await changes(VIDEO)
    assert (document.title, document.author) == (VIDEO, "")


@pytest.mark.parametrize(
    ("tracks", "chosen"),
    [
        ([("en", False), ("de", False), ("de", True)], "written de"),
        ([("en-GB", False), ("en", True)], "written en-GB"),
        ([("fr", False), ("en", True)], "recognised en"),
        ([("fr", False), ("en", False)], "written fr"),
    ],
)
async def test_the_video_s_own_language_counts_and_then_who_wrote_it(
    server: YouTubeServer, tracks: list[tuple[str, bool]], chosen: str
) -> None:
    server.tracks[1] = [
        (language, recognised, [(0.0, f"{'recognised' if recognised else 'written'} {language}")])
        for language, recognised in tracks
    ]
    (document,) = await changes(VIDEO)
    assert document.text == f"[00:00:00] {chosen}"
    assert document.language == chosen.rpartition(" ")[2].partition("-")[0]


async def test_paragraphs_begin_with_their_time(
    server: YouTubeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "PARAGRAPH", 35)
    said = [(0.4, "The wind\n turns  it."), (7.0, " "), (9.9, "And then?"), (19.0, "On we go.")]
    said += [(78.9, "Still."), (79.0, "A minute later."), (3_725.5, "An hour & more later.")]
    server.tracks[1] = [("en", False, said)]
    (document,) = await changes(VIDEO)
    assert document.text.split("\n\n") == [
        "[00:00:00] The wind turns it. And then?",
        "[00:00:19] On we go. Still.",
        "[00:01:19] A minute later.",
        "[01:02:05] An hour & more later.",
    ]


UNPLAYABLE = {"status": "UNPLAYABLE", "reason": "The uploader has\nnot made it available"}
ADULTS = {"status": "LOGIN_REQUIRED", "reason": "This video may be inappropriate for some users."}
WENT = {"status": "ERROR", "reason": "This video is unavailable"}
BOT = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (UNPLAYABLE, "it cannot be played (The uploader has not made it available)"),
        (ADULTS, "it is only shown to adults who are signed in"),
        (WENT, "there is no such video any more"),
    ],
)
async def test_a_video_that_cannot_be_seen_is_skipped(
    server: YouTubeServer, status: dict[str, Any], reason: str
) -> None:
    server.playability[1] = status
    newer, older = await changes(CHANNEL)
    assert isinstance(newer, Document)
    assert older == Skipped(uri=f"{ROOT}/{VIDEO}", reason=f"Wind turbine 1: {reason}")


async def test_a_video_that_went_while_the_feed_still_has_it_is_gone(
    server: YouTubeServer,
) -> None:
    server.playability[1] = WENT
    _, older = await changes(CHANNEL, {f"{ROOT}/{VIDEO}": "before"})
    assert older == Gone(uri=f"{ROOT}/{VIDEO}")


@pytest.mark.parametrize(
    ("tracks", "reason"),
    [([], "it has no transcript"), ([("en", True, [(0.0, " ")])], "nothing is said in it")],
)
async def test_a_video_without_a_transcript_is_skipped(
    server: YouTubeServer, tracks: list[Any], reason: str
) -> None:
    server.tracks[1] = tracks
    _, older = await changes(CHANNEL)
    assert older.reason == f"Wind turbine 1: {reason}"


def captions(**track: Any) -> dict[str, Any]:
    return {
        "playabilityStatus": {"status": "OK"},
        "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": [track]}},
    }


NAMED = {"name": {"runs": [{"text": "English"}]}, "languageCode": "en"}
PLAYER = "https://www.youtube.com/api/timedtext?v=1"


@pytest.mark.parametrize(
    ("path", "answer", "reason"),
    [
        ("/watch", HTMLResponse("<p>Nothing</p>"), "YouTube's answer could not be read"),
        ("/youtubei", PlainTextResponse("no JSON"), "YouTube's answer could not be read"),
        ("/youtubei", JSONResponse([]), "YouTube's answer could not be read"),
        ("/youtubei", JSONResponse(captions(baseUrl=PLAYER)), "YouTube's answer could not be read"),
        (
            "/youtubei",
            JSONResponse(captions(baseUrl="http://10.0.0.1/", **NAMED)),
            "YouTube's answer could not be read",
        ),
        (
            "/youtubei",
            JSONResponse(captions(baseUrl=f"{PLAYER}&exp=xpe", **NAMED)),
            "YouTube gives its transcript to its own player only",
        ),
        (
            "/youtubei",
            JSONResponse({"playabilityStatus": {"status": "OK"}, "captions": {}}),
            "it has no transcript",
        ),
        ("/api", Response(""), "YouTube's answer could not be read"),
        ("/api", Response("<transcript><text"), "YouTube's answer could not be read"),
        ("/api", Response("<transcript><text>a</text></transcript>"), "could not be read"),
        ("/api", Response(status_code=404), "YouTube has no such thing"),
        ("/api", Response(status_code=403), "YouTube does not allow this"),
    ],
)
async def test_an_answer_that_makes_no_sense_costs_that_video(
    server: YouTubeServer, path: str, answer: Response, reason: str
) -> None:
    server.answers[path] = lambda _: answer
    (change,) = await changes(VIDEO)
    assert isinstance(change, Skipped)
    assert change.reason.endswith(reason)


async def test_an_address_that_only_begins_as_youtube_s_is_not_asked(
    server: YouTubeServer,
) -> None:
    elsewhere = f"https://www.youtube.com:1@{server.url.removeprefix('http://')}/api/timedtext"
    track = captions(baseUrl=f"{elsewhere}?v={VIDEO}&lang=en&kind=asr", **NAMED)
    server.answers["/youtubei"] = lambda _: JSONResponse(track)
    (change,) = await changes(VIDEO)
    assert isinstance(change, Skipped)
    assert server.sent == []


@pytest.mark.parametrize(
    ("path", "answer", "code", "passing"),
    [
        ("/youtubei", JSONResponse({"playabilityStatus": BOT}), "connector_refused", False),
        ("/watch", HTMLResponse('<div class="g-recaptcha">'), "connector_limit", True),
        ("/api", Response(status_code=429), "connector_limit", True),
        ("/api", Response(status_code=503), "connector_failed", True),
        (
            "/watch",
            HTMLResponse('<form action="https://consent.youtube.com/s">'),
            "connector_failed",
            False,
        ),
    ],
)
async def test_what_every_video_would_run_into_ends_the_sync(
    server: YouTubeServer, path: str, answer: Response, code: str, passing: bool
) -> None:
    server.answers[path] = lambda _: answer
    with pytest.raises(ConnectorError) as caught:
        await changes(CHANNEL)
    assert (caught.value.code, caught.value.retryable) == (code, passing)
    assert "\n" not in str(caught.value)
    tries = [call for call in server.calls if call.startswith("/watch")]
    assert len(tries) >= 5 if passing else len(tries) <= 4


@pytest.mark.slow
async def test_a_transcript_that_does_not_come_is_given_up(
    server: YouTubeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "SECONDS", 0.2)
    root = await make_syncing_connector("youtube").find_root(VIDEO)
    server.good, server.always = 1, 0.6
    with pytest.raises(ConnectorError, match=r"^YouTube did not answer in time$") as caught:
        await anext(make_syncing_connector("youtube").sync(SyncState(location=VIDEO, root=root)))
    assert caught.value.code == "connector_timeout"


FEED = (
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015">'
)


async def test_a_feed_with_odd_entries_gives_the_others(server: YouTubeServer) -> None:
    odd = "<entry/><entry><yt:videoId>../../x</yt:videoId></entry>"
    bare = f"<entry><yt:videoId>{VIDEO}</yt:videoId><published>soon</published></entry>"
    server.answers["/feeds"] = lambda _: Response(f"{FEED}{odd}{bare}{bare}</feed>")
    (document,) = await changes(PLAYLIST)
    assert (document.title, document.author, document.published) == (VIDEO, "", "")
    assert document.path == f"{PLAYLIST}/{VIDEO}"
    (again,) = await changes(PLAYLIST, {document.uri: document.version})
    assert type(again).__name__ == "Unchanged"


@pytest.mark.parametrize("body", ["", "<html/>", "<feed/>", "{}"])
async def test_what_is_no_feed_is_a_failure(server: YouTubeServer, body: str) -> None:
    server.answers["/feeds"] = lambda _: Response(body)
    with pytest.raises(ConnectorError, match=r"answer could not be read$"):
        await changes(CHANNEL, {f"{ROOT}/{VIDEO}": "x"})


async def test_what_left_a_full_feed_is_only_looked_after_from_anew(
    server: YouTubeServer,
) -> None:
    server.put(*items(15, first=2))
    held = {f"{ROOT}/{video_id(number)}": "x" for number in (1, 98, 99)}
    assert not [one for one in await changes(CHANNEL, held, "listed") if isinstance(one, Gone)]
    gone = [one.uri for one in await changes(CHANNEL, held) if isinstance(one, Gone)]
    assert gone == [f"{ROOT}/{video_id(98)}", f"{ROOT}/{video_id(99)}"]
    server.answers["/oembed"] = lambda _: PlainTextResponse("Forbidden", 403)
    assert not [one for one in await changes(CHANNEL, held) if isinstance(one, Gone)]
    server.answers["/oembed"] = lambda _: PlainTextResponse("Try later", 503)
    with pytest.raises(ConnectorError, match=r"HTTP 503$"):
        await changes(CHANNEL, held)
