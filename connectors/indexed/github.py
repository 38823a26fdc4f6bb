"""`github`: the files, issues and pull requests of a repository, through GitHub's REST API."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import quote, unquote

from connectors.net.ahead import ahead
from connectors.net.http import Api, base_url
from connectors.net.refusals import unreadable
from connectors.protocol import Limits, Since
from connectors.providers.github_archive import from_archive
from connectors.providers.github_issues import is_issue, issue_document, pages, part_of
from connectors.providers.github_place import KEY, Repository, check_branch, head, repository
from connectors.providers.github_tree import LARGEST, blob_sha, files
from connectors.reading.file_text import UnreadableError
from connectors.reading.places import tree_place
from connectors.reading.to_text import HTML, read_bytes
from schema.documents import Change, Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError
from schema.settings import variable

API = "https://api.github.com"
FEW = 40
"""Files that are read one by one; of more the archive is, which takes a single request."""

_TITLED = {".md", ".markdown", ".mdx", ".pdf", ".docx", ".pptx", ".odt", ".epub", *HTML}
"""Files that hold a title; a `#` at the beginning of a line is a comment in most others."""
_ELSEWHERE = b"version https://git-lfs.github.com/spec/"


class GitHub:
    """A repository. Of its issues, those that were deleted there are removed by a full sync."""

    name = "github"
    kind: Literal["indexed"] = "indexed"
    reads = "files, issues and pull requests of a repository"
    document = (
        "a file: `github://owner/repo/code/path`, its own title and address, at owner/repo/path; "
        "or an issue: `github://owner/repo/issues/12` (`pull/12` for a pull request), its title, "
        "author, address and day of creation, at owner/repo/issues/12 title"
    )
    needs = ()  # public repositories are read without a token
    package = ""
    languages = ()
    limits = Limits(concurrency=4, spacing=0.07)  # GitHub allows 900 requests a minute

    async def root(self, place: str) -> str:
        """A repository, one of its branches, or a part of it."""
        with _told():
            async with self._api() as api:
                repo = await repository(api, place)
                if "@" in place:
                    await check_branch(api, repo)
        return repo.root

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """The files of the branch's last commit, then the issues that changed since the last time.

        The cursor holds that commit, and the time of the last change among the issues.
        """
        cursor = _cursor(since.cursor)
        with _told():
            async with self._api() as api:
                repo = await repository(api, since.place)
                if "code" in repo.parts:
                    async for change in self._code(api, repo, since, cursor):
                        yield change
                if repo.parts != ("code",):
                    async for change in self._issues(api, repo, since, cursor):
                        yield change

    async def _code(
        self, api: Api, repo: Repository, since: Since, cursor: dict[str, str]
    ) -> AsyncIterator[Change]:
        known = [uri for uri in since.versions if uri.startswith(f"{repo.base}/code/")]
        commit = await head(api, repo)
        if commit in ("", cursor.get("commit")):
            for uri in known:
                yield Unchanged(uri=uri)
            return
        wanted, seen = dict[str, str](), set[str]()
        for file in await files(api, repo.api, commit):
            uri = _uri(repo, file.path)
            seen.add(uri)
            if since.versions.get(uri) == file.sha:
                yield Unchanged(uri=uri)
            elif file.size > LARGEST:
                yield Skipped(uri=uri, reason=f"{file.path}: it is larger than 1 MB")
            else:
                wanted[file.path] = file.sha

        async def kept(found: tuple[str, bytes]) -> Change:
            path, data = found
            return await _file(repo, path, wanted.pop(path), data)

        async def read(path: str) -> Change:
            try:
                data = await _blob(api, repo, wanted[path])
            except ConnectorError as error:
                # Only this: who may list a repository may read all of it, and what is refused
                # after that was asked for too often.
                if error.code != "connector_absent":
                    raise
                return Skipped(uri=_uri(repo, path), reason=f"{path}: GitHub has it no more")
            return await _file(repo, path, wanted[path], data)

        if len(wanted) > FEW:
            attempts = self.limits.attempts
            found = from_archive(api, repo.api, commit, wanted, attempts)
            async for change in ahead(found, kept, self.limits.concurrency):
                yield change
        async for change in ahead(list(wanted), read, self.limits.concurrency):
            yield change
        for uri in known:
            if uri not in seen:
                yield Gone(uri=uri)
        cursor["commit"] = commit
        yield Checkpoint(cursor=json.dumps(cursor))

    async def _issues(
        self, api: Api, repo: Repository, since: Since, cursor: dict[str, str]
    ) -> AsyncIterator[Change]:
        begin, seen = cursor.get("since"), set[str]()

        async def read(issue: dict[str, Any]) -> Document | Unchanged | Gone:
            uri = f"{repo.base}/{part_of(issue)}/{issue['number']}"
            if since.versions.get(uri) == issue["updated_at"]:
                return Unchanged(uri=uri)
            at, comments = f"{repo.api}/issues/{issue['number']}/comments", list[dict[str, Any]]()
            try:
                if issue.get("comments"):
                    comments = [one async for page in pages(api, at) for one in page]
            except ConnectorError as error:
                if error.code != "connector_absent":
                    raise
                return Gone(uri=uri)
            return issue_document(uri, repo.name, issue, comments)

        asked = {"state": "all", "sort": "updated", "direction": "asc"}
        asked |= {"since": begin} if begin else {}
        async for page in pages(api, f"{repo.api}/issues", **asked):
            issues = [issue for issue in page if is_issue(issue)]
            chosen = [issue for issue in issues if part_of(issue) in repo.parts]
            async for change in ahead(chosen, read, self.limits.concurrency):
                seen.add(change.uri)
                yield change
            if issues:
                cursor["since"] = max(issue["updated_at"] for issue in issues)
                yield Checkpoint(cursor=json.dumps(cursor))
        if not begin:  # all were listed
            places = tuple(f"{repo.base}/{part}/" for part in repo.parts if part != "code")
            for uri in since.versions:
                if uri.startswith(places) and uri not in seen:
                    yield Gone(uri=uri)

    def _api(self) -> Api:
        url, token = base_url(self.name, API), variable(KEY)
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        spaced = url == API
        return Api("GitHub", url, key=KEY, headers=headers, limits=self.limits, spaced=spaced)


@contextmanager
def _told() -> Iterator[None]:
    """Say what a token brings to who has none and comes to the limit."""
    try:
        yield
    except ConnectorError as error:
        if error.code != "connector_limit" or variable(KEY):
            raise
        message = f"{error}: set {KEY}, which brings 5,000 requests an hour instead of 60"
        raise ConnectorError(
            message, code=error.code, passing=error.passing, wait=error.wait
        ) from None


def _cursor(text: str) -> dict[str, str]:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


async def _blob(api: Api, repo: Repository, sha: str) -> bytes:
    accept = {"Accept": "application/vnd.github.raw+json"}
    answer = await api.request("GET", f"{repo.api}/git/blobs/{sha}", headers=accept)
    if blob_sha(answer.content) != sha:
        raise unreadable("GitHub")
    return answer.content


def _uri(repo: Repository, path: str) -> str:
    """Ends like the path: code is known by its ending. `/code/` keeps it apart from issues."""
    return f"{repo.base}/code/{quote(path, errors='replace')}"


async def _file(repo: Repository, path: str, sha: str, data: bytes) -> Document | Skipped:
    uri, name = _uri(repo, path), PurePosixPath(path)
    ending = name.suffix if re.fullmatch(r"\.\w{1,10}", name.suffix, re.ASCII) else ""
    if data.startswith(_ELSEWHERE):
        return Skipped(uri=uri, reason=f"{path}: its content is kept in Git LFS")
    try:
        found = await read_bytes(data, ending)
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{path}: {error}")
    place = unquote(repo.base.removeprefix("github://"))
    return Document(
        uri=uri,
        url=f"{repo.url}/blob/{quote(repo.branch)}/{quote(path, errors='replace')}",
        text=found.text,
        connector=GitHub.name,
        title=(ending.lower() in _TITLED and found.title) or name.name,
        author=found.author,
        site="GitHub",
        published=found.published,
        version=sha,
        path=tree_place(*place.split("/", 1), *path.split("/")),
        aliases=found.aliases,
        superseded=found.superseded,
    )
