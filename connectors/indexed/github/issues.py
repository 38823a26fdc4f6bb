"""Issues and pull requests of GitHub: their pages, and what a document of one says."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx

from connectors.files.dates import iso_date
from connectors.files.markdown import format_comment
from connectors.files.tree_path import join_tree_path
from connectors.http.client import Api, web_host
from connectors.http.errors import bad_response_error
from schema.documents import Document

PAGE_SIZE = 100
"""Entries of one page, the most that GitHub gives."""


async def list_pages(api: Api, path: str, **params: Any) -> AsyncIterator[list[dict[str, Any]]]:
    """Every page of a list.

    GitHub names the next one in a `Link` header. Of it only the parameters are taken: they hold a
    cursor that pages by number lack, and nobody can lead the key to another server.
    """
    asked = {"per_page": str(PAGE_SIZE), **params}
    while True:
        answer = await api.request("GET", path, params=asked)
        try:
            found = answer.json()
            following = dict(httpx.URL(answer.links.get("next", {}).get("url", "")).params)
        except (ValueError, RecursionError, httpx.InvalidURL):
            raise bad_response_error("GitHub") from None
        if not isinstance(found, list) or following == asked:
            raise bad_response_error("GitHub")
        yield [entry for entry in found if isinstance(entry, dict)]
        if not following:
            return
        asked = following


async def read_comments(api: Api, repository: str, issue: dict[str, Any]) -> list[dict[str, Any]]:
    """What stands below an issue of a repository, given as `/repos/owner/name`."""
    if not issue.get("comments"):
        return []
    path = f"{repository}/issues/{issue['number']}/comments"
    return [one async for page in list_pages(api, path) for one in page]


def is_issue(entry: dict[str, Any]) -> bool:
    """Whether an entry has what makes an issue one: its number, and the time it last changed."""
    number, changed = entry.get("number"), entry.get("updated_at")
    return isinstance(number, int) and isinstance(changed, str) and bool(changed)


def get_part(issue: dict[str, Any]) -> str:
    """Where GitHub files it: a pull request is an issue with one more key."""
    return "pull" if issue.get("pull_request") else "issues"


def build_issue_document(
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
    parts = [_format_state(issue), str(issue.get("body") or "")]
    parts += [
        format_comment(_get_login(one), str(one.get("created_at")), str(one.get("body") or ""))
        for one in comments
    ]
    url = str(issue.get("html_url") or "")
    return Document(
        uri=uri,
        url=url if web_host(url) else "",
        title=f"#{title}",
        author=_get_login(issue),
        site="GitHub",
        text="\n\n".join(part for part in parts if part),
        connector="github",
        published=iso_date(str(issue.get("created_at"))),
        version=issue["updated_at"],
        path=join_tree_path(*repository.split("/"), get_part(issue), title),
        aliases=(f"{repository}#{issue['number']}",),
    )


def _format_state(issue: dict[str, Any]) -> str:
    pull = issue.get("pull_request")
    merged = isinstance(pull, dict) and pull.get("merged_at")
    labels = issue.get("labels")
    named = [
        str((label.get("name") if isinstance(label, dict) else label) or "")
        for label in (labels if isinstance(labels, list) else [])
    ]
    state = f"State: {'merged' if merged else issue.get('state') or 'unknown'}"
    return "; labels: ".join([state, *filter(None, [", ".join(filter(None, named))])])


def _get_login(entry: dict[str, Any]) -> str:
    """Who wrote it; "" where the account is gone."""
    user = entry.get("user")
    return str(user.get("login") or "") if isinstance(user, dict) else ""
