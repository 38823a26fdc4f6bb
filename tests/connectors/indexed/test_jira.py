"""Jira Cloud's REST API: developer.atlassian.com/cloud/jira/platform/rest/v3."""

import re
from typing import Any

import pytest
from conformance import SyncConformance, items
from fakes.provider import Item
from fakes.sites.atlassian import AtlassianSite, document, environment, paragraph
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Document, Skipped
from schema.errors import ConnectorError, InputError

ROOT = "jira://127.0.0.1/ENG"


class JiraServer(AtlassianSite):
    """The project ENG, whose items are its issues; those with an even number have a parent.

    Attributes:
        projects: Keys of the projects that the account sees.
        comments: How many comments an issue has, by number; one where nothing is said.
        changed: Laid over an issue as it is read, by number.
        end: Laid over every page of the listing.
    """

    projects = ("ENG", "OPS")
    end: dict[str, Any] | None = None

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.comments: dict[int, int] = {}
        self.changed: dict[int, dict[str, Any]] = {}

    def api(self) -> list[Any]:
        return [
            Route("/rest/api/3/project/search", self.search_projects),
            Route("/rest/api/3/search/jql", self.search),
            Route("/rest/api/3/issue/bulkfetch", self.read, methods=["POST"]),
            Route("/rest/api/3/issue/{key}/comment", self.page_of_comments),
        ]

    async def search_projects(self, request: Request) -> Response:
        limit = int(request.query_params.get("maxResults", "50"))
        assert limit <= 100
        wanted = request.query_params.getlist("keys") or self.projects
        if not all(re.fullmatch("[A-Z][A-Z0-9_]+", key) for key in wanted):
            return self.failure(400)
        found = [key for key in self.projects if key in wanted][:limit]
        values = [{"id": key, "key": key, "name": f"The {key} project"} for key in found]
        page = {"startAt": 0, "maxResults": limit, "total": len(found), "isLast": True}
        return self.answer({**page, "values": values})

    async def search(self, request: Request) -> Response:
        limit = int(request.query_params.get("maxResults", "50"))
        assert 1 <= limit <= 5000
        (project,) = re.fullmatch(  # type: ignore[union-attr]
            r'project = "([A-Z]+)" ORDER BY key', request.query_params["jql"]
        ).groups()
        if project not in self.projects:
            return self.failure(400)
        if request.query_params.get("fields") != "id":
            limit = min(limit, 100)  # what it gives once it has to look into the issues
        start = int(request.query_params.get("nextPageToken", "CAE0").removeprefix("CAE"))
        held = list(self.items.values()) if project == "ENG" else []
        page = held[start : start + limit]
        issues = [
            {"id": f"{10_000 + item.number}", "key": key(item), "fields": {"updated": when(item)}}
            for item in page
        ]
        end = start + len(page)
        token = {"nextPageToken": f"CAE{end}"} if end < len(held) else {}
        last = {"isLast": not token, **token}
        return self.answer({"issues": issues, **(last if self.end is None else self.end)})

    async def read(self, request: Request) -> Response:
        body = await request.json()
        assert 1 <= len(body["issueIdsOrKeys"]) <= 100
        chosen = [item for item in self.items.values() if key(item) in body["issueIdsOrKeys"]]
        self.sent += [item.number for item in chosen]
        issues = [self.issue(item, body["fields"]) for item in chosen]
        return self.answer({"issues": issues, "issueErrors": []})

    def issue(self, item: Item, wanted: list[str]) -> dict[str, Any]:
        everything = {
            "summary": item.title,
            "description": document(paragraph(item.text)),
            "issuetype": {"id": "1", "name": "Story/Task"},
            "status": {"id": "3", "name": "In Progress"},
            "project": {"key": "ENG", "name": "Engineering"},
            "reporter": {"accountId": "5b10", "displayName": item.author},
            "creator": {"accountId": "5b11", "displayName": "Automation for Jira"},
            "created": when(item),
            "updated": when(item),
            "comment": self.some_comments(item, 0, 20),
            "votes": {"votes": 0},
        }
        if item.number % 2 == 0:
            everything["parent"] = {"key": "ENG-900", "fields": {"summary": "Build/run turbines"}}
        fields = {name: value for name, value in everything.items() if name in wanted}
        issue = {"id": f"{10_000 + item.number}", "key": key(item), "fields": fields}
        return {**issue, **self.changed.get(item.number, {})}

    async def page_of_comments(self, request: Request) -> Response:
        (number,) = [int(text) for text in re.findall(r"ENG-(\d+)", request.path_params["key"])]
        start = int(request.query_params.get("startAt", "0"))
        limit = min(int(request.query_params.get("maxResults", "100")), 100)
        assert request.query_params.get("orderBy") in ("created", "-created")
        if self.comments.get(number) == 403:
            return self.failure(403)
        return self.answer(self.some_comments(self.items[number], start, limit))

    def some_comments(self, item: Item, start: int, limit: int) -> dict[str, Any]:
        total = self.comments.get(item.number, 1)
        comments = [
            {
                "id": str(number),
                "author": {"accountId": "5b12", "displayName": "Grace Hopper"},
                "body": document(paragraph(f"Remark {number}.")),
                "created": when(item),
            }
            for number in range(start, min(start + limit, total))
        ]
        return {"comments": comments, "startAt": start, "maxResults": limit, "total": total}


def key(item: Item) -> str:
    return f"ENG-{item.number}"


def when(item: Item) -> str:
    return item.when.strftime("%Y-%m-%dT%H:%M:%S.000+0000")


class TestJira(SyncConformance[JiraServer]):
    name = "jira"
    key = "ATLASSIAN_API_TOKEN"
    location = "ENG"
    provider = JiraServer

    def environment(self, url: str) -> dict[str, str]:
        self.url = url
        return environment(self.name, url)

    def expected(self, item: Item) -> dict[str, Any]:
        title = f"{key(item)} {item.title}"
        above = "Story∕Task" if item.number % 2 else "ENG-900 Build∕run turbines"
        return {
            "uri": f"{ROOT}/{key(item)}",
            "url": f"{self.url}/browse/{key(item)}",
            "title": title,
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Engineering/{above}/{title}",
        }

    @pytest.mark.parametrize("location", ["XYZ", "eng", 'ENG" OR project = "OPS', ""])
    async def test_an_unknown_project_is_answered_with_those_that_there_are(
        self, location: str
    ) -> None:
        with (
            self.serving(items(1)),
            pytest.raises(InputError, match=f"no project '{location}': use one of ENG, OPS\\.$"),
        ):
            await make_syncing_connector("jira").find_root(location)

    async def test_an_account_that_sees_no_project_is_told_so(self) -> None:
        self.monkeypatch.setattr(JiraServer, "projects", ())
        with (
            self.serving(items(1)),
            pytest.raises(ConnectorError, match="no project: check ATLASSIAN_EMAIL and"),
        ):
            await make_syncing_connector("jira").find_root("ENG")

    @pytest.mark.parametrize("url", ["acme.atlassian.net", "ftp://acme.atlassian.net"])
    async def test_a_site_that_is_no_address_is_asked_for(self, url: str) -> None:
        for name, value in self.environment(url).items():
            self.monkeypatch.setenv(name, value)
        with pytest.raises(InputError, match=r"Set QUIRE_JIRA_BASE_URL .* https://acme"):
            await make_syncing_connector("jira").find_root("ENG")

    async def test_a_token_that_is_passed_over_removes_nothing(self, library: Library) -> None:
        """The site then answers 200 with what everybody may see: here, nothing."""
        with self.serving(items(5)) as server:
            await self.sync(library)
            server.anonymous = True
            server.items.clear()
            error = await self.refused(library)
            assert "check ATLASSIAN_API_TOKEN" in str(error)
            server.anonymous = False
            assert len(await self.held(library)) == 5

    @pytest.mark.parametrize("count", [0, 20, 21, 250])
    async def test_all_comments_are_read(self, count: int) -> None:
        server = self.provider(items(1))
        server.comments[1] = count
        (issue,) = await self.synced(server)
        remarks = [f"Grace Hopper, 2024-05-01: Remark {number}." for number in range(count)]
        assert issue.text.split("\n\n") == [
            "Type: Story/Task",
            "Status: In Progress",
            items(1)[0].text,
            *remarks,
        ]

    async def test_an_issue_whose_comments_may_not_be_read_is_skipped(self) -> None:
        server = self.provider(items(2))
        server.comments[1] = 403
        first, second = await self.synced(server)
        assert first == Skipped(uri=f"{ROOT}/ENG-1", reason="ENG-1: its comments may not be read")
        assert isinstance(second, Document)

    async def test_what_moved_away_while_it_was_read_is_skipped(self) -> None:
        """Asked for an old key, Jira answers with the issue under its new one."""
        server = self.provider(items(2))
        server.changed[1] = {"key": "OPS-7"}
        first, second = await self.synced(server)
        assert (type(first), first.uri) == (Skipped, f"{ROOT}/ENG-1")
        assert second.uri == f"{ROOT}/ENG-2"

    @pytest.mark.parametrize("odd", [None, "x", [None]], ids=repr)
    async def test_odd_fields_are_passed_over(self, odd: Any) -> None:
        server = self.provider(items(1))
        names = ("summary", "issuetype", "status", "project", "reporter", "creator", "created")
        fields = {**dict.fromkeys((*names, "description", "comment", "parent"), odd)}
        server.changed[1] = {"fields": {**fields, "updated": "2024"}}
        (issue,) = await self.synced(server)
        shown = " x" if odd == "x" else ""
        assert (issue.title, issue.author, issue.published) == (f"ENG-1{shown}", "", "")
        assert issue.path == f"no project/no type/ENG-1{shown}"

    async def test_an_issue_without_fields_is_skipped(self) -> None:
        server = self.provider(items(1))
        server.changed[1] = {"fields": None}
        (change,) = await self.synced(server)
        assert isinstance(change, Skipped)

    @pytest.mark.parametrize(
        "end", [{"isLast": False}, {"isLast": False, "nextPageToken": "CAE0"}], ids=str
    )
    async def test_a_listing_that_would_end_early_or_never_is_a_failure(
        self, end: dict[str, Any]
    ) -> None:
        server = self.provider(items(3))
        server.end = end
        with pytest.raises(ConnectorError, match="could not be read"):
            await self.synced(server)

    async def test_a_listing_that_does_not_say_whether_it_ends_ends_with_its_tokens(self) -> None:
        server = self.provider(items(3))
        server.end = {}
        assert len(await self.synced(server)) == 3
