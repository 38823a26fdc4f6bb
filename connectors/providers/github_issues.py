"""Issues and pull requests of GitHub: their pages, and what a document of one says."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx

from connectors.net.http import Api, web_host
from connectors.net.refusals import unreadable
from connectors.reading.dates import iso_date
from connectors.reading.places import tree_place
from schema.documents import Document

PAGE = 100
"""Entries of one page, the most that GitHub gives."""


async def pages(api: Api, path: str, **params: Any) -> AsyncIterator[list[dict[str, Any]]]:
    """Every page of a list.

    GitHub names the next one in a `Link` header. Of it only the parameters are taken: they hold a
    mark that pages by number lack, and nobody can lead the key to another server.
    """
    asked = {"per_page": str(PAGE), **params}
    while True:
        answer = await api.request("GET", path, params=asked)
        try:
            found = answer.json()
            following = dict(httpx.URL(answer.links.get("next", {}).get("url", "")).params)
        except (ValueError, RecursionError, httpx.InvalidURL):
            raise unreadable("GitHub") from None
        if not isinstance(found, list) or following == asked:
            raise unreadable("GitHub")
        yield [entry for entry in found if isinstance(entry, dict)]
        if not following:
            return
        asked = following


def is_issue(entry: dict[str, Any]) -> bool:
    """Whether an entry has what makes an issue one: its number, and the time it last changed."""
    number, changed = entry.get("number"), entry.get("updated_at")
    return isinstance(number, int) and isinstance(changed, str) and bool(changed)


def part_of(issue: dict[str, Any]) -> str:
    """Where GitHub files it: a pull request is an issue with one more key."""
    return "pull" if issue.get("pull_request") else "issues"


def issue_document(
    uri: str, repository: str, issue: dict[str, Any], comments: Sequence[dict[str, Any]]
) -> Document:
    """An issue or a pull request.

    Args:
        uri: its identity.
        repository: `owner/name`.
        issue: as GitHub lists it, with a number and the time of its last change.
        comments: below it.
    """
    title = f"{issue['number']} {issue.get('title') or ''}".strip()
    parts = [_state(issue), str(issue.get("body") or "")]
    parts += [
        f"{_login(one) or 'Somebody'}, {iso_date(str(one.get('created_at')))}: {one['body']}"
        for one in comments
        if one.get("body")
    ]
    url = str(issue.get("html_url") or "")
    return Document(
        uri=uri,
        url=url if web_host(url) else "",
        title=f"#{title}",
        author=_login(issue),
        site="GitHub",
        text="\n\n".join(part for part in parts if part),
        connector="github",
        published=iso_date(str(issue.get("created_at"))),
        version=issue["updated_at"],
        path=tree_place(*repository.split("/"), part_of(issue), title),
        aliases=(f"{repository}#{issue['number']}",),
    )


def _state(issue: dict[str, Any]) -> str:
    pull = issue.get("pull_request")
    merged = isinstance(pull, dict) and pull.get("merged_at")
    labels = issue.get("labels")
    named = [
        str((label.get("name") if isinstance(label, dict) else label) or "")
        for label in (labels if isinstance(labels, list) else [])
    ]
    told = f"State: {'merged' if merged else issue.get('state') or 'unknown'}"
    return "; labels: ".join([told, *filter(None, [", ".join(filter(None, named))])])


def _login(entry: dict[str, Any]) -> str:
    """Who wrote it; "" where the account is gone."""
    user = entry.get("user")
    return str(user.get("login") or "") if isinstance(user, dict) else ""
