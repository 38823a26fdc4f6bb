"""`jira`: the issues of a project, with their comments, through Jira Cloud's REST API."""

import re
from collections.abc import AsyncIterator
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.markdown import format_comment
from connectors.files.tree_path import join_tree_path
from connectors.http.client import web_host
from connectors.http.errors import HIDDEN, bad_response_error, find_or_none
from connectors.indexed.atlassian.client import (
    EMAIL,
    MAX_NAMED,
    TOKEN,
    AtlassianApi,
    unknown_name_error,
)
from connectors.indexed.atlassian.text import convert_adf
from connectors.indexed.listing import sync_listing
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState
from schema.documents import Change, Document, Skipped

PAGE_SIZE = 5000
"""Issues of one page of the listing, the most that may be asked for; Jira gives fewer."""
BATCH_SIZE = 50
"""Issues that are read in full at once; Jira takes up to 100, but answers only so many bytes."""
COMMENTS_PAGE_SIZE = 100
"""Comments of one page, the most that Jira gives."""
FIELDS = (
    "summary", "description", "issuetype", "status", "parent", "project", "reporter", "creator",
    "created", "updated", "comment",
)  # fmt: skip


class Jira(SyncingConnector):
    """A project's issues. What was deleted, archived or moved to another one is removed here."""

    name = "jira"
    description = "issues of a Jira project, with their comments"
    document_description = (
        "an issue: `jira://SITE/ENG/ENG-12`, its key and summary, reporter, address and date of "
        "creation, at project/type or parent/issue"
    )
    required_variables = ("QUIRE_JIRA_BASE_URL", EMAIL, TOKEN)
    limits = Limits(concurrency=4)

    async def find_root(self, location: str) -> str:
        """The project of this key, as in `ENG`."""
        async with AtlassianApi("Jira", self.limits) as jira:
            key = location if re.fullmatch("[A-Z][A-Z0-9_]+", location) else None
            if not key or key not in await _list_projects(jira, key):
                raise unknown_name_error("Jira", "project", location, await _list_projects(jira))
        return f"jira://{web_host(jira.url)}/{location}"

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """List all issues with the time of their last change, and read those that are new."""
        async with AtlassianApi("Jira", self.limits) as jira:

            async def read(keys: list[str]) -> list[Change]:
                body = {"issueIdsOrKeys": keys, "fields": FIELDS}
                answer = await jira.post("/rest/api/3/issue/bulkfetch", body)
                issues = {get_string(one, "key"): one for one in jira.get_records(answer, "issues")}
                return [
                    await _read_change(jira, f"{since.root}/{key}", key, issues.get(key))
                    for key in keys
                ]

            async for change in sync_listing(
                since, _list_issues(jira, since), read, BATCH_SIZE, self.limits.concurrency
            ):
                yield change


async def _list_projects(jira: AtlassianApi, key: str | None = None) -> list[str]:
    """Keys of projects that the account sees: the first ones, or the one asked for."""
    page = await jira.get("/rest/api/3/project/search", keys=key, maxResults=MAX_NAMED)
    return [get_string(project, "key") for project in jira.get_records(page, "values")]


async def _list_issues(jira: AtlassianApi, since: SyncState) -> AsyncIterator[tuple[str, str, str]]:
    """Uri, last change and key of each issue."""
    how = {
        "jql": f'project = "{since.location}" ORDER BY key',
        "fields": "updated",
        "maxResults": PAGE_SIZE,
    }
    token, last = None, ""
    while True:
        page = await jira.get("/rest/api/3/search/jql", **how, nextPageToken=token)
        for issue in jira.get_records(page, "issues"):
            key, updated = get_string(issue, "key"), get_string(issue, "fields", "updated")
            if not key or not updated:
                raise bad_response_error("Jira")
            yield f"{since.root}/{key}", updated, key
        token = get_string(page, "nextPageToken")
        if not token and page.get("isLast") is not False:
            return
        if not token or token == last:  # it would end too early, or never
            raise bad_response_error("Jira")
        last = token


async def _read_change(
    jira: AtlassianApi, uri: str, key: str, issue: dict[str, Any] | None
) -> Change:
    """What became of a listed issue. Jira leaves out what vanished meanwhile or is too large."""
    if not issue or not get_string(issue, "fields", "updated"):
        return Skipped(uri=uri, reason=f"{key}: Jira lists it, but did not hand it over")
    comments = await find_or_none(_read_comments(jira, key, issue), HIDDEN)
    if comments is None:
        return Skipped(uri=uri, reason=f"{key}: its comments may not be read")
    fields = issue["fields"]
    kind, status = get_string(fields, "issuetype", "name"), get_string(fields, "status", "name")
    title = f"{key} {get_string(fields, 'summary')}".strip()
    above = kind or "no type"
    if parent := get_string(fields, "parent", "key"):
        above = f"{parent} {get_string(fields, 'parent', 'fields', 'summary')}".strip()
    parts = [
        f"Type: {kind}" if kind else "",
        f"Status: {status}" if status else "",
        convert_adf(fields.get("description")),
        *comments,
    ]
    return Document(
        uri=uri,
        url=f"{jira.url}/browse/{key}",
        title=title,
        author=get_string(fields, "reporter", "displayName")
        or get_string(fields, "creator", "displayName"),
        site="Jira",
        text="\n\n".join(part for part in parts if part),
        connector=Jira.name,
        published=iso_date(get_string(fields, "created")),
        version=get_string(fields, "updated"),
        path=join_tree_path(get_string(fields, "project", "name") or "no project", above, title),
        aliases=(key,),
    )


async def _read_comments(jira: AtlassianApi, key: str, issue: dict[str, Any]) -> list[str]:
    """All comments, oldest first. An issue holds a part of them only, and how many there are."""
    page = issue["fields"].get("comment")
    if not isinstance(page, dict):
        return []
    found, total = jira.get_records(page, "comments"), page.get("total")
    if isinstance(total, int) and total > len(found):
        found, path = [], f"/rest/api/3/issue/{key}/comment"
        while len(found) < total:
            page = await jira.get(
                path, startAt=len(found), maxResults=COMMENTS_PAGE_SIZE, orderBy="created"
            )
            if not (more := jira.get_records(page, "comments")):
                break
            found += more
    return [
        format_comment(
            get_string(one, "author", "displayName"),
            get_string(one, "created"),
            convert_adf(one.get("body")),
        )
        for one in found
    ]
