"""YouTube, as far as transcripts, feeds and oEmbed go."""

from collections.abc import Callable
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fakes.provider import Item, Provider

CHANNEL = "UCturbines-0123456789_ab"
PLAYLIST = "PLturbines-0123456789"
OWN = "https://www.youtube.com"
API_KEY = "AIzaSyTurbines_0123"

Snippet = tuple[float, str]


def video_id(number: int) -> str:
    """The id of an item's video."""
    return f"video{number:06}"


class YouTubeServer(Provider):
    """A channel whose items are its videos; its feed holds the newest fifteen.

    Attributes:
        tracks: Transcripts of a video, by its number: language, whether it was recognised, what
            is said. Others have one in English that says the item's text.
        playability: Why a video is not played, by its number: status and reason.
        answers: What stands in for an answer, by the beginning of its path.
        clients: User agents, keys of the player's API and bodies asked with.
    """

    def __init__(self, items: Any = ()) -> None:
        super().__init__(items)
        self.tracks: dict[int, list[tuple[str, bool, list[Snippet]]]] = {}
        self.playability: dict[int, dict[str, Any]] = {}
        self.answers: dict[str, Callable[[Request], Response]] = {}

    def api(self) -> list[Any]:
        return [
            Route("/feeds/videos.xml", self.feed),
            Route("/oembed", self.oembed),
            Route("/watch", self.watch),
            Route("/youtubei/v1/player", self.player, methods=["POST"]),
            Route("/api/timedtext", self.timedtext),
            Route("/@{name}", self.channel),
            Route("/c/{name}", self.channel),
        ]

    def allowed(self, request: Request) -> bool:
        return True

    def failure(self, status: int) -> Response:
        return HTMLResponse(f"<title>Error {status}</title>", status)

    async def feed(self, request: Request) -> Response:
        if made := self.answers.get("/feeds"):
            return made(request)
        given = dict(request.query_params)
        if given not in ({"channel_id": CHANNEL}, {"playlist_id": PLAYLIST}):
            return self.failure(404)
        newest = sorted(self.items.values(), key=lambda item: item.when, reverse=True)[:15]
        entries = "".join(self.entry(item) for item in newest)
        return Response(
            '<?xml version="1.0" encoding="UTF-8"?>'
            '<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" '
            'xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">'
            f"<id>yt:channel:{CHANNEL}</id><yt:channelId>{CHANNEL}</yt:channelId>"
            "<title>Wind/Sun</title><author><name>Wind Channel</name></author>"
            f"<published>2009-01-01T00:00:00+00:00</published>{entries}</feed>",
            media_type="text/xml; charset=UTF-8",
        )

    def entry(self, item: Item) -> str:
        id_ = video_id(item.number)
        return (
            f"<entry><id>yt:video:{id_}</id><yt:videoId>{id_}</yt:videoId>"
            f"<yt:channelId>{CHANNEL}</yt:channelId><title>{escape(item.title)}</title>"
            f'<link rel="alternate" href="{OWN}/watch?v={id_}"/>'
            f"<author><name>{item.author}</name><uri>{OWN}/channel/{CHANNEL}</uri></author>"
            f"<published>{item.iso}</published><updated>{item.iso}</updated>"
            f"<media:group><media:title>{escape(item.title)}</media:title></media:group></entry>"
        )

    async def oembed(self, request: Request) -> Response:
        assert request.query_params["format"] == "json"
        if made := self.answers.get("/oembed"):
            return made(request)
        item = self.item(request.query_params["url"].removeprefix(f"{OWN}/watch?v="))
        if item is None:
            return PlainTextResponse("Not Found", 404)
        told = {"title": item.title, "author_name": item.author, "type": "video", "version": "1.0"}
        return JSONResponse(told)

    async def watch(self, request: Request) -> Response:
        if made := self.answers.get("/watch"):
            return made(request)
        return HTMLResponse(f'<script>ytcfg.set({{"INNERTUBE_API_KEY":"{API_KEY}"}})</script>')

    async def player(self, request: Request) -> Response:
        assert request.query_params["key"] == API_KEY
        body = await request.json()
        assert body["context"]["client"]["clientName"]
        if made := self.answers.get("/youtubei"):
            return made(request)
        item = self.item(body["videoId"])
        if item is None:
            status = {"status": "ERROR", "reason": "This video is unavailable"}
            return JSONResponse({"playabilityStatus": status})
        if status := self.playability.get(item.number, {}):
            return JSONResponse({"playabilityStatus": status})
        held = {"playabilityStatus": {"status": "OK"}}
        tracks = [
            {
                "baseUrl": f"{OWN}/api/timedtext?v={body['videoId']}&lang={language}&fmt=srv3"
                + ("&kind=asr" if recognised else ""),
                "name": {"runs": [{"text": language}]},
                "languageCode": language,
                "isTranslatable": True,
                **({"kind": "asr"} if recognised else {}),
            }
            for language, recognised, _ in self.tracks_of(item)
        ]
        if tracks:
            listed = {"captionTracks": tracks, "translationLanguages": []}
            held["captions"] = {"playerCaptionsTracklistRenderer": listed}  # type: ignore[dict-item]
        return JSONResponse(held)

    async def timedtext(self, request: Request) -> Response:
        if made := self.answers.get("/api"):
            return made(request)
        asked = request.query_params
        item = self.item(asked["v"])
        assert item
        self.sent.append(item.number)
        (said,) = (
            said
            for language, recognised, said in self.tracks_of(item)
            if (language, recognised) == (asked["lang"], asked.get("kind") == "asr")
        )
        lines = "".join(
            f'<text start="{start}" dur="2.5">{escape(escape(words))}</text>'
            for start, words in said
        )
        return Response(f"<transcript>{lines}</transcript>", media_type="text/xml")

    async def channel(self, request: Request) -> Response:
        if made := self.answers.get("/@"):
            return made(request)
        if request.path_params["name"] != "turbines":
            return self.failure(404)
        return HTMLResponse(
            '<link rel="alternate" type="application/rss+xml" title="RSS" '
            f'href="{OWN}/feeds/videos.xml?channel_id={CHANNEL}">'
        )

    def item(self, id_: str) -> Item | None:
        return next((one for one in self.items.values() if video_id(one.number) == id_), None)

    def tracks_of(self, item: Item) -> list[tuple[str, bool, list[Snippet]]]:
        return self.tracks.get(item.number, [("en", True, [(0.0, item.text)])])
