"""`github`: the files, issues and pull requests of a repository, through GitHub's REST API."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote

from connectors.files.extract import HTML_SUFFIXES, read_bytes
from connectors.files.file_text import UnreadableError
from connectors.files.tree_path import join_tree_path
from connectors.http.client import Api, base_url
from connectors.http.errors import bad_response_error, find_or_none
from connectors.http.prefetch import prefetch
from connectors.indexed.github.archive import read_archive
from connectors.indexed.github.issues import (
    build_issue_document,
    get_part,
    is_issue,
    list_pages,
    read_comments,
)
from connectors.indexed.github.readers import list_readers
from connectors.indexed.github.repository import (
    KEY,
    Repository,
    check_branch,
    find_head,
    find_repository,
)
from connectors.indexed.github.tree import MAX_FILE_BYTES, compute_blob_sha, list_files
from connectors.json_fields import get_fields, parse_json
from connectors.protocol import Limits, SyncingConnector, SyncState, name_readers
from schema.documents import Change, Checkpoint, Document, Gone, ReadersOf, Skipped, Unchanged
from schema.errors import ConnectorError
from schema.settings import read_variable

API = "https://api.github.com"
MAX_SINGLE_FILES = 40
"""Files that are read one by one; of more the archive is, which takes a single request."""

_TITLED_SUFFIXES = {
    ".md", ".markdown", ".mdx", ".pdf", ".docx", ".pptx", ".odt", ".epub", *HTML_SUFFIXES,
}  # fmt: skip
"""Files that hold a title; a `#` at the beginning of a line is a comment in most others."""
_LFS_HEADER = b"version https://git-lfs.github.com/spec/"


class GitHub(SyncingConnector):
    """A repository. Of its issues, those that were deleted there are removed by a full sync."""

    name = "github"
    description = "files, issues and pull requests of a repository"
    document_description = (
        "a file: `github://owner/repo/code/path`, its own title and address, at owner/repo/path; "
        "or an issue: `github://owner/repo/issues/12` (`pull/12` for a pull request), its title, "
        "author, address and date of creation, at owner/repo/issues/12 title"
    )
    tells_readers = True
    required_variables = ()  # public repositories are read without a token
    limits = Limits(concurrency=4, request_interval=0.07)  # GitHub allows 900 requests a minute

    async def find_root(self, location: str) -> str:
        """A repository, one of its branches, or a part of it."""
        with _suggest_token():
            async with self._make_api() as api:
                repo = await find_repository(api, location)
                if "@" in location:
                    await check_branch(api, repo)
        return repo.root

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """The files of the branch's last commit, then the issues that changed since the last time.

        The cursor holds that commit, and the time of the last change among the issues.
        """
        cursor = _parse_cursor(since.cursor)
        with _suggest_token():
            async with self._make_api() as api:
                repo = await find_repository(api, since.location)
                readers = await list_readers(api, repo) if since.acl else None
                if readers is not None:
                    yield ReadersOf(uri=repo.root, readers=readers)
                if "code" in repo.parts:
                    async for change in self._sync_code(api, repo, since, cursor):
                        yield name_readers(change, readers)
                if repo.parts != ("code",):
                    async for change in self._sync_issues(api, repo, since, cursor):
                        yield name_readers(change, readers)

    async def _sync_code(
        self, api: Api, repo: Repository, since: SyncState, cursor: dict[str, str]
    ) -> AsyncIterator[Change]:
        known = [uri for uri in since.versions if uri.startswith(f"{repo.base}/code/")]
        commit = await find_head(api, repo)
        if commit in ("", cursor.get("commit")):
            for uri in known:
                yield Unchanged(uri=uri)
            return
        wanted, seen = dict[str, str](), set[str]()
        for file in await list_files(api, repo.api, commit):
            uri = _build_uri(repo, file.path)
            seen.add(uri)
            if since.versions.get(uri) == file.sha:
                yield Unchanged(uri=uri)
            elif file.size > MAX_FILE_BYTES:
                yield Skipped(uri=uri, reason=f"{file.path}: it is larger than 1 MB")
            else:
                wanted[file.path] = file.sha

        async def read_content(found: tuple[str, bytes]) -> Change:
            path, data = found
            return await _read_file(repo, path, wanted.pop(path), data)

        async def read(path: str) -> Change:
            # Nothing but absent: who may list a repository may read all of it, and what is refused
            # after that was asked for too often.
            data = await find_or_none(_fetch_blob(api, repo, wanted[path]))
            if data is None:
                return Skipped(uri=_build_uri(repo, path), reason=f"{path}: GitHub has it no more")
            return await _read_file(repo, path, wanted[path], data)

        if len(wanted) > MAX_SINGLE_FILES:
            attempts = self.limits.attempts
            found = read_archive(api, repo.api, commit, wanted, attempts)
            async for change in prefetch(found, read_content, self.limits.concurrency):
                yield change
        async for change in prefetch(list(wanted), read, self.limits.concurrency):
            yield change
        for uri in known:
            if uri not in seen:
                yield Gone(uri=uri)
        cursor["commit"] = commit
        yield Checkpoint(cursor=json.dumps(cursor))

    async def _sync_issues(
        self, api: Api, repo: Repository, since: SyncState, cursor: dict[str, str]
    ) -> AsyncIterator[Change]:
        begin, seen = cursor.get("since"), set[str]()

        async def read(issue: dict[str, Any]) -> Document | Unchanged | Gone:
            uri = f"{repo.base}/{get_part(issue)}/{issue['number']}"
            if since.versions.get(uri) == issue["updated_at"]:
                return Unchanged(uri=uri)
            comments = await find_or_none(read_comments(api, repo.api, issue))
            if comments is None:
                return Gone(uri=uri)
            return build_issue_document(uri, repo.name, issue, comments)

        asked = {"state": "all", "sort": "updated", "direction": "asc"}
        asked |= {"since": begin} if begin else {}
        async for page in list_pages(api, f"{repo.api}/issues", **asked):
            issues = [issue for issue in page if is_issue(issue)]
            chosen = [issue for issue in issues if get_part(issue) in repo.parts]
            async for change in prefetch(chosen, read, self.limits.concurrency):
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

    def _make_api(self) -> Api:
        url = base_url(self.name, API)
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        return Api(
            "GitHub",
            url,
            key=KEY,
            bearer=True,
            headers=headers,
            limits=self.limits,
            rate_limited=url == API,
        )


@contextmanager
def _suggest_token() -> Iterator[None]:
    """Say what a token allows to who has none and hits the rate limit."""
    try:
        yield
    except ConnectorError as error:
        if error.code != "connector_limit" or read_variable(KEY):
            raise
        message = f"{error}: set {KEY}, which brings 5,000 requests an hour instead of 60"
        raise ConnectorError(
            message, code=error.code, retryable=error.retryable, wait=error.wait
        ) from None


def _parse_cursor(text: str) -> dict[str, str]:
    return get_fields(parse_json(text))


async def _fetch_blob(api: Api, repo: Repository, sha: str) -> bytes:
    accept = {"Accept": "application/vnd.github.raw+json"}
    answer = await api.request("GET", f"{repo.api}/git/blobs/{sha}", headers=accept)
    if compute_blob_sha(answer.content) != sha:
        raise bad_response_error("GitHub")
    return answer.content


def _build_uri(repo: Repository, path: str) -> str:
    """Ends like the path: code is known by its ending. `/code/` keeps it apart from issues."""
    return f"{repo.base}/code/{quote(path, errors='replace')}"


async def _read_file(repo: Repository, path: str, sha: str, data: bytes) -> Document | Skipped:
    uri, name = _build_uri(repo, path), PurePosixPath(path)
    ending = name.suffix if re.fullmatch(r"\.\w{1,10}", name.suffix, re.ASCII) else ""
    if data.startswith(_LFS_HEADER):
        return Skipped(uri=uri, reason=f"{path}: its content is kept in Git LFS")
    try:
        found = await read_bytes(data, ending)
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{path}: {error}")
    base = unquote(repo.base.removeprefix("github://"))
    return Document(
        uri=uri,
        url=f"{repo.url}/blob/{quote(repo.branch)}/{quote(path, errors='replace')}",
        text=found.text,
        connector=GitHub.name,
        title=(ending.lower() in _TITLED_SUFFIXES and found.title) or name.name,
        author=found.author,
        site="GitHub",
        published=found.published,
        version=sha,
        path=join_tree_path(*base.split("/", 1), *path.split("/")),
        aliases=found.aliases,
        superseded=found.superseded,
    )
