"""Which repository of GitHub, branch or part of it a user means."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from connectors.http.client import Api, web_host
from connectors.http.errors import bad_response_error, find_or_none
from connectors.indexed.github.tree import is_sha
from connectors.json_fields import get_records, get_string, parse_json
from schema.errors import InputError

KEY = "GITHUB_TOKEN"
PARTS = ("code", "issues", "pull")

_LOCATION = re.compile(
    r"([A-Za-z0-9][\w-]*/(?!\.+(?:[/@]|$))[\w.-]+)(?:@(\S+)|/(code|issues|pull))?", re.ASCII
)
_MAX_NAMED = 20
"""Branches that a message names."""


@dataclass(frozen=True)
class Repository:
    """A repository as GitHub calls it, and what of it is read."""

    name: str
    """`owner/name`."""
    url: str
    branch: str
    base: str
    """What the uris of its documents begin with."""
    parts: tuple[str, ...]
    """Of `PARTS`."""
    is_public: bool

    @property
    def api(self) -> str:
        """Its path in the API."""
        return f"/repos/{self.name}"

    @property
    def root(self) -> str:
        """At or below which its documents stand."""
        return self.base if self.parts == PARTS else f"{self.base}/{self.parts[0]}"


async def find_repository(api: Api, location: str) -> Repository:
    """The repository that a location names: `owner/repo`, with `@branch` or a part of it behind.

    A branch has code only: issues belong to no branch.

    Raises:
        InputError: there is none, or it is called something else by now.
        ConnectorError: GitHub did not answer.
    """
    match = _LOCATION.fullmatch(location)
    if not match:
        raise InputError(
            f"'{location}' is no repository: write owner/repo, owner/repo@branch, or "
            "owner/repo/code, owner/repo/issues or owner/repo/pull."
        )
    name, branch, part = match.groups()
    found = await _fetch_repository(api, name)
    full, url, main = (str(found.get(k)) for k in ("full_name", "html_url", "default_branch"))
    if not _LOCATION.fullmatch(full) or not web_host(url):
        raise bad_response_error("GitHub")
    return Repository(
        name=full,
        url=url,
        branch=branch or main,
        base=f"github://{full}" + (f"@{quote(branch, safe='')}" if branch else ""),
        parts=("code",) if branch else (part,) if part else PARTS,
        is_public=found.get("private") is False and found.get("visibility", "public") == "public",
    )


async def _fetch_repository(api: Api, name: str) -> dict[str, Any]:
    answer = await find_or_none(api.get(f"/repos/{name}"))
    if answer is None:
        raise InputError(f"GitHub has no repository {name}, or {KEY} may not read it.")
    if answer.get("message") == "Moved Permanently":
        page = f"https://github.com/{name}"
        raise InputError(f"The repository {name} has moved: open {page} and write its new name.")
    return answer


async def check_branch(api: Api, repo: Repository) -> None:
    """Make sure that the branch is there.

    Raises:
        InputError: it is not; names those that there are.
    """
    found = await find_or_none(api.get(f"{repo.api}/branches/{quote(repo.branch)}"))
    if get_string(found, "name") == repo.branch:
        return  # a branch that was renamed is answered with another
    listed = await api.request("GET", f"{repo.api}/branches", params={"per_page": _MAX_NAMED})
    names = [one.get("name") for one in get_records(parse_json(listed.content))]
    raise InputError(
        f"{repo.name} has no branch '{repo.branch}': use one of {', '.join(map(str, names))}."
    )


async def find_head(api: Api, repo: Repository) -> str:
    """The sha of the branch's last commit; "" where GitHub has no files to show.

    That is so for an empty repository, and also for one that is out of order for a while: both
    are answered with 409.
    """
    path = f"{repo.api}/commits/heads/{quote(repo.branch)}"
    asked = api.request("GET", path, headers={"Accept": "application/vnd.github.sha"})
    if (answer := await find_or_none(asked, (), 409)) is None:
        return ""
    commit = answer.text.strip()
    if not is_sha(commit):
        raise bad_response_error("GitHub")
    return commit
