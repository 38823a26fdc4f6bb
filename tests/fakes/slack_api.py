"""A stand-in for Slack's API: a workspace with two channels."""

from datetime import datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.provider import Item, Provider

FIRST = datetime.fromisoformat("2024-05-01T10:00:00Z")
USERS = {"U1": "Ada Lovelace", "U2": "Grace Hopper"}
CODES = {401: "invalid_auth", 403: "missing_scope", 404: "channel_not_found", 429: "ratelimited"}
GENERAL, RANDOM = "C0GENERAL", "C0RANDOM"


def moment(number: int) -> str:
    """When an item was written: 40 days lie between two, so a window of 30 holds one."""
    return f"{(FIRST + timedelta(days=40 * (number - 1))).timestamp():.0f}.{number % 1000:06d}"


class SlackServer(Provider):
    """The workspace T1, whose channel general holds the items, and random what a test puts there.

    Every tenth item has a reply.
    """

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.channels = {GENERAL: "general", RANDOM: "random"}
        self.written = dict[str, list[dict[str, Any]]]()
        """Further messages by channel."""
        self.replies = dict[str, list[dict[str, Any]]]()
        """By the `ts` of the first message."""
        self.left = set[str]()
        """Channels that are listed although the bot may not read them any more."""
        self.edited = set[int]()

    def api(self) -> list[Any]:
        return [
            Route("/auth.test", self.team, methods=["POST"]),
            Route("/users.conversations", self.conversations),
            Route("/users.info", self.user),
            Route("/conversations.history", self.history),
            Route("/conversations.replies", self.thread),
        ]

    def failure(self, status: int) -> Response:
        if status >= 500:
            return Response("upstream connect error", status, media_type="text/plain")
        body = {"ok": False, "error": CODES.get(status, "invalid_arguments")}
        scopes = {"needed": "channels:history", "provided": "users:read"}
        return JSONResponse(body | (scopes if status == 403 else {}), 429 if status == 429 else 200)

    def put(self, *held: Item) -> None:
        self.edited |= {item.number for item in held} & self.items.keys()
        super().put(*held)

    async def team(self, request: Request) -> Response:
        team = {"url": "https://acme.slack.com/", "team": "Acme", "team_id": "T1", "bot_id": "B1"}
        return JSONResponse({"ok": True, **team, "user": "quire", "user_id": "U9"})

    async def conversations(self, request: Request) -> Response:
        assert request.query_params["types"] == "public_channel,private_channel"
        channels = [
            {"id": id_, "name": name, "is_channel": True, "is_private": False}
            for id_, name in self.channels.items()
        ]
        return self.page(request, "channels", channels, 1)

    async def user(self, request: Request) -> Response:
        id_ = request.query_params["user"]
        if id_ not in USERS:
            return JSONResponse({"ok": False, "error": "user_not_found"})
        user = {"id": id_, "name": id_.lower(), "real_name": USERS[id_], "is_bot": False}
        return JSONResponse({"ok": True, "user": user})

    async def history(self, request: Request) -> Response:
        channel = request.query_params["channel"]
        if channel not in self.channels or channel in self.left:
            return JSONResponse({"ok": False, "error": "not_in_channel"})
        oldest = float(request.query_params.get("oldest", "0"))
        assert not oldest or request.query_params["inclusive"] == "1"
        held: list[Any] = list(self.items) if channel == GENERAL else []
        held = [one for one in held if not oldest or float(moment(one)) >= oldest]
        held += [
            one
            for one in self.written.get(channel, [])
            if not isinstance(one.get("ts"), str) or float(one["ts"]) >= oldest
        ]
        return self.page(request, "messages", held[::-1], 200)

    async def thread(self, request: Request) -> Response:
        ts = request.query_params["ts"]
        first = [one for some in self.written.values() for one in some if one.get("ts") == ts]
        days = (float(ts) - FIRST.timestamp()) / 86_400
        if not first and (number := round(days / 40) + 1) in self.items:
            first = [number]
        if not first:
            return JSONResponse({"ok": False, "error": "thread_not_found"})
        return self.page(request, "messages", self.replies.get(ts, [REPLY]), 2, first)

    def message(self, item: Item) -> dict[str, Any]:
        ts = moment(item.number)
        text = f"{item.title}\n{item.text}"
        for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            text = text.replace(sign, escaped)
        message = {"type": "message", "user": "U1", "text": text, "ts": ts, "team": "T1"}
        if item.number in self.edited:
            message["edited"] = {"user": "U1", "ts": f"{item.when.timestamp():.6f}"}
        if item.number % 10 == 0:
            message |= thread_of(ts, [REPLY])
        return message

    def page(
        self, request: Request, name: str, held: list[Any], most: int, before: Any = ()
    ) -> Response:
        """No more than `most` records, as Slack may always do; an item stands for its message."""
        assert "token" not in request.query_params
        limit = int(request.query_params.get("limit", "100"))
        assert 1 <= limit <= 999
        start = int(request.query_params.get("cursor", "0"))
        page = held[start : start + min(limit, most)]
        self.sent += [one for one in page if isinstance(one, int)]
        records = [
            self.message(self.items[one]) if isinstance(one, int) else one
            for one in (*before, *page)
        ]
        end = start + len(page)
        body = {"ok": True, name: records, "has_more": end < len(held)}
        cursor = str(end) if end < len(held) else ""
        return JSONResponse(body | {"response_metadata": {"next_cursor": cursor}})


REPLY = {"type": "message", "user": "U2", "text": "Agreed.", "ts": "1900000000.000100"}


def written(text: str, day: int, **more: Any) -> dict[str, Any]:
    """A message of Ada's, so many days after the first."""
    ts = f"{(FIRST + timedelta(days=day)).timestamp():.0f}.000100"
    return {"type": "message", "user": "U1", "text": text, "ts": ts, **more}


def thread_of(ts: str, replies: list[dict[str, Any]]) -> dict[str, Any]:
    """What a first message tells of its replies."""
    return {
        "thread_ts": ts,
        "reply_count": len(replies),
        "reply_users": sorted({str(one.get("user")) for one in replies}),
        "latest_reply": max(one["ts"] for one in replies),
    }
