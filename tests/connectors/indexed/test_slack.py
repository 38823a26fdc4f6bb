"""Slack's Web API: docs.slack.dev/reference/methods."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from conformance import SyncConformance, items, list_changes
from fakes.provider import KEY, Item
from fakes.slack_api import GENERAL, RANDOM, SlackServer, moment, thread_of, written
from starlette.responses import JSONResponse, Response

from connectors.protocol import SyncState
from connectors.registry import make_syncing_connector
from schema.documents import Change, Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError


async def changes(
    location: str = "random", cursor: str = "", versions: Mapping[str, str] | None = None
) -> list[Change]:
    return await list_changes("slack", location, versions, cursor)


def documents(found: list[Change]) -> list[Document]:
    return [one for one in found if isinstance(one, Document)]


def after(found: list[Change]) -> tuple[str, dict[str, str]]:
    """Cursor and versions that a library holds after some changes."""
    cursors = [one.cursor for one in found if isinstance(one, Checkpoint)]
    return cursors[-1], {one.uri: one.version for one in documents(found)}


class TestSlack(SyncConformance[SlackServer]):
    name = "slack"
    key = "SLACK_BOT_TOKEN"
    location = "#general"
    full_for_deletions = True
    provider = SlackServer

    def expected(self, item: Item) -> dict[str, Any]:
        ts = moment(item.number)
        return {
            "uri": f"slack://T1/{GENERAL}/{ts}",
            "url": f"https://acme.slack.com/archives/{GENERAL}/p{ts.replace('.', '')}",
            "title": item.title,
            "author": "Ada Lovelace",
            "published": datetime.fromtimestamp(float(ts), UTC).date().isoformat(),
            "path": f"general/{item.title}",
        }

    @pytest.fixture
    def slack(self) -> Any:
        """A workspace without items."""
        with self.serving([]) as provider:
            yield provider

    @pytest.mark.slow
    async def test_ten_thousand_items_come_in_bounded_steps(self) -> None:
        await super().test_ten_thousand_items_come_in_bounded_steps()

    async def test_a_thread_reads_as_people_see_it(self, slack: SlackServer) -> None:
        first = written(
            "<!here> *Gearbox* of &lt;tower 7&gt; &amp; 8, see "
            f"<https://a.test/x?b=1&amp;c=2|the log> and <#{GENERAL}>, <#C9|old|er> &amp;lt; "
            "<@U2|grace>\nMore in <https://a.test/y>, "
            "<mailto:a@b.test|a@b.test>, <javascript:x|this>, <!subteam^S1|@crew>, "
            "<!date^1714557600^{date}|May 1st>",
            0,
            files=[{"id": "F1", "name": "gear.pdf"}, {"id": "F2", "mode": "tombstone"}, None],
        )
        replies = [
            written("", 3, files=[{"title": "photo"}], subtype="file_share"),
            written("I look, <@U404>.", 2, user="U2", subtype="thread_broadcast"),
            written("deployed", 4, user="U9", bot_id="B9"),
            written("<@U2> has joined", 5, user="U2", subtype="channel_join"),
            written("later", 6, user="USLACKBOT"),
        ]
        first |= thread_of(first["ts"], replies)
        slack.written[RANDOM] = [first, written("<@U2> joined", 1, subtype="channel_join")]
        slack.replies[first["ts"]] = replies
        (thread,) = documents(await changes())
        assert thread.text == (
            "Ada Lovelace, 2024-05-01 10:00: @here *Gearbox* of <tower 7> & 8, see "
            "[the log](https://a.test/x?b=1&c=2) and #general, #old|er &lt; @Grace Hopper\n"
            "More in https://a.test/y, a@b.test, this, @crew, May 1st\n"
            "Files: gear.pdf\n\n"
            "Grace Hopper, 2024-05-03 10:00: I look, @U404.\n\n"
            "Ada Lovelace, 2024-05-04 10:00: Files: photo"
        )
        assert thread.title == (
            "@here *Gearbox* of <tower 7> & 8, see the log and #general, #old|er &lt; @Grace…"
        )
        assert (thread.author, thread.site) == ("Ada Lovelace", "Slack")
        assert sum("conversations.replies" in call for call in slack.calls) == 3  # two a page

    async def test_the_window_is_read_again_and_nothing_before_it(self, slack: SlackServer) -> None:
        old, edited, gone, answered = (written(f"Day {day}", day) for day in (1, 40, 41, 42))
        slack.written[RANDOM] = [old, edited, gone, answered]
        cursor, versions = after(await changes())
        assert json.loads(cursor) == {RANDOM: answered["ts"]}
        reply = written("Yes.", 43, user="U2")
        slack.replies[answered["ts"]] = [reply]
        answered |= thread_of(answered["ts"], [reply])
        edited |= {"text": "Day forty", "edited": {"user": "U1", "ts": reply["ts"]}}
        slack.written[RANDOM] = [edited, answered]
        found = await changes(cursor=cursor, versions=versions)
        assert [one.text for one in documents(found)] == [
            "Ada Lovelace, 2024-06-12 10:00: Day 42\n\nGrace Hopper, 2024-06-13 10:00: Yes.",
            "Ada Lovelace, 2024-06-10 10:00: Day forty",
        ]
        uris = {one.uri for one in found if isinstance(one, Gone)}
        assert uris == {f"slack://T1/{RANDOM}/{gone['ts']}"}
        found = await changes(versions=versions)
        assert {one.uri for one in found if isinstance(one, Gone)} == {
            f"slack://T1/{RANDOM}/{gone['ts']}",
            f"slack://T1/{RANDOM}/{old['ts']}",
        }

    async def test_what_did_not_change_is_not_asked_for(self, slack: SlackServer) -> None:
        first = written("Hello", 0)
        slack.replies[first["ts"]] = [written("Hi", 1)]
        slack.written[RANDOM] = [first | thread_of(first["ts"], slack.replies[first["ts"]])]
        cursor, versions = after(await changes())
        slack.calls.clear()
        found = await changes(cursor=cursor, versions=versions)
        assert [type(one) for one in found] == [Unchanged, Checkpoint]
        assert not any("replies" in call or "users.info" in call for call in slack.calls)

    async def test_a_star_stands_for_all_channels_and_what_was_left_goes(
        self, slack: SlackServer
    ) -> None:
        slack.written = {GENERAL: [written("Hello", 0)], RANDOM: [written("Hi", 1)]}
        found = await changes("*")
        cursor, versions = after(found)
        assert {one.path for one in documents(found)} == {"general/Hello", "random/Hi"}
        assert sum("users.info" in call for call in slack.calls) == 1  # both are Ada's
        assert json.loads(cursor).keys() == {GENERAL, RANDOM}
        del slack.channels[RANDOM]
        found = await changes("*", cursor, versions)
        (gone,) = (one for one in found if isinstance(one, Gone))
        assert gone.uri.startswith(f"slack://T1/{RANDOM}/")
        assert json.loads(after(found)[0]).keys() == {GENERAL}

    async def test_a_channel_that_may_not_be_read_stops_only_itself(
        self, slack: SlackServer
    ) -> None:
        slack.written = {GENERAL: [written("Hello", 0)], RANDOM: [written("Hi", 1)]}
        cursor, versions = after(await changes("*"))
        slack.left = {RANDOM}
        found = await changes("*", cursor, versions)
        assert Skipped(uri=f"slack://T1/{RANDOM}", reason="The bot left #random.") in found
        assert not any(isinstance(one, Gone) for one in found)
        with pytest.raises(ConnectorError, match="not_in_channel"):
            await changes("random", cursor, versions)

    @pytest.mark.parametrize("location", ["general", "#general", GENERAL])
    async def test_a_channel_goes_by_name_and_id(self, slack: SlackServer, location: str) -> None:
        assert await make_syncing_connector("slack").find_root(location) == f"slack://T1/{GENERAL}"

    async def test_an_unknown_channel_is_answered_with_those_that_there_are(
        self, slack: SlackServer
    ) -> None:
        with pytest.raises(InputError, match=r"no channel 'x': invite .*\(general, random\)\.$"):
            await make_syncing_connector("slack").find_root("x")
        slack.channels = {}
        with pytest.raises(InputError, match=r"\(there is none yet\)\.$"):
            await make_syncing_connector("slack").find_root("x")

    async def test_a_missing_scope_is_named(self, slack: SlackServer) -> None:
        slack.good, slack.always = 2, 403
        with pytest.raises(ConnectorError, match=r"SLACK_BOT_TOKEN the scope channels:history$"):
            await changes()

    @pytest.mark.parametrize("code", ["ratelimited", "internal_error"])
    async def test_a_failure_inside_of_a_good_answer_passes_too(
        self, slack: SlackServer, code: str
    ) -> None:
        self.monkeypatch.setattr(
            slack, "failure", lambda _: JSONResponse({"ok": False, "error": code})
        )
        slack.faults = [400, 400]
        assert await make_syncing_connector("slack").find_root("general")
        assert len(slack.calls) == 5  # two that failed, the workspace, two pages of channels

    async def test_messages_of_any_form_are_passed_over(self, slack: SlackServer) -> None:
        broken: list[dict[str, Any]] = [
            {},
            {"ts": None, "text": "a"},
            {"ts": "1e9", "text": "b"},
            written("", 1),
            written("c", 2) | {"text": None},
            written("d", 3) | {"text": ["x"], "files": "y", "edited": "z", "user": 7},
            written("reply", 4, thread_ts="1714557600.000100", subtype="thread_broadcast"),
        ]
        good = written("fine", 5, reply_users=7, reply_count="x", latest_reply=3)
        slack.replies[good["ts"]] = [written("too", 6, edited=[])]
        slack.written[RANDOM] = [*broken, good | {"user": None}]
        (thread,) = documents(await changes())
        assert thread.text == (
            "Somebody, 2024-05-06 10:00: fine\n\nAda Lovelace, 2024-05-07 10:00: too"
        )
        assert thread.author == "Somebody"

    async def test_alerts_that_only_their_app_answers_cost_no_request(
        self, slack: SlackServer
    ) -> None:
        alert, talked = (written(f"Alert {day}", day, user="U9", bot_id="B9") for day in (1, 2))
        for one, repliers in ((alert, ["U9"]), (talked, ["U9", "U2"])):
            replies = [written("Seen.", 3, user=user) for user in repliers]
            slack.replies[one["ts"]] = replies
            one.update(thread_of(one["ts"], replies))
        slack.written[RANDOM] = [alert, talked]
        (thread,) = documents(await changes())
        assert (thread.title, thread.published) == ("Seen.", "2024-05-03")
        assert sum("conversations.replies" in call for call in slack.calls) == 1

    async def test_a_thread_that_goes_while_it_is_read_is_gone(self, slack: SlackServer) -> None:
        first = written("Hello", 0)
        slack.written[RANDOM] = [first]
        cursor, versions = after(await changes())
        first |= thread_of(first["ts"], [written("Hi", 1)])
        page = slack.page

        def vanishing(*given: Any) -> Response:
            answer = page(*given)
            slack.written[RANDOM] = [] if given[1] == "messages" else slack.written[RANDOM]
            return answer

        slack.page = vanishing  # type: ignore[method-assign]
        found = await changes(cursor=cursor, versions=versions)
        assert [type(one) for one in found] == [Gone, Checkpoint]

    async def test_a_deleted_first_message_leaves_its_replies(self, slack: SlackServer) -> None:
        first = written("Hello", 0)
        slack.replies[first["ts"]] = [written("Hi", 1, user="U2")]
        first |= thread_of(first["ts"], slack.replies[first["ts"]])
        slack.written[RANDOM] = [first]
        cursor, versions = after(await changes())
        gone = {"text": "This message was deleted.", "user": "USLACKBOT", "subtype": "tombstone"}
        slack.written[RANDOM] = [first | gone]
        (thread,) = documents(await changes(cursor=cursor, versions=versions))
        assert thread.text == "Grace Hopper, 2024-05-02 10:00: Hi"

    async def test_a_thread_that_is_refused_is_a_failure(self, slack: SlackServer) -> None:
        first = written("Hello", 0)
        slack.written[RANDOM] = [first | thread_of(first["ts"], [written("Hi", 1)])]
        slack.good, slack.always = 4, 404  # the workspace, two pages of channels, the history
        slack.calls.clear()
        since = SyncState(location="random", root=f"slack://T1/{RANDOM}")
        with pytest.raises(ConnectorError, match="channel_not_found"):
            _ = [change async for change in make_syncing_connector("slack").sync(since)]
        assert "replies" in slack.calls[-1]

    @pytest.mark.parametrize("cursor", ["{", "[1]", f'{{"{RANDOM}": 3}}', f'{{"{RANDOM}": "x"}}'])
    async def test_a_cursor_that_cannot_be_read_reads_all(
        self, slack: SlackServer, cursor: str
    ) -> None:
        slack.written[RANDOM] = [written("Hello", 0)]
        assert len(documents(await changes(cursor=cursor))) == 1

    async def test_an_empty_channel_leaves_no_cursor(self, slack: SlackServer) -> None:
        assert await changes() == [Checkpoint(cursor="{}")]

    async def test_a_listing_that_turns_in_circles_is_a_failure(self, slack: SlackServer) -> None:
        circle = {"ok": True, "channels": [], "response_metadata": {"next_cursor": "x"}}
        self.monkeypatch.setattr(slack, "page", lambda *_: JSONResponse(circle))
        with pytest.raises(ConnectorError, match="could not be read"):
            await make_syncing_connector("slack").find_root("*")

    async def test_the_key_is_sent_in_the_header_alone(self, slack: SlackServer) -> None:
        await changes()
        assert slack.calls
        assert not any(KEY in call or "token" in call for call in slack.calls)


def test_items_are_40_days_apart() -> None:
    assert float(moment(2)) - float(moment(1)) > 30 * 86_400
    assert len({moment(item.number) for item in items(3)}) == 3
