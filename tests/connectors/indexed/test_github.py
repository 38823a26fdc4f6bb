"""GitHub's repositories: what every connector must do, twice, and what is special to it."""

import json
import logging
import random
import tarfile
import tracemalloc
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conformance import SyncConformance, items, list_changes
from fakes.provider import KEY, OLD, Item
from fakes.sites.github import (
    GitHubServer,
    IssuesServer,
    bytes_of,
    comment,
    issue,
    packed,
    path_of,
    sha_of,
    tree_sha,
)

from connectors.http import client as http
from connectors.indexed.github import archive as github_archive
from connectors.indexed.github import tree
from connectors.registry import make_syncing_connector
from library.library import Library
from retrieval.code.symbols import detect_code_language
from schema.documents import Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

BASE = "github://Acme/Turbines"
MANY = {f"src/part_{n}.py": ("100644", f"part = {n}\n".encode()) for n in range(50)}


class TestGitHubFiles(SyncConformance[GitHubServer]):
    name = "github"
    key = "GITHUB_TOKEN"
    location = "acme/turbines"
    provider = GitHubServer

    def expected(self, item: Item) -> dict[str, Any]:
        path = f"docs/{item.number % 7}/turbine%20{item.number}.md"
        return {
            "uri": f"github://Acme/Turbines/code/{path}",
            "url": f"https://github.com/Acme/Turbines/blob/main/{path}",
            "title": item.title,
            "author": "",
            "published": "",  # a file's own date would cost a request each
            "path": f"Acme/Turbines/{path_of(item)}",
            "version": sha_of(bytes_of(item)),
        }


class TestGitHubIssues(SyncConformance[GitHubServer]):
    """The repository has no file: its commits are answered with 409.

    An issue that was deleted is missing from the list of all, which only `--full` asks for.
    """

    name = "github"
    key = "GITHUB_TOKEN"
    location = "acme/turbines"
    full_for_deletions = True
    batch: ClassVar[int] = 2_000
    provider = IssuesServer

    def expected(self, item: Item) -> dict[str, Any]:
        return {
            "uri": f"github://Acme/Turbines/issues/{item.number}",
            "url": f"https://github.com/Acme/Turbines/issues/{item.number}",
            "title": f"#{item.number} {item.title}",
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Acme/Turbines/issues/{item.number} {item.title}",
            "version": item.iso,
            "aliases": (f"Acme/Turbines#{item.number}",),
        }

    async def test_a_change_is_seen_without_full(self, library: Library) -> None:
        with self.serving(items(5)) as provider:
            await self.sync(library)
            provider.put(Item(2, "Wind turbine 2", "Rebuilt.", when=OLD + timedelta(days=90)))
            provider.remove(3)
            told = await self.sync(library)
            texts = await self.held(library)
        assert (told["changed"], told["removed"]) == (1, 0)
        assert "Rebuilt." in str(texts["github://Acme/Turbines/issues/2"])


CUT = packed([("src/part_1.py", random.Random(1).randbytes(90_000))])[:50_000]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHubServer]:
    """A repository that is filled by the test."""
    with GitHubServer([]) as server:
        monkeypatch.setenv("QUIRE_GITHUB_BASE_URL", server.url)
        monkeypatch.setenv("GITHUB_TOKEN", KEY)
        yield server


async def synced(
    location: str = "acme/turbines", versions: dict[str, str] | None = None, cursor: str = ""
) -> list[Any]:
    """All that a sync yields."""
    root = await make_syncing_connector("github").find_root(location)
    found = await list_changes("github", location, versions, cursor)
    assert all(c.uri.startswith(f"{root}/") for c in found if not isinstance(c, Checkpoint))
    return found


def documents(changes: list[Any]) -> dict[str, Document]:
    """Documents by what stands behind the base in their uris."""
    return {c.uri.removeprefix(f"{BASE}/"): c for c in changes if isinstance(c, Document)}


def versions(changes: list[Any]) -> dict[str, str]:
    return {c.uri: c.version for c in changes if isinstance(c, Document)}


def cursor(changes: list[Any]) -> str:
    return str([c.cursor for c in changes if isinstance(c, Checkpoint)][-1])


def reasons(changes: list[Any]) -> list[str]:
    return [change.reason for change in changes if isinstance(change, Skipped)]


def file(text: str | bytes) -> tuple[str, bytes]:
    return "100644", text if isinstance(text, bytes) else text.encode()


# places


async def test_a_place_is_a_repository_a_branch_or_a_part(server: GitHubServer) -> None:
    server.branches = ["main", "wind/sun#1"]
    for location, root in {
        "ACME/turbines": BASE,
        "acme/turbines/code": f"{BASE}/code",
        "acme/turbines/issues": f"{BASE}/issues",
        "acme/turbines/pull": f"{BASE}/pull",
        "acme/turbines@main": f"{BASE}@main/code",
        "acme/turbines@wind/sun#1": f"{BASE}@wind%2Fsun%231/code",
    }.items():
        assert await make_syncing_connector("github").find_root(location) == root


async def test_a_wrong_place_is_answered_with_what_to_write(server: GitHubServer) -> None:
    server.branches = ["main", "dev"]
    for location, message in {
        "turbines": r"^'turbines' is no repository: write owner/repo, owner/repo@branch, or .*\.$",
        "acme/..": "is no repository",
        "acme/turbines/wiki": "is no repository",
        "https://github.com/acme/turbines": "is no repository",
        "acme/x": r"^GitHub has no repository acme/x, or GITHUB_TOKEN may not read it\.$",
        "acme/windmills": "acme/windmills has moved: open https://github.com/acme/windmills and",
        "acme/turbines@x": r"^Acme/Turbines has no branch 'x': use one of main, dev\.$",
    }.items():
        with pytest.raises(InputError, match=message):
            await make_syncing_connector("github").find_root(location)


async def test_parts_and_branches_bring_what_belongs_to_them(server: GitHubServer) -> None:
    server.branches = ["main", "wind/sun"]
    server.files = {"issues/1": file("No issue."), "src/main.py": file("def turn(): ...\n")}
    server.issues = [
        issue(Item(1, "Broken", "It stands still.")),
        issue(Item(2, "Mended", "It turns."), pull_request={"merged_at": "2024-05-03T08:00:00Z"}),
    ]
    code, found = {"code/issues/1", "code/src/main.py"}, {}
    for location in ("", "/code", "/issues", "/pull", "@wind/sun"):
        found[location] = documents(await synced(f"acme/turbines{location}"))
    assert found[""].keys() == {*code, "issues/1", "pull/2"}
    assert found["/code"].keys() == code
    assert found["/issues"].keys() == {"issues/1"}
    assert found["/pull"].keys() == {"pull/2"}
    (main,) = [one for one in found["@wind/sun"].values() if one.title == "main.py"]
    assert main.uri == f"{BASE}@wind%2Fsun/code/src/main.py"
    assert main.url == "https://github.com/Acme/Turbines/blob/wind/sun/src/main.py"
    assert main.path == "Acme/Turbines@wind∕sun/src/main.py"


# files


async def test_code_is_known_by_its_uri_and_called_by_its_name(server: GitHubServer) -> None:
    text = "# A comment is no title.\ndef turn() -> None: ...\n"
    names = ["src/turn.py", "a b/what? #1.go", "Makefile", "README.md", "up/50%.rs", "Grüße.txt"]
    server.files = {name: file(text) for name in names}
    found = {one.path.split("/", 2)[2]: one for one in documents(await synced()).values()}
    assert {name: detect_code_language(found[name].uri) for name in names} == {
        "src/turn.py": "python",
        "a b/what? #1.go": "go",
        "Makefile": "",
        "README.md": "",
        "up/50%.rs": "rust",
        "Grüße.txt": "",
    }
    titles = {name: one.title for name, one in found.items()}
    assert titles.pop("README.md") == "A comment is no title."
    assert titles == {name: name.rpartition("/")[2] for name in titles}
    page = "https://github.com/Acme/Turbines/blob/main/a%20b/what%3F%20%231.go"
    assert found["a b/what? #1.go"].url == page
    assert found["src/turn.py"].text == text


async def test_only_what_people_wrote_here_is_read(server: GitHubServer) -> None:
    server.files = {
        "src/kept.py": file("x = 1\n"),
        "docs/page.html": file("<html><body><main><h1>Wind</h1><p>It blows.</p></main></body>"),
        "distant/vendors.md": file("Not a folder of others."),
        "link.md": ("120000", b"src/kept.py"),
        "module": ("160000", b""),
        **{
            path: file("hidden\n")
            for path in (
                *(".gitignore", ".github/workflows/ci.yml", "node_modules/x/index.js"),
                *("web/vendor/x.go", "dist/app.js", "package-lock.json", "uv.lock", "go.sum"),
                *("app.min.js", "logo.PNG", "paper.zip", "web/.cache/x.md"),
            )
        },
        "large.txt": file("x" * (2**20 + 1)),
        "bytes": file(b"\0\1\2" * 99),
        "video.md": file("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n"),
        "blank.md": file(" \n"),
    }
    found = await synced()
    kept = {"code/src/kept.py", "code/docs/page.html", "code/distant/vendors.md"}
    assert documents(found).keys() == kept
    assert "<" not in documents(found)["code/docs/page.html"].text
    assert sorted(reasons(found)) == [
        "blank.md: it holds no text",
        "bytes: there is no reader for this format",
        "large.txt: it is larger than 1 MB",
        "video.md: its content is kept in Git LFS",
    ]
    assert sum("/git/blobs/" in call for call in server.calls) == 6


async def test_few_files_are_read_one_by_one_and_many_from_the_archive(
    server: GitHubServer,
) -> None:
    server.files = dict(list(MANY.items())[:40])
    await synced()
    assert sum("/git/blobs/" in call for call in server.calls) == 40
    server.calls.clear()
    server.files = dict(list(MANY.items())[:41])
    assert len(documents(await synced())) == 41
    assert not any("/git/blobs/" in call for call in server.calls)
    assert sum("/tarball/" in call for call in server.calls) == 1


async def test_a_hostile_archive_brings_what_was_asked_for_and_nothing_else(
    server: GitHubServer, tmp_path: Path
) -> None:
    """Names that lead out, links, devices, other contents; what it lacks comes one by one."""
    server.files = MANY
    trap = tmp_path / "trap"
    hostile = []
    for name in (f"top/../../../../{trap}", str(trap), "/etc/quire-trap", "top/src/part_1.py"):
        for kind in (tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            hostile.append(info)
    members = [(path, data) for path, (_, data) in MANY.items()]
    members[2] = (members[2][0], b"something else")
    server.archive = packed([*members[2:], members[5]], hostile)
    found = documents(await synced())
    assert len(found) == 50
    assert all(f"part = {n}\n" == found[f"code/src/part_{n}.py"].text for n in range(50))
    assert sum("/git/blobs/" in call for call in server.calls) == 3
    assert not trap.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
async def test_a_file_that_the_archive_blows_up_is_not_held_in_memory(
    server: GitHubServer,
) -> None:
    server.files = MANY
    server.archive = packed([("src/part_1.py", bytes(2**25))])
    tracemalloc.start()
    try:
        assert len(documents(await synced())) == 50
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("archive", [b"", b"no archive", CUT])
async def test_a_broken_archive_is_a_failure(server: GitHubServer, archive: bytes) -> None:
    server.files, server.archive = MANY, archive
    with pytest.raises(ConnectorError, match=r"^GitHub's answer could not be read$"):
        await synced()


async def test_the_download_of_an_archive_is_tried_again(
    server: GitHubServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Its address is not logged: for a private repository it lets everybody in."""
    caplog.set_level(logging.INFO)
    server.files = MANY
    server.download = ["cut", 503]
    assert len(documents(await synced())) == 50
    assert sum("/codeload/" in call for call in server.calls) == 3
    assert "/tarball/" in caplog.text
    assert "short-lived" not in caplog.text


@pytest.mark.slow
async def test_a_download_that_hangs_is_given_up(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files, server.download = MANY, [4.0] * 9
    monkeypatch.setattr(http, "SECONDS", 0.2)
    with pytest.raises(ConnectorError) as caught:
        await synced()
    assert caught.value.code == "connector_timeout"


@pytest.mark.parametrize("limit", ["LARGEST_ARCHIVE", "LARGEST_UNPACKED"])
async def test_an_archive_that_is_too_large_is_refused(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    server.files = MANY
    monkeypatch.setattr(github_archive, limit, 300)
    with pytest.raises(ConnectorError, match="too large"):
        await synced()


async def test_a_listing_that_is_cut_is_taken_folder_by_folder(server: GitHubServer) -> None:
    server.files = {
        **MANY,
        "a/b/c/deep.md": file("Deep."),
        "top.md": file("Top."),
        "node_modules/x/y.js": file("hidden"),
    }
    server.limit = 30
    found = documents(await synced())
    assert found.keys() == {f"code/{path}" for path in server.files if "node" not in path}
    asked = [call for call in server.calls if tree_sha("node_modules/") in call]
    assert asked == []


async def test_a_folder_that_is_listed_in_part_is_a_failure(server: GitHubServer) -> None:
    server.files, server.limit, server.cut_folders = MANY, 30, True
    with pytest.raises(ConnectorError, match="only in part"):
        await synced(versions={f"{BASE}/code/old.md": "1"})


async def test_a_repository_that_claims_too_much_is_refused(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files = MANY
    monkeypatch.setattr(tree, "MAX_FILES", 40)
    with pytest.raises(ConnectorError, match="more than 40 files"):
        await synced()


async def test_the_same_commit_is_not_listed_again(server: GitHubServer) -> None:
    server.files = MANY
    first = await synced()
    server.calls.clear()
    second = await synced(versions=versions(first), cursor=cursor(first))
    assert second == [Unchanged(uri=uri) for uri in versions(first)]
    assert not any("/git/" in call or "/tarball/" in call for call in server.calls)
    server.files = {**MANY, "new.md": file("New.")}
    del server.files["src/part_7.py"]
    third = await synced(versions=versions(first), cursor=cursor(first))
    assert documents(third).keys() == {"code/new.md"}
    assert Gone(uri=f"{BASE}/code/src/part_7.py") in third


async def test_a_repository_that_is_out_of_order_loses_nothing(server: GitHubServer) -> None:
    """409 stands for an empty repository, and for one that is not there for a while."""
    held = f"{BASE}/code/a.md"
    assert await synced(versions={held: "1"}) == [Unchanged(uri=held)]


async def test_a_blob_that_is_missing_is_skipped_and_one_that_is_refused_is_a_failure(
    server: GitHubServer,
) -> None:
    server.files = {"a.md": file("First."), "b.md": file("Second.")}
    server.missing = {sha_of(b"First."): 404}
    found = await synced()
    assert documents(found).keys() == {"code/b.md"}
    assert reasons(found) == ["a.md: GitHub has it no more"]
    server.missing = {sha_of(b"First."): 403}
    with pytest.raises(ConnectorError):
        await synced()


async def test_a_blob_of_another_content_is_a_failure(server: GitHubServer) -> None:
    server.files = {"a.md": file("First.")}
    server.changed = b"Something else."
    with pytest.raises(ConnectorError, match="could not be read"):
        await synced()


# issues


async def test_an_issue_tells_its_state_and_its_comments(server: GitHubServer) -> None:
    item = Item(7, "Wind/Sun?", "Which one?")
    server.issues = [
        issue(item, comments=250),
        issue(
            Item(8, "Both", "It takes both."), pull_request={"merged_at": "2024-05-03T08:00:00Z"}
        ),
        issue(Item(9, "Neither", ""), pull_request={"merged_at": None}, state="closed", labels=[]),
    ]
    server.comments = {7: [comment("grace", f"Vote {n}.") for n in range(249)]}
    server.comments[7] += [comment(None, "Gone from here.")]
    found = documents(await synced())
    text = found["issues/7"].text
    assert text.startswith("State: open; labels: wind, power\n\nWhich one?\n\ngrace, 2024-05-02: ")
    assert all(f"grace, 2024-05-02: Vote {n}." in text for n in range(249))
    assert text.endswith("\n\nSomebody, 2024-05-02: Gone from here.")
    assert found["issues/7"].path == "Acme/Turbines/issues/7 Wind∕Sun?"
    assert found["pull/8"].text.startswith("State: merged; labels: wind, power\n")
    assert found["pull/9"].text == "State: closed"
    assert sum("/comments" in call for call in server.calls) == 3


async def test_malformed_issues_are_passed_over(server: GitHubServer) -> None:
    good = issue(Item(1, "Good", "It is whole."))
    bare = {"number": 2, "updated_at": "2024-05-02T08:00:00Z"}
    odd = dict.fromkeys(good, 7) | {"number": 3, "updated_at": "2024-05-02T08:00:00Z"}
    odd |= {"comments": 0, "pull_request": "x", "html_url": "javascript:alert(1)"}
    other = [{**good, "number": "4"}, {**good, "updated_at": None}, {}]
    server.issues = [good, bare, odd, {**good, "number": 5, "user": None, "labels": [None, {}]}]
    server.junk = [None, 7, "x", *other]
    found = documents(await synced())
    assert found.keys() == {"issues/1", "issues/2", "pull/3", "issues/5"}
    assert (found["issues/2"].title, found["issues/2"].text) == ("#2", "State: unknown")
    assert found["pull/3"].url == ""
    assert found["issues/5"].author == ""
    assert found["issues/5"].text.startswith("State: open\n")


async def test_issues_go_on_from_the_last_change(server: GitHubServer) -> None:
    held = items(250)
    server.issues = [issue(item) for item in held]
    first = await synced()
    kept = [json.loads(c.cursor)["since"] for c in first if isinstance(c, Checkpoint)]
    assert kept == [held[99].iso, held[199].iso, held[249].iso]
    server.calls.clear()
    again = await synced(versions=versions(first), cursor=cursor(first))
    assert [type(change) for change in again] == [Unchanged, Checkpoint]
    assert sum("/issues?" in call for call in server.calls) == 1
    assert not any("/comments" in call for call in server.calls)


async def test_an_issue_that_goes_while_it_is_read_is_gone(server: GitHubServer) -> None:
    server.issues = [issue(item) for item in items(3)]
    server.deleted = {1}
    found = await synced()
    assert documents(found).keys() == {"issues/2", "issues/3"}
    assert Gone(uri=f"{BASE}/issues/1") in found


async def test_a_cursor_that_cannot_be_read_begins_anew(server: GitHubServer) -> None:
    server.issues = [issue(item) for item in items(2)]
    for broken in ("{", "[]", "7", '{"since": ""}'):
        assert len(documents(await synced(cursor=broken))) == 2


# the token


async def test_without_a_token_public_repositories_are_read(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    server.anonymous = True
    server.files = {"a.md": file("Public.")}
    assert documents(await synced()).keys() == {"code/a.md"}


@pytest.mark.parametrize("token", [True, False])
async def test_at_the_limit_a_token_is_advised_to_who_has_none(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch, token: bool
) -> None:
    """The limit ends in 50 minutes: nobody waits that long."""
    if not token:
        monkeypatch.delenv("GITHUB_TOKEN")
        server.anonymous = True
    server.files = {"a.md": file("Public.")}
    server.always, server.good, server.retry_after = 403, 3, "reset"
    with pytest.raises(
        ConnectorError, match=r"^GitHub's rate limit was hit \(it asks to wait \d\d min\)"
    ) as caught:
        await synced()
    assert (caught.value.code, caught.value.retryable) == ("connector_limit", True)
    assert (caught.value.wait or 0) > 2900
    advice = "set GITHUB_TOKEN, which brings 5,000 requests an hour instead of 60"
    assert (advice in str(caught.value)) is not token
    assert len(server.calls) == 4
