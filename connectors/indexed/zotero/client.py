"""Zotero's Web API, version 3, and the same API of the desktop app on this machine."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from connectors.http import client as http
from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import bad_key_error, bad_response_error, find_or_none
from connectors.http.retries import LONGEST_WAIT
from connectors.json_fields import get_fields, get_records, get_string, parse_json
from connectors.protocol import Limits
from schema.errors import ConnectorError
from schema.settings import read_variable

KEY = "ZOTERO_API_KEY"
PROVIDER = "Zotero"
PAGE_SIZE = 100
"""Records of one page, the most that Zotero gives."""
KEYS_AT_ONCE = 50
"""Items that one request may name."""
MAX_BYTES = 100 * 2**20
"""Bytes of one answer, a file among them."""
LISTING_TRIES = 5
"""Times that a listing is begun again because the library changed under it."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Listing(NamedTuple):
    """All records of a listing, by key, and the version of the library that they are of."""

    records: dict[str, dict[str, Any]]
    version: int


class ZoteroApi(Api):
    """The API while the context is open; it waits where Zotero asks to (`Backoff`)."""

    def __init__(self, limits: Limits) -> None:
        """Args: limits: of the connector."""
        self.url = base_url("zotero", "https://api.zotero.org")
        self.has_key = bool(read_variable(KEY))
        self.at_once = limits.concurrency
        self._free_at = 0.0
        super().__init__(
            PROVIDER,
            self.url,
            key=KEY if self.has_key else "",
            bearer=True,  # a header of another name would go along to where a file is kept
            headers={"Zotero-API-Version": "3"},
            limits=limits,
            interpret=_interpret_error,
            seconds=4 * http.SECONDS,  # for all of a file
            max_bytes=MAX_BYTES,
        )

    @property
    def is_desktop(self) -> bool:
        """Whether it is the app on this machine.

        It tells no versions of what it did not sync, and no deletions: all is listed each time,
        which costs it little.
        """
        return not self.has_key

    @property
    def is_local(self) -> bool:
        """Whether it answers on this machine."""
        return web_host(self.url) in _LOOPBACK

    async def request(self, method: str, path: str, **how: Any) -> httpx.Response:
        """See `Api.request`."""
        await asyncio.sleep(max(0.0, self._free_at - time.monotonic()))
        answer = await super().request(method, path, **how)
        asked = answer.headers.get("backoff", "")
        if asked.isdecimal() and len(asked) < 6:
            self._free_at = time.monotonic() + min(float(asked), LONGEST_WAIT)
        return answer

    async def find_own_prefix(self) -> str:
        """Where the library of the key's owner is, as in `users/475425`."""
        if self.is_desktop:
            return "users/0"
        identity = (await self.get("/keys/current")).get("userID")
        if not isinstance(identity, int):
            raise bad_response_error(PROVIDER)
        return f"users/{identity}"

    async def list_all(self, path: str, known: int = 0, **params: Any) -> Listing | None:
        """All records at a path, of one version of the library.

        Args:
            path: of the listing.
            known: a version of the library; None is returned where it is still that.
            params: of the request.

        Raises:
            ConnectorError: it could not be had, or the library never stood still.
        """
        for _ in range(LISTING_TRIES):
            records, version, start = dict[str, dict[str, Any]](), -1, 0
            while True:
                asked = {**params, "limit": PAGE_SIZE, "start": start}
                headers = {"If-Modified-Since-Version": str(known)} if known and not start else {}
                answer = await self.request("GET", path, params=asked, headers=headers)
                if answer.status_code == 304:
                    return None
                page = _read_page(answer)
                now, total = _read_number(answer, "last-modified-version"), _read_total(answer)
                if version not in (-1, now):
                    break  # somebody works in it: pages no longer fit each other
                version = now
                records |= {one["key"]: one for one in page}
                start += len(page)
                if not page or start >= total:
                    return Listing(records, version)
        raise ConnectorError(f"{PROVIDER}'s library changes all the time: try again later")

    async def list_by_key(self, prefix: str, keys: list[str]) -> dict[str, dict[str, Any]]:
        """Records of items by their keys, those in the bin among them; some may be gone."""
        found = dict[str, dict[str, Any]]()
        for start in range(0, len(keys), KEYS_AT_ONCE):
            named = ",".join(keys[start : start + KEYS_AT_ONCE])
            listing = await self.list_all(f"/{prefix}/items", itemKey=named, includeTrashed=1)
            found |= listing.records if listing else {}
        return found

    async def list_children(self, prefix: str, key: str) -> dict[str, dict[str, Any]]:
        """Records of what hangs on an item, by key."""
        path = f"/{prefix}/items/{key}/children"
        listing = await find_or_none(self.list_all(path, includeTrashed=1))
        return listing.records if listing else {}

    async def list_deleted(self, prefix: str, since: int) -> set[str] | None:
        """Keys of items deleted since a version; None where the server cannot tell."""
        told = await find_or_none(self.get(f"/{prefix}/deleted", since=since))
        if told is None:
            return None
        items = told.get("items")
        if not isinstance(items, list):
            raise bad_response_error(PROVIDER)
        return {key for key in items if isinstance(key, str)}


def get_data(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record."""
    return get_fields(record.get("data"))


def _read_page(answer: httpx.Response) -> list[dict[str, Any]]:
    found = parse_json(answer.content)
    records = get_records(found)
    whole = isinstance(found, list) and len(records) == len(found)
    if not whole or not all(get_string(one, "key") for one in records):
        raise bad_response_error(PROVIDER)
    return records


def _read_number(answer: httpx.Response, header: str) -> int:
    given = answer.headers.get(header, "")
    if not given.isdecimal() or len(given) > 15:
        raise bad_response_error(PROVIDER)
    return int(given)


def _read_total(answer: httpx.Response) -> int:
    return _read_number(answer, "total-results")


def _interpret_error(answer: httpx.Response) -> ConnectorError | None:
    """Zotero refuses a key that it does not know with 403."""
    wrong = answer.status_code == 403 and b"invalid key" in answer.content[:200].lower()
    return bad_key_error(PROVIDER, KEY) if wrong else None
