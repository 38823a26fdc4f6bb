"""What the loopback servers of Jira and Confluence share: the sign-in, errors, and rich text."""

from base64 import b64encode
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fakes.provider import KEY, Provider

EMAIL = "ada@acme.test"


class AtlassianSite(Provider):
    """A site of Atlassian's cloud: developer.atlassian.com/cloud.

    Attributes:
        anonymous: Whether the token is unknown, and the site answers as it answers everybody.
    """

    anonymous = False

    def allowed(self, request: Request) -> bool:
        pair = b64encode(f"{EMAIL}:{KEY}".encode()).decode()
        return request.headers.get("authorization") == f"Basic {pair}"

    def failure(self, status: int) -> Response:
        return JSONResponse({"errorMessages": ["It went wrong."], "errors": {}}, status)

    def answer(self, body: dict[str, Any]) -> Response:
        """A good answer, which says whose it is."""
        reason = "AUTHENTICATED_FAILED" if self.anonymous else "OK"
        return JSONResponse(body, headers={"X-Seraph-LoginReason": reason})


def environment(connector: str, url: str) -> dict[str, str]:
    """What leads a connector to the site."""
    return {
        f"QUIRE_{connector.upper()}_BASE_URL": url,
        "ATLASSIAN_EMAIL": EMAIL,
        "ATLASSIAN_API_TOKEN": KEY,
    }


def paragraph(*inline: dict[str, Any] | str) -> dict[str, Any]:
    """A paragraph in Atlassian's document format."""
    parts = [{"type": "text", "text": one} if isinstance(one, str) else one for one in inline]
    return {"type": "paragraph", "content": parts}


def document(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A document in Atlassian's document format."""
    return {"version": 1, "type": "doc", "content": list(blocks)}
