"""Webhooks: a real receiver on loopback checks the signature with what the docs tell it to do."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest
from fakes.server import Fake
from graph_runs import QUESTION
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from schema.access import LOCAL_MEMBER
from schema.context import Context
from schema.errors import InputError
from serving import webhooks
from serving.live_runs import LiveRuns
from serving.stored_reports import load_finished_report
from serving.webhooks import Webhooks, check_webhook
from team.webhook_deliveries import Delivery, list_deliveries

SECRET = "whsec_" + base64.b64encode(b"a key of the receiver's").decode()


class Receiver(Fake):
    """Takes messages; `faults` are answered first."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        routes = [
            Route("/hook", self._take, methods=["POST"]),
            Route("/moved", lambda _: RedirectResponse("/hook", 307), methods=["POST"]),
        ]
        super().__init__(routes)

    async def _take(self, request: Request) -> Response:
        self.got.append((dict(request.headers), await request.body()))
        return Response(status_code=self.refusal(request) or 204)


def check_signature(headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """What a receiver does with a message, as the documentation shows it."""
    page = (Path(__file__).parents[2] / "docs" / "tools.md").read_text()
    [code] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "hmac" in one]
    shown: dict[str, Any] = {}
    exec(code, shown)
    assert shown["check"](SECRET, headers, body)
    assert not shown["check"](SECRET, headers, body + b" ")
    assert not shown["check"](SECRET, {**headers, "webhook-timestamp": "1"}, body)
    found: dict[str, Any] = json.loads(body)
    return found


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> Iterator[Receiver]:
    """One at a time over all workers: what one is to send, another would."""
    with (data_dir / "webhooks").open("w") as lock, Receiver() as started:
        flock(lock, LOCK_EX)
        monkeypatch.setenv("QUIRE_WEBHOOK_URLS", f"{started.url}/hook")
        monkeypatch.setenv("QUIRE_WEBHOOK_SECRET", SECRET)
        monkeypatch.setenv("QUIRE_PUBLIC_URL", "https://quire.example.org")
        monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
        monkeypatch.setattr(webhooks, "WAITS", (0.0, 0.0, 0.0, 0.0))
        yield started


@pytest.fixture
async def runs() -> AsyncIterator[LiveRuns]:
    sender = Webhooks()
    held = LiveRuns(announce=sender.announce)
    async with sender.sending():
        yield held
    await held.close()


async def _write(runs: LiveRuns, space: str, **more: Any) -> str:
    identity = await runs.start(QUESTION, Context(space=space), LOCAL_MEMBER, **more)
    async for _ in runs.follow(identity):
        pass
    return identity


async def _settle(report: str, count: int = 1) -> list[Delivery]:
    """The deliveries of a report once none is waiting."""
    async with asyncio.timeout(60):
        while True:
            made = await list_deliveries(report)
            if len(made) == count and all(one.state != "waiting" for one in made):
                return made
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_the_end_of_a_report_is_told_without_its_text(
    receiver: Receiver, runs: LiveRuns, samples: str
) -> None:
    identity = await _write(runs, samples)
    [delivery] = await _settle(identity)
    assert (delivery.state, delivery.attempts) == ("delivered", 1)
    [(headers, body)] = receiver.got
    message = check_signature(headers, body)
    assert message["type"] == "report.finished"
    report = await load_finished_report(identity)
    assert message["data"] == {
        "id": identity,
        "title": report["title"],
        "state": "finished",
        "link": f"https://quire.example.org/reports/{identity}",
    }


@pytest.mark.slow
async def test_the_text_is_told_where_the_operator_wants_it(
    receiver: Receiver, runs: LiveRuns, samples: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_WEBHOOK_TEXT", "true")
    await _settle(await _write(runs, samples))
    assert "## References" in check_signature(*receiver.got[0])["data"]["text"]


@pytest.mark.slow
async def test_a_receiver_that_fails_is_asked_again(
    receiver: Receiver, runs: LiveRuns, samples: str
) -> None:
    receiver.faults = [500, 429]
    [delivery] = await _settle(await _write(runs, samples))
    assert (delivery.state, delivery.attempts) == ("delivered", 3)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


@pytest.mark.slow
async def test_one_that_always_fails_is_given_up(
    receiver: Receiver, runs: LiveRuns, samples: str
) -> None:
    receiver.faults = [503] * 9
    [delivery] = await _settle(await _write(runs, samples))
    assert (delivery.state, delivery.attempts) == ("failed", 5)
    assert delivery.reason == "It answered with HTTP 503."


@pytest.mark.slow
@pytest.mark.parametrize(("status", "attempts"), [(410, 1), (307, 5)])
async def test_gone_ends_it_and_no_redirect_is_followed(
    receiver: Receiver,
    runs: LiveRuns,
    samples: str,
    status: int,
    attempts: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if status == 307:
        monkeypatch.setenv("QUIRE_WEBHOOK_URLS", f"{receiver.url}/moved")
    receiver.faults = [status]
    [delivery] = await _settle(await _write(runs, samples))
    assert (delivery.state, delivery.attempts) == ("failed", attempts)
    assert len(receiver.got) == (status == 410)


@pytest.mark.slow
async def test_an_address_inside_the_network_is_never_asked(
    receiver: Receiver, runs: LiveRuns, samples: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QUIRE_ALLOWED_HOSTS")
    [delivery] = await _settle(await _write(runs, samples))
    assert "no public host" in delivery.reason
    assert not receiver.got


@pytest.mark.slow
async def test_what_an_earlier_process_left_is_told(receiver: Receiver, samples: str) -> None:
    held = LiveRuns(announce=Webhooks().announce)  # which ends before it sends
    identity = await _write(held, samples)
    await held.close()
    assert not receiver.got
    async with Webhooks().sending():
        [delivery] = await _settle(identity)
    assert delivery.state == "delivered"
    assert check_signature(*receiver.got[0])["data"]["id"] == identity


async def test_a_failed_run_is_told_as_such(
    receiver: Receiver, runs: LiveRuns, samples: str
) -> None:
    identity = await runs.start(QUESTION, Context(space=samples, connectors=["fax"]), LOCAL_MEMBER)
    async for _ in runs.follow(identity):
        pass
    await _settle(identity)
    message = check_signature(*receiver.got[0])
    assert (message["type"], message["data"]["title"]) == ("report.failed", "")


@pytest.mark.slow
async def test_a_run_s_own_address_is_told_too(
    receiver: Receiver, runs: LiveRuns, samples: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_WEBHOOK_HOSTS", "127.0.0.1 other.test")
    own = f"{receiver.url}/hook?mine"
    check_webhook(own)
    made = await _settle(await _write(runs, samples, webhook=own), count=2)
    assert {one.address for one in made} == {own, f"{receiver.url}/hook"}


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.test/", "ftp://other.test/", "//other.test", "javascript:alert(1)",
        "https://[/", "https://other.test@evil.test/", "https://other.test.evil.test/",
        "https://other.test/\nx: y",
    ],
)  # fmt: skip
def test_only_named_hosts_may_be_told(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("QUIRE_WEBHOOK_HOSTS", "other.test")
    check_webhook("")
    check_webhook("https://Other.test/x")
    with pytest.raises(InputError, match=r"no webhooks to|no web address"):
        check_webhook(address)


def test_nothing_is_sent_unsigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_WEBHOOK_URLS", "https://other.test/")
    with pytest.raises(InputError, match="QUIRE_WEBHOOK_SECRET"):
        Webhooks()
    monkeypatch.setenv("QUIRE_WEBHOOK_SECRET", "whsec_?")
    with pytest.raises(InputError, match="base64"):
        Webhooks()
