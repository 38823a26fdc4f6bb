"""`jira`: the issues of a project, with their comments, through Jira Cloud's REST API."""

import re
from collections.abc import AsyncIterator
from typing import Any, Literal

from connectors.net.ahead import ahead
from connectors.net.http import web_host
from connectors.net.refusals import unreadable
from connectors.protocol import Limits, Since
from connectors.providers.atlassian import EMAIL, NAMED, TOKEN, Site, none_such, site
from connectors.providers.atlassian_text import atlassian_text
from connectors.reading.dates import iso_date
from connectors.reading.places import tree_place
from connectors.reading.records import word
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError

PAGE = 5000
"""Issues of one page of the listing, the most that may be asked for; Jira gives fewer."""
PART = 50
"""Issues that are read in full at once; Jira takes up to 100, but answers only so many bytes."""
COMMENTS = 100
"""Comments of one page, the most that Jira gives."""
FIELDS = (
    "summary", "description", "issuetype", "status", "parent", "project", "reporter", "creator",
    "created", "updated", "comment",
)  # fmt: skip


class Jira:
    """A project's issues. What was deleted, archived or moved to another one is removed here."""

    name = "jira"
    kind: Literal["indexed"] = "indexed"
    reads = "issues of a Jira project, with their comments"
    document = (
        "an issue: `jira://SITE/ENG/ENG-12`, its key and summary, reporter, address and day of "
        "creation, at project/type or parent/issue"
    )
    needs = ("QUIRE_JIRA_BASE_URL", EMAIL, TOKEN)
    package = ""
    languages = ()
    limits = Limits(concurrency=4)

    async def root(self, place: str) -> str:
        """The project of this key, as in `ENG`."""
        url = site(self.name)
        async with Site("Jira", url, self.limits) as jira:
            key = place if re.fullmatch("[A-Z][A-Z0-9_]+", place) else None
            if not key or key not in await _projects(jira, key):
                raise none_such("Jira", "project", place, await _projects(jira))
        return f"jira://{web_host(url)}/{place}"

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """List all issues with the time of their last change, and read those that are new."""
        url = site(self.name)
        async with Site("Jira", url, self.limits) as jira:
            wanted, seen = list[str](), set[str]()
            async for key, version in _listed(jira, since.place):
                uri = f"{since.root}/{key}"
                if uri in seen:  # it moved from one page to the next
                    continue
                seen.add(uri)
                if since.versions.get(uri) == version:
                    yield Unchanged(uri=uri)
                else:
                    wanted.append(key)
            parts = [wanted[start : start + PART] for start in range(0, len(wanted), PART)]

            async def read(keys: list[str]) -> list[Change]:
                body = {"issueIdsOrKeys": keys, "fields": FIELDS}
                answer = await jira.post("/rest/api/3/issue/bulkfetch", body)
                issues = {word(one, "key"): one for one in jira.records(answer, "issues")}
                return [
                    await _change(jira, url, f"{since.root}/{key}", key, issues.get(key))
                    for key in keys
                ]

            async for changes in ahead(parts, read, self.limits.concurrency):
                for change in changes:
                    yield change
        for uri in since.versions.keys() - seen:
            yield Gone(uri=uri)


async def _projects(jira: Site, key: str | None = None) -> list[str]:
    """Keys of projects that the account sees: the first ones, or the one asked for."""
    page = await jira.get("/rest/api/3/project/search", keys=key, maxResults=NAMED)
    return [word(project, "key") for project in jira.records(page, "values")]


async def _listed(jira: Site, project: str) -> AsyncIterator[tuple[str, str]]:
    """Key and last change of each issue."""
    how = {"jql": f'project = "{project}" ORDER BY key', "fields": "updated", "maxResults": PAGE}
    token, last = None, ""
    while True:
        page = await jira.get("/rest/api/3/search/jql", **how, nextPageToken=token)
        for issue in jira.records(page, "issues"):
            key, updated = word(issue, "key"), word(issue, "fields", "updated")
            if not key or not updated:
                raise unreadable("Jira")
            yield key, updated
        token = word(page, "nextPageToken")
        if not token and page.get("isLast") is not False:
            return
        if not token or token == last:  # it would end too early, or never
            raise unreadable("Jira")
        last = token


async def _change(jira: Site, url: str, uri: str, key: str, issue: dict[str, Any] | None) -> Change:
    """What became of a listed issue. Jira leaves out what vanished meanwhile or is too large."""
    if not issue or not word(issue, "fields", "updated"):
        return Skipped(uri=uri, reason=f"{key}: Jira lists it, but did not hand it over")
    try:
        comments = await _comments(jira, key, issue)
    except ConnectorError as error:
        if error.code not in ("connector_absent", "connector_refused"):
            raise
        return Skipped(uri=uri, reason=f"{key}: its comments may not be read")
    fields = issue["fields"]
    kind, status = word(fields, "issuetype", "name"), word(fields, "status", "name")
    title = f"{key} {word(fields, 'summary')}".strip()
    above = kind or "no type"
    if parent := word(fields, "parent", "key"):
        above = f"{parent} {word(fields, 'parent', 'fields', 'summary')}".strip()
    parts = [
        f"Type: {kind}" if kind else "",
        f"Status: {status}" if status else "",
        atlassian_text(fields.get("description")),
        *comments,
    ]
    return Document(
        uri=uri,
        url=f"{url}/browse/{key}",
        title=title,
        author=word(fields, "reporter", "displayName") or word(fields, "creator", "displayName"),
        site="Jira",
        text="\n\n".join(part for part in parts if part),
        connector=Jira.name,
        published=iso_date(word(fields, "created")),
        version=word(fields, "updated"),
        path=tree_place(word(fields, "project", "name") or "no project", above, title),
        aliases=(key,),
    )


async def _comments(jira: Site, key: str, issue: dict[str, Any]) -> list[str]:
    """All comments, oldest first. An issue brings a part of them only, and how many there are."""
    page = issue["fields"].get("comment")
    if not isinstance(page, dict):
        return []
    found, total = jira.records(page, "comments"), page.get("total")
    if isinstance(total, int) and total > len(found):
        found, path = [], f"/rest/api/3/issue/{key}/comment"
        while len(found) < total:
            page = await jira.get(path, startAt=len(found), maxResults=COMMENTS, orderBy="created")
            if not (more := jira.records(page, "comments")):
                break
            found += more
    return [
        f"{word(one, 'author', 'displayName') or 'Somebody'}, {iso_date(word(one, 'created'))}: "
        f"{text}"
        for one in found
        if (text := atlassian_text(one.get("body")))
    ]
