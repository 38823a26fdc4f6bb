"""GitHub's REST API over loopback, version 2022-11-28: docs.github.com/rest."""

import hashlib
import io
import tarfile
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fakes.provider import Fault, Item, Provider

REPO = "/repos/Acme/Turbines"


class GitHubServer(Provider):
    """The repository Acme/Turbines, whose items are its files, or else its issues.

    Attributes:
        files: More of its files: path to mode and content.
        issues: More of its issues, as GitHub writes them.
        comments: Below an issue, by its number.
        branches: Its branches, the main one first.
        limit: Entries of one recursive listing of a tree.
        archive: What its archive holds; None takes the files as they are.
        missing: Blobs that are answered with a status.
        deleted: Numbers of issues that went after they were listed.
        changed: What every blob is answered with; None leaves them as they are.
        cut_folders: Whether also a single folder is listed only in part.
        download: Faults of the next downloads of the archive, one each.
        junk: More entries of every page of issues.
        anonymous: Whether requests must come without a key.
    """

    as_issues = False

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.files: dict[str, tuple[str, bytes]] = {}
        self.issues: list[dict[str, Any]] = []
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.branches = ["main"]
        self.limit = 100_000
        self.archive: bytes | None = None
        self.missing: dict[str, int] = {}
        self.deleted: set[int] = set()
        self.changed: bytes | None = None
        self.cut_folders = False
        self.download: list[Fault] = []
        self.junk: list[Any] = []
        self.anonymous = False

    def api(self) -> list[Any]:
        repo = "/repos/{owner}/{name}"
        return [
            Route(repo, self.repository),
            Route(f"{repo}/branches", self.listed_branches),
            Route(f"{repo}/branches/{{branch:path}}", self.branch),
            Route(f"{repo}/commits/{{ref:path}}", self.commit),
            Route(f"{repo}/git/trees/{{sha}}", self.tree),
            Route(f"{repo}/git/blobs/{{sha}}", self.blob),
            Route(f"{repo}/tarball/{{ref}}", self.tarball),
            Route("/codeload/{rest:path}", self.codeload),
            Route(f"{repo}/issues", self.listed_issues),
            Route(f"{repo}/issues/{{number:int}}/comments", self.listed_comments),
        ]

    def allowed(self, request: Request) -> bool:
        if request.url.path.startswith("/codeload/"):  # another host, which must not see the key
            return "authorization" not in request.headers
        assert request.headers["x-github-api-version"] == "2022-11-28"
        assert request.headers["user-agent"]  # without one it is refused
        if self.anonymous:
            return "authorization" not in request.headers
        return super().allowed(request)

    def failure(self, status: int) -> Response:
        body = {"message": f"error {status}", "documentation_url": "", "status": str(status)}
        if status == 403 and self.retry_after == "reset":
            headers = {"x-ratelimit-remaining": "0"}
            headers["x-ratelimit-reset"] = str(int(time.time()) + 3000)
            return JSONResponse(body, status, headers)
        return JSONResponse(body, status)

    # what it holds

    def content(self) -> dict[str, tuple[str, bytes]]:
        own = {} if self.as_issues else {path_of(i): ("100644", bytes_of(i)) for i in self.held()}
        return own | self.files

    def held(self) -> list[Item]:
        return list(self.items.values())

    def head(self) -> str:
        told = repr([(path, mode, sha_of(data)) for path, (mode, data) in self.content().items()])
        return hashlib.sha1(told.encode()).hexdigest()

    def folder(self, above: str) -> list[dict[str, Any]]:
        """What lies right below a folder, which ends in a slash or is the top."""
        found: dict[str, dict[str, Any]] = {}
        for path, (mode, data) in self.content().items():
            name, slash, _ = path.removeprefix(above).partition("/")
            if not path.startswith(above) or name in found:
                continue
            if slash:
                sha = tree_sha(f"{above}{name}/")
                found[name] = {"path": name, "mode": "040000", "type": "tree", "sha": sha}
            else:
                kind = {"160000": "commit"}.get(mode, "blob")
                entry = {"path": name, "mode": mode, "type": kind, "sha": sha_of(data)}
                found[name] = entry | ({"size": len(data)} if kind == "blob" else {})
        return list(found.values())

    def below(self, above: str) -> list[dict[str, Any]]:
        entries = []
        for entry in self.folder(above):
            entries.append(entry)
            if entry["type"] == "tree":
                inner = self.below(f"{above}{entry['path']}/")
                entries += [{**one, "path": f"{entry['path']}/{one['path']}"} for one in inner]
        return entries

    # how it answers

    async def repository(self, request: Request) -> Response:
        owner, name = request.path_params["owner"], request.path_params["name"]
        if (owner.lower(), name.lower()) == ("acme", "windmills"):
            url = "https://api.github.com/repositories/17"
            moved = {"message": "Moved Permanently", "url": url}
            return JSONResponse(moved, 301, {"Location": url})
        if (owner.lower(), name.lower()) != ("acme", "turbines"):
            return self.failure(404)
        return JSONResponse(
            {
                "id": 17,
                "full_name": "Acme/Turbines",
                "html_url": "https://github.com/Acme/Turbines",
                "default_branch": self.branches[0],
                "has_issues": True,
            }
        )

    async def listed_branches(self, request: Request) -> Response:
        assert 1 <= int(request.query_params["per_page"]) <= 100
        return JSONResponse([{"name": name} for name in self.branches])

    async def branch(self, request: Request) -> Response:
        name = request.path_params["branch"]
        if name not in self.branches:
            return self.failure(404)
        return JSONResponse({"name": name, "commit": {"sha": self.head()}})

    async def commit(self, request: Request) -> Response:
        assert request.headers["accept"] == "application/vnd.github.sha"
        kind, _, name = request.path_params["ref"].partition("/")
        if not self.content():
            return self.failure(409)
        if kind != "heads" or name not in self.branches:
            return self.failure(422)
        return PlainTextResponse(self.head())

    async def tree(self, request: Request) -> Response:
        sha = request.path_params["sha"]
        folders = {tree_sha(above): above for above in self.folders()}
        above = "" if sha == self.head() else folders[sha]
        if "recursive" not in request.query_params:
            tree = self.folder(above)
            return JSONResponse({"sha": sha, "tree": tree, "truncated": self.cut_folders})
        entries = self.below(above)
        cut = len(entries) > self.limit
        return JSONResponse({"sha": sha, "tree": entries[: self.limit], "truncated": cut})

    def folders(self) -> set[str]:
        parts = [path.split("/") for path in self.content()]
        return {"/".join(p[:length]) + "/" for p in parts for length in range(1, len(p))}

    async def blob(self, request: Request) -> Response:
        assert request.headers["accept"] == "application/vnd.github.raw+json"
        sha = request.path_params["sha"]
        if sha in self.missing:
            return self.failure(self.missing[sha])
        self.sent += [item.number for item in self.held() if sha_of(bytes_of(item)) == sha]
        found = {sha_of(data): data for _, data in self.content().values()}
        data = found[sha] if self.changed is None else self.changed
        return Response(data, media_type="application/vnd.github.raw+json; charset=utf-8")

    async def tarball(self, request: Request) -> Response:
        assert request.path_params["ref"] == self.head()
        self.faults, self.download = [*self.download], []  # nothing else is asked meanwhile
        url = f"{self.url}/codeload/Acme/Turbines/legacy.tar.gz/{self.head()}?token=short-lived"
        return Response(status_code=302, headers={"Location": url})

    async def codeload(self, request: Request) -> Response:
        self.sent += [] if self.as_issues else [item.number for item in self.held()]
        members = [(path, data) for path, (_, data) in self.content().items()]
        data = self.archive if self.archive is not None else packed(members)
        return Response(data, media_type="application/x-gzip")

    async def listed_issues(self, request: Request) -> Response:
        asked = request.query_params
        assert (asked["state"], asked["sort"], asked["direction"]) == ("all", "updated", "asc")
        own = [issue(item) for item in self.held()] if self.as_issues else []
        found = [one for one in own + self.issues if one["updated_at"] >= asked.get("since", "")]
        found.sort(key=lambda one: str(one["updated_at"]))
        if asked.get("page", "1") != "1" and "after" not in asked:
            return self.failure(422)  # not for large lists, it says
        start = int(asked.get("after", "0"))
        page = found[start : start + int(asked["per_page"])]
        if self.as_issues:
            self.sent += [one["number"] for one in page]
        more = start + len(page) < len(found)
        return _paged(request, page + self.junk, more, after=start + len(page))

    async def listed_comments(self, request: Request) -> Response:
        number = request.path_params["number"]
        if number in self.deleted:
            return self.failure(410)
        own = [comment("grace", "Agreed.")] if number in self.items and number % 5 == 1 else []
        found = own + self.comments.get(number, [])
        page, size = int(request.query_params.get("page", "1")), 100
        part = found[(page - 1) * size : page * size]
        return _paged(request, part, page * size < len(found), page=page + 1)


class IssuesServer(GitHubServer):
    as_issues = True


def _paged(request: Request, found: list[Any], more: bool, **following: int) -> Response:
    assert 1 <= int(request.query_params["per_page"]) <= 100
    asked = dict(request.query_params) | {"page": "2"} | {k: str(v) for k, v in following.items()}
    rest = request.url.path.removeprefix(REPO)
    url = f"https://api.github.com/repositories/17{rest}?" + "&".join(
        f"{name}={value}" for name, value in asked.items()
    )
    headers = {"Link": f'<{url}>; rel="next", <{url}>; rel="last"'} if more else {}
    return JSONResponse(found, headers=headers)


def packed(members: list[tuple[str, bytes]], others: list[tarfile.TarInfo] | None = None) -> bytes:
    """An archive as Git makes them: a comment, and one folder around all."""
    file = io.BytesIO()
    how: dict[str, Any] = {"format": tarfile.PAX_FORMAT, "pax_headers": {"comment": "c0ffee"}}
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1, **how) as tar:
        for one in others or []:
            tar.addfile(one)
        for path, data in members:
            info = tarfile.TarInfo(f"Acme-Turbines-c0ffee/{path}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return file.getvalue()


def path_of(item: Item) -> str:
    return f"docs/{item.number % 7}/turbine {item.number}.md"


def bytes_of(item: Item) -> bytes:
    return f"# {item.title}\n\n{item.text}\n".encode()


def sha_of(data: bytes) -> str:
    return hashlib.sha1(b"blob " + str(len(data)).encode() + b"\0" + data).hexdigest()


def tree_sha(folder: str) -> str:
    """What this server calls a folder."""
    return hashlib.sha1(folder.encode()).hexdigest()


def comment(login: str | None, body: str) -> dict[str, Any]:
    user = {"login": login} if login else None
    return {"body": body, "created_at": "2024-05-02T08:00:00Z", "user": user}


def issue(item: Item, **more: Any) -> dict[str, Any]:
    return {
        "number": item.number,
        "title": item.title,
        "body": item.text,
        "state": "open",
        "labels": [{"name": "wind"}, "power"],
        "user": {"login": item.author},
        "html_url": f"https://github.com/Acme/Turbines/issues/{item.number}",
        "created_at": "2024-05-01T10:00:00Z",
        "updated_at": item.iso,
        "comments": int(item.number % 5 == 1),
        **more,
    }
