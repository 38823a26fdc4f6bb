"""Browsers without scripts: they load pages, find their forms, and send them."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
from lxml import html

from schema.access import Member

MEMBER_HEADER = "x-member"


class Visitor:
    """A member with a browser of their own."""

    def __init__(self, url: str, member: str = "") -> None:
        headers = {"accept": "text/html"} | ({MEMBER_HEADER: member} if member else {})
        self.client = httpx.AsyncClient(base_url=url, headers=headers, timeout=60)
        self._token = ""

    async def get(self, path: str, **how: Any) -> httpx.Response:
        return await self.client.get(path, **how)

    async def read(self, path: str) -> Any:
        """A page as a tree; it has to be there."""
        answer = await self.get(path, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return html.document_fromstring(answer.text)

    async def post(self, path: str, data: dict[str, Any] | None = None, **how: Any) -> Any:
        if not self._token:
            found = re.search('csrf-token" content="([0-9a-f]+)', (await self.get("/")).text)
            assert found
            self._token = found[1]
        given = {"csrf_token": self._token, **(data or {})}
        return await self.client.post(path, data=given, **how)

    async def wait_for(self, path: str, there: Callable[[Any], Any], seconds: float = 60) -> Any:
        """Load a page until it has something."""
        async with asyncio.timeout(seconds):
            while not there(page := await self.read(path)):
                await asyncio.sleep(0.05)
        return page


MEMBERS = {
    "ada": Member(identity="ada", name="Ada", groups={"law": "curator"}),
    "ben": Member(identity="ben", name="Ben", groups={"law": "reader"}),
    "cyd": Member(identity="cyd", name="Cyd", groups={"law": "writer"}),
    "eve": Member(identity="eve", name="Eve", groups={"sales": "curator"}),
    "ops": Member(identity="ops", name="Ops", operator=True),
}


def said(found: Any) -> str:
    return " ".join(str(found.text_content()).split())


def faults(page: Any) -> list[str]:
    return [said(one) for one in page.cssselect("[role=alert]")]
