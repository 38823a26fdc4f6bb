"""Webhooks: addresses that are told when a report is finished, or failed.

Messages are signed as Standard Webhooks says, so that its libraries check them: HMAC-SHA256 of
`ID.TIMESTAMP.BODY`. They hold the report's id, title, state and link; its text only where the
operator wants that. What is to be told stands in the database until it is told.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from connectors.http.safe_client import make_safe_client
from exports.formats import export
from library.library import open_library
from library.saved_reports import SavedReport
from schema.errors import ConnectorError, InputError, QuireError
from schema.settings import get_settings
from serving.live_run import RunState
from team.audit import record_as
from team.store import open_team
from team.webhook_deliveries import (
    Delivery,
    add_delivery,
    claim_delivery,
    find_next_wait,
    settle_delivery,
)

_log = logging.getLogger("quire")

WAITS = (10.0, 60.0, 600.0, 3_600.0)
"""Seconds between the attempts of one delivery; then it is given up."""

SECONDS = 15.0
"""Longest that one attempt may take."""

LOOK_SECONDS = 30.0
"""Longest time between two looks for what another process left."""

GONE = 410  # the receiver wants no more of this


def check_webhook(address: str) -> None:
    """Whether a client may have this address told; "" is none.

    Raises:
        InputError: it is no web address, or not at one of QUIRE_WEBHOOK_HOSTS.
    """
    if not address:
        return
    here = get_settings()
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").casefold()
    except ValueError:
        raise InputError("The webhook is no web address: write https://HOST/PATH.") from None
    if parts.scheme not in ("http", "https") or not host or not address.isprintable():
        raise InputError("The webhook is no web address: write https://HOST/PATH.")
    if host not in _split(here.webhook_hosts.casefold()) or not here.webhook_secret:
        raise InputError(
            f"This server sends no webhooks to {host}: its operator names the hosts that it may "
            "send them to in QUIRE_WEBHOOK_HOSTS."
        )


def check_settings() -> None:
    """Raise `InputError` where webhooks are wanted that nobody could check."""
    here = get_settings()
    if (here.webhook_urls or here.webhook_hosts) and not here.webhook_secret:
        raise InputError("Set QUIRE_WEBHOOK_SECRET: webhooks are signed with it.")
    _read_key()


class Webhooks:
    """What this process sends. `announce` takes runs at their end; `sending` sends meanwhile."""

    def __init__(self) -> None:
        """Raises: InputError: the settings lack the secret."""
        check_settings()
        self._more = asyncio.Event()

    async def announce(self, begun: SavedReport, state: RunState) -> None:
        """Note whom to tell of the end of a report's run, which is `finished` or `failed`.

        Raises:
            LibraryError: the database cannot be used.
        """
        if state == "stopped":  # it may be gone on with
            return
        asked_for = begun.run.get("webhook", "")
        addresses = dict.fromkeys([*_split(get_settings().webhook_urls), *_split(asked_for)])
        if not addresses:
            return
        kept = await (await open_library(begun.space, begun.owner)).load_report(begun.id)
        for address in addresses:
            title = kept.title if kept else ""
            await add_delivery(begun.owner, begun.id, address, title, state)
        self._more.set()

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Send what is to be told, also what an earlier process left, until the block ends."""
        task = asyncio.create_task(self._send_forever())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _send_forever(self) -> None:
        here = get_settings()
        if not here.webhook_urls and not here.webhook_hosts:
            return
        while True:
            self._more.clear()
            wait = LOOK_SECONDS
            try:
                while (delivery := await claim_delivery()) is not None:
                    await _deliver(delivery)
                due = await find_next_wait()
                wait = LOOK_SECONDS if due is None else min(max(due, 0.0), LOOK_SECONDS)
            except QuireError as error:
                _log.warning("Webhooks wait: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._more.wait(), wait)


async def _deliver(delivery: Delivery) -> None:
    """Make one attempt, and note what came of it."""
    try:
        status = await _post(delivery)
        reason = "" if 200 <= status < 300 else f"It answered with HTTP {status}."
    except ConnectorError as error:
        status, reason = 0, f"{error}."
    if not reason:
        await settle_delivery(delivery.id, "delivered")
        host = urlsplit(delivery.address).hostname
        sent = {"text": get_settings().webhook_text, "host": host}
        await record_as(await open_team(), delivery.owner, "webhook.told", delivery.report, **sent)
    elif status == GONE or delivery.attempts > len(WAITS):
        await settle_delivery(delivery.id, "failed", reason)
        host = urlsplit(delivery.address).hostname
        _log.warning("The webhook at %s was not told of %s: %s", host, delivery.report, reason)
    else:
        await settle_delivery(delivery.id, "waiting", reason, WAITS[delivery.attempts - 1])


async def _post(delivery: Delivery) -> int:
    """The status that an address answers with.

    Raises:
        ConnectorError: it does not answer, or may not be asked.
    """
    body = json.dumps(await _build_message(delivery), ensure_ascii=False).encode(errors="replace")
    stamp = str(int(time.time()))
    headers = {
        "content-type": "application/json",
        "webhook-id": delivery.id,
        "webhook-timestamp": stamp,
        "webhook-signature": sign(delivery.id, stamp, body),
    }
    async with (
        make_safe_client(SECONDS) as client,
        client.stream(
            "POST", delivery.address, content=body, headers=headers, follow_redirects=False
        ) as response,
    ):
        return response.status_code


async def _build_message(delivery: Delivery) -> dict[str, Any]:
    here = get_settings()
    data = {
        "id": delivery.report,
        "title": delivery.title,
        "state": delivery.outcome,
        "link": f"{here.public_url}/reports/{delivery.report}",
    }
    if here.webhook_text:
        kept = await (await open_library(user=delivery.owner)).load_report(delivery.report)
        if kept and kept.report:
            data["text"] = export(kept.report, "markdown").decode()
    return {
        "type": f"report.{delivery.outcome}",
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        "data": data,
    }


def sign(identity: str, stamp: str, body: bytes) -> str:
    """The signature of a message.

    Args:
        identity: of the message.
        stamp: seconds since 1970, in digits.
        body: as it is sent.
    """
    signed = f"{identity}.{stamp}.".encode() + body
    digest = hmac.new(_read_key(), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _read_key() -> bytes:
    """The key that messages are signed with: `whsec_` and base64, or any text."""
    setting = get_settings().webhook_secret
    secret = setting.get_secret_value() if setting else ""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise InputError(
            "QUIRE_WEBHOOK_SECRET cannot be used: behind whsec_ it must be base64."
        ) from None


def _split(addresses: str) -> list[str]:
    return [one for one in addresses.replace(",", " ").split() if one]
