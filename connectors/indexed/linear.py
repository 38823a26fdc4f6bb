"""`linear`: the issues of a team, with their comments, through Linear's GraphQL API."""

from collections.abc import AsyncIterator
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.markdown import format_comment
from connectors.files.tree_path import join_tree_path
from connectors.http.client import Api, base_url
from connectors.http.errors import bad_key_error, bad_response_error
from connectors.indexed.listing import sync_listing
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState
from schema.documents import Change, Document
from schema.errors import ConnectorError, InputError
from schema.settings import read_variable

KEY = "LINEAR_API_KEY"
PAGE_SIZE = 250
"""Issues of one page of the listing, the most that Linear gives."""
BATCH_SIZE = 25
"""Issues that are read in full at once: comments make a query costly."""

TEAMS_QUERY = "query { teams(first: 250) { nodes { key } } }"
LIST_QUERY = """query ($team: String!, $first: Int!, $after: String) {
  issues(first: $first, after: $after, filter: {team: {key: {eq: $team}}}) {
    nodes { id identifier updatedAt comments(first: 1) { nodes { updatedAt } } }
    pageInfo { hasNextPage endCursor } } }"""
READ_QUERY = """query ($ids: [ID!]!, $first: Int!) {
  issues(first: $first, filter: {id: {in: $ids}}) {
    nodes { id identifier title description url createdAt updatedAt
      team { key name } project { name } state { name } creator { name }
      comments(first: 100) { nodes { body createdAt updatedAt user { name } } } } } }"""


class Linear(SyncingConnector):
    """A team's issues. What was deleted or archived there is removed here."""

    name = "linear"
    description = "issues of a team, with their comments"
    document_description = (
        "an issue: `linear://TEAM/ENG-12`, its title, creator, address and date of creation, at "
        "team/project/issue"
    )
    required_variables = (KEY,)
    limits = Limits(concurrency=4)

    async def find_root(self, location: str) -> str:
        """The team of this key, as in `ENG`."""
        async with self._make_api() as api:
            teams = (await _query(api, TEAMS_QUERY))["teams"]["nodes"]
        keys = sorted(str(team["key"]) for team in teams)
        if location not in keys:
            raise InputError(f"Linear has no team '{location}': use one of {', '.join(keys)}.")
        return f"linear://{location}"

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """List all issues with the time of their last change, and read those that are new."""
        async with self._make_api() as api:

            async def read(ids: list[str]) -> list[Document]:
                data = await _query(api, READ_QUERY, ids=ids, first=len(ids))
                return [_build_document(since.root, issue) for issue in data["issues"]["nodes"]]

            async for change in sync_listing(
                since, _list_issues(api, since), read, BATCH_SIZE, self.limits.concurrency
            ):
                yield change

    def _make_api(self) -> Api:
        url = base_url(self.name, "https://api.linear.app")
        headers = {"Authorization": read_variable(KEY)}
        return Api("Linear", url, key=KEY, headers=headers, limits=self.limits)


async def _list_issues(api: Api, since: SyncState) -> AsyncIterator[tuple[str, str, str]]:
    """Uri, version and id of each issue."""
    asked, after = {"team": since.location, "first": PAGE_SIZE}, None
    while True:
        issues = (await _query(api, LIST_QUERY, **asked, after=after))["issues"]
        for issue in issues["nodes"]:
            yield f"{since.root}/{issue['identifier']}", _get_version(issue), str(issue["id"])
        if not issues["pageInfo"]["hasNextPage"]:
            return
        after = issues["pageInfo"]["endCursor"]


async def _query(api: Api, query: str, **variables: Any) -> dict[str, Any]:
    """The data of an answer; Linear reports most failures with status 200 or 400 and `errors`."""
    answer = await api.post("/graphql", {"query": query, "variables": variables})
    if errors := answer.get("errors"):
        code = str((errors[0].get("extensions") or {}).get("code"))
        if code == "AUTHENTICATION_ERROR":
            raise bad_key_error("Linear", KEY)
        raise ConnectorError(f"Linear refused the query ({code})")
    if not isinstance(answer.get("data"), dict):
        raise bad_response_error("Linear")
    return dict(answer["data"])


def _get_version(issue: dict[str, Any]) -> str:
    """The last change of the issue or of its newest comment."""
    comments = issue["comments"]["nodes"]
    return f"{issue['updatedAt']} {max((one['updatedAt'] for one in comments), default='')}".strip()


def _build_document(root: str, issue: dict[str, Any]) -> Document:
    title = f"{issue['identifier']} {issue['title']}"
    project = get_string(issue, "project", "name") or "no project"
    parts = [f"State: {issue['state']['name']}", issue.get("description") or ""]
    parts += [
        format_comment(get_string(one, "user", "name"), one["createdAt"], one["body"])
        for one in reversed(issue["comments"]["nodes"])
    ]
    return Document(
        uri=f"{root}/{issue['identifier']}",
        url=str(issue["url"]),
        title=title,
        author=get_string(issue, "creator", "name"),
        site="Linear",
        text="\n\n".join(part for part in parts if part),
        connector=Linear.name,
        published=iso_date(issue["createdAt"]),
        version=_get_version(issue),
        path=join_tree_path(issue["team"]["name"], project, title),
        aliases=(issue["identifier"],),
    )
