"""`linear`: the issues of a team, with their comments, through Linear's GraphQL API."""

from collections.abc import AsyncIterator
from typing import Any, Literal

from connectors.net.ahead import ahead
from connectors.net.http import Api, base_url
from connectors.net.refusals import bad_key, unreadable
from connectors.protocol import Limits, Since
from connectors.reading.dates import iso_date
from connectors.reading.places import tree_place
from schema.documents import Change, Document, Gone, Unchanged
from schema.errors import ConnectorError, InputError
from schema.settings import variable

KEY = "LINEAR_API_KEY"
PAGE = 250
"""Issues of one page of the listing, the most that Linear gives."""
PART = 25
"""Issues that are read in full at once: comments make a query costly."""

TEAMS = "query { teams(first: 250) { nodes { key } } }"
LISTED = """query ($team: String!, $first: Int!, $after: String) {
  issues(first: $first, after: $after, filter: {team: {key: {eq: $team}}}) {
    nodes { id identifier updatedAt comments(first: 1) { nodes { updatedAt } } }
    pageInfo { hasNextPage endCursor } } }"""
READ = """query ($ids: [ID!]!, $first: Int!) {
  issues(first: $first, filter: {id: {in: $ids}}) {
    nodes { id identifier title description url createdAt updatedAt
      team { key name } project { name } state { name } creator { name }
      comments(first: 100) { nodes { body createdAt updatedAt user { name } } } } } }"""


class Linear:
    """A team's issues. What was deleted or archived there is removed here."""

    name = "linear"
    kind: Literal["indexed"] = "indexed"
    reads = "issues of a team, with their comments"
    document = (
        "an issue: `linear://TEAM/ENG-12`, its title, creator, address and day of creation, at "
        "team/project/issue"
    )
    needs = (KEY,)
    package = ""
    languages = ()
    limits = Limits(concurrency=4)

    async def root(self, place: str) -> str:
        """The team of this key, as in `ENG`."""
        async with self._api() as api:
            teams = (await _data(api, TEAMS))["teams"]["nodes"]
        keys = sorted(str(team["key"]) for team in teams)
        if place not in keys:
            raise InputError(f"Linear has no team '{place}': use one of {', '.join(keys)}.")
        return f"linear://{place}"

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """List all issues with the time of their last change, and read those that are new."""
        async with self._api() as api:
            wanted, seen = list[str](), set[str]()
            async for issue in _listed(api, since.place):
                uri = f"{since.root}/{issue['identifier']}"
                seen.add(uri)
                if since.versions.get(uri) == _version(issue):
                    yield Unchanged(uri=uri)
                else:
                    wanted.append(str(issue["id"]))
            parts = [wanted[start : start + PART] for start in range(0, len(wanted), PART)]

            async def read(ids: list[str]) -> list[dict[str, Any]]:
                data = await _data(api, READ, ids=ids, first=len(ids))
                return list(data["issues"]["nodes"])

            async for issues in ahead(parts, read, self.limits.concurrency):
                for issue in issues:
                    yield _document(since.root, issue)
        for uri in since.versions.keys() - seen:
            yield Gone(uri=uri)

    def _api(self) -> Api:
        url = base_url(self.name, "https://api.linear.app")
        headers = {"Authorization": variable(KEY)}
        return Api("Linear", url, key=KEY, headers=headers, limits=self.limits)


async def _listed(api: Api, team: str) -> AsyncIterator[dict[str, Any]]:
    after = None
    while True:
        issues = (await _data(api, LISTED, team=team, first=PAGE, after=after))["issues"]
        for issue in issues["nodes"]:
            yield issue
        if not issues["pageInfo"]["hasNextPage"]:
            return
        after = issues["pageInfo"]["endCursor"]


async def _data(api: Api, query: str, **variables: Any) -> dict[str, Any]:
    """The data of an answer; Linear reports most failures with status 200 or 400 and `errors`."""
    answer = await api.post("/graphql", {"query": query, "variables": variables})
    if not isinstance(answer, dict):
        raise unreadable("Linear")
    if errors := answer.get("errors"):
        code = str((errors[0].get("extensions") or {}).get("code"))
        if code == "AUTHENTICATION_ERROR":
            raise bad_key("Linear", KEY)
        raise ConnectorError(f"Linear refused the query ({code})")
    if not isinstance(answer.get("data"), dict):
        raise unreadable("Linear")
    return dict(answer["data"])


def _version(issue: dict[str, Any]) -> str:
    """The last change of the issue or of its newest comment."""
    comments = issue["comments"]["nodes"]
    return f"{issue['updatedAt']} {max((one['updatedAt'] for one in comments), default='')}".strip()


def _document(root: str, issue: dict[str, Any]) -> Document:
    title = f"{issue['identifier']} {issue['title']}"
    project = (issue.get("project") or {}).get("name") or "no project"
    parts = [f"State: {issue['state']['name']}", issue.get("description") or ""]
    parts += [
        f"{(one.get('user') or {}).get('name') or 'Somebody'}, {iso_date(one['createdAt'])}: "
        f"{one['body']}"
        for one in reversed(issue["comments"]["nodes"])
    ]
    return Document(
        uri=f"{root}/{issue['identifier']}",
        url=str(issue["url"]),
        title=title,
        author=(issue.get("creator") or {}).get("name") or "",
        site="Linear",
        text="\n\n".join(part for part in parts if part),
        connector=Linear.name,
        published=iso_date(issue["createdAt"]),
        version=_version(issue),
        path=tree_place(issue["team"]["name"], project, title),
        aliases=(issue["identifier"],),
    )
