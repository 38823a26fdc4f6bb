"""Files and folders: what is found, what is passed over, what changed since the last time."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from connector_world import AsNobody

from connectors.indexed.files import Files
from connectors.protocol import SyncState
from library.library import Library
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import InputError
from schema.search import SearchOptions


async def changes(location: Path | str, known: Mapping[str, str] | None = None) -> list[Change]:
    files = Files()
    since = SyncState(
        location=str(location), root=await files.find_root(str(location)), versions=known or {}
    )
    return [change async for change in files.sync(since)]


def write(path: Path, text: str = "Turbines feed the grid.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def documents(found: list[Change]) -> list[Document]:
    return [change for change in found if isinstance(change, Document)]


def versions(found: list[Change]) -> dict[str, str]:
    return {document.uri: document.version for document in documents(found)}


@pytest.mark.parametrize(
    ("location", "sentence"),
    [
        ("nowhere", "There is no file or folder nowhere: check the path."),
        ("~nobody-of-this-name/a", "There is no file or folder ~nobody-of-this-name/a: check"),
        ("x" * 300, "There is no file or folder xxx"),
        ("pipe", "There is no file or folder pipe: check the path."),
        ("empty", "The folder empty holds no files: name one that does."),
        ("hidden", "The folder hidden holds no files: name one that does."),
    ],
    ids=["missing", "home", "long", "pipe", "empty", "hidden"],
)
async def test_a_place_without_files_is_named_in_a_sentence(
    tmp_path: Path, location: str, sentence: str
) -> None:
    (tmp_path / "empty").mkdir()
    for name in (".a.md", ".git/a.md", "node_modules/a.md", "deep/.venv/a.md"):
        write(tmp_path / "hidden" / name)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as caught:
        await changes(location)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("location", ["shut.md", "shut", "shut/a.md"])
async def test_a_place_that_may_not_be_read_is_named_in_a_sentence(
    public_folder: Path, as_nobody: AsNobody, location: str
) -> None:
    write(public_folder / "shut.md").chmod(0)
    write(public_folder / "shut/a.md").parent.chmod(0)
    path = public_folder / location
    with as_nobody(), pytest.raises(InputError, match="may not be read: check its permissions"):
        await Files().find_root(str(path))
    (public_folder / "shut").chmod(0o700)


async def test_folders_are_read_deeply_without_hidden_and_installed_files(tmp_path: Path) -> None:
    for name in ("b.md", "a/b/c.txt", ".x.md", ".git/a.md", "a/node_modules/a.md", "venv/a.md"):
        write(tmp_path / name)
    found = await changes(tmp_path)
    uris = [(tmp_path / name).as_uri() for name in ("a/b/c.txt", "b.md")]
    assert [change.uri for change in found] == uris
    assert [document.title for document in documents(found)] == ["c", "b"]
    assert all(d.url == d.uri and d.connector == "files" for d in documents(found))


async def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    path = write(tmp_path / "in/deep/a.md")
    (tmp_path / "in/deep/up").symlink_to(tmp_path / "in")
    (tmp_path / "in/self").symlink_to("self")
    found = await changes(tmp_path / "in")
    assert [document.uri for document in documents(found)] == [path.as_uri()]


async def test_a_broken_link_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to(tmp_path / "nowhere")
    write(tmp_path / "b.md")
    skipped, read = await changes(tmp_path)
    reason = "a.md: No such file or directory"
    assert skipped == Skipped(uri=(tmp_path / "a.md").as_uri(), reason=reason)
    assert isinstance(read, Document)


async def test_a_link_out_of_the_folder_is_named_and_not_read(tmp_path: Path) -> None:
    write(tmp_path / "secret.md")
    write(tmp_path / "in/b.md")
    (tmp_path / "in/a.md").symlink_to(tmp_path / "secret.md")
    skipped, _ = await changes(tmp_path / "in")
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "a.md: it is a link that leads out of the folder"


@pytest.mark.parametrize(
    "name",
    ["two words.md", "Größe 风.md", "100%25 %.md", "a#b?c;d.md", "new\nline.md", b"caf\xe9.md"],
)
async def test_a_name_survives_the_way_to_a_uri_and_back(tmp_path: Path, name: str | bytes) -> None:
    path = write(tmp_path / os.fsdecode(name))
    (by_folder,) = await changes(tmp_path)
    (by_name,) = await changes(path)
    assert isinstance(by_name, Document)
    assert by_name == by_folder
    assert by_name.uri == path.as_uri()
    assert by_name.title.encode()


async def test_a_reason_can_be_printed_whatever_the_name(tmp_path: Path) -> None:
    write(tmp_path / os.fsdecode(b"caf\xe9.md"), "")
    (skipped,) = await changes(tmp_path)
    assert skipped == Skipped(uri=skipped.uri, reason="caf�.md: it is empty")


async def test_a_file_has_one_uri_by_whatever_way_it_is_reached(tmp_path: Path) -> None:
    path = write(tmp_path / "in/deep/a.md")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    for location in (tmp_path / "in", path, "in/deep", "in/../in", tmp_path / "link"):
        assert [change.uri for change in await changes(location)] == [path.as_uri()]


async def test_an_unchanged_file_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.md")
    known = versions(await changes(tmp_path))
    opened: list[Path] = []
    monkeypatch.setattr(Path, "read_bytes", opened.append)
    assert await changes(tmp_path, known=known) == [Unchanged(uri=path.as_uri())]
    assert opened == []


async def test_files_that_are_read_side_by_side_come_in_order(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n:02}.html", f"<p>Turbine {n} feeds the grid.") for n in range(9)]
    assert [one.uri for one in await changes(tmp_path)] == [path.as_uri() for path in paths]


@pytest.mark.parametrize(
    ("text", "later"),
    [("Longer than before.", 0), ("Twelve more.", 1), ("Twelve more.", 0)],
    ids=["size", "time", "time set back"],
)
async def test_a_file_of_another_size_or_time_is_read_again(
    tmp_path: Path, text: str, later: int
) -> None:
    path = write(tmp_path / "a.md", "Twelve now..")
    before = path.stat()
    known = versions(await changes(tmp_path))
    write(path, text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + later))
    (changed,) = await changes(tmp_path, known=known)
    assert isinstance(changed, Document)
    assert changed.text == text
    assert changed.version != known[path.as_uri()]


async def test_a_folder_that_was_emptied_is_gone_with_all_it_held(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md")
    known = versions(await changes(tmp_path))
    path.unlink()
    assert await changes(tmp_path, known=known) == [Gone(uri=path.as_uri())]


async def test_a_deleted_file_is_gone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md")
    kept = write(tmp_path / "b.md")
    known = versions(await changes(tmp_path))
    path.unlink()
    assert await changes(tmp_path, known=known) == [
        Unchanged(uri=kept.as_uri()),
        Gone(uri=path.as_uri()),
    ]


@pytest.mark.parametrize("shut", ["in/a.md", "in"])
async def test_what_became_unreadable_is_skipped_and_its_old_version_stays(
    public_folder: Path, as_nobody: AsNobody, library: Library, shut: str
) -> None:
    path = write(public_folder / "in/a.md")
    for name in ("inner.md", "kept.md"):
        write(public_folder / name)
    await library.store(documents(await changes(public_folder)))
    known = await library.load_versions("files", [await Files().find_root(str(public_folder))])
    path.write_text("Turbines feed nobody now.")
    (public_folder / "inner.md").unlink()
    (public_folder / shut).chmod(0)
    with as_nobody():
        found = await changes(public_folder, known=known)
    (public_folder / shut).chmod(0o700)
    uri = (public_folder / shut).as_uri()
    reason = f"{Path(shut).name}: Permission denied"
    assert sorted(found, key=lambda change: change.uri) == [
        Skipped(uri=uri, reason=reason),
        Gone(uri=(public_folder / "inner.md").as_uri()),
        Unchanged(uri=(public_folder / "kept.md").as_uri()),
    ]
    await library.remove([change.uri for change in found if isinstance(change, Gone)])
    assert await library.load_text(path.as_uri()) == "Turbines feed the grid."
    assert (await library.search("turbines", SearchOptions(limit=3))).hits


async def test_empty_and_binary_files_and_pipes_are_skipped_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "")
    (tmp_path / "b.bin").write_bytes(bytes(range(256)) * 8)
    os.mkfifo(tmp_path / "c.txt")
    async with asyncio.timeout(10):
        found = await changes(tmp_path)
    assert [change.reason for change in found if isinstance(change, Skipped)] == [
        "a.md: it is empty",
        "b.bin: there is no reader for this format",
        "c.txt: it is no regular file",
    ]


async def test_the_library_knows_what_it_holds_below_a_root(
    tmp_path: Path, library: Library
) -> None:
    for name in ("100% in/a b.md", "100% in2/c.md"):
        write(tmp_path / name)
    await library.store(documents(await changes(tmp_path)))
    known = await library.load_versions(
        "files", [await Files().find_root(str(tmp_path / "100% in"))]
    )
    assert await changes(tmp_path / "100% in", known=known) == [
        Unchanged(uri=(tmp_path / "100% in/a b.md").as_uri())
    ]


async def test_pictures_without_text_are_told_of_in_one_line(tmp_path: Path) -> None:
    pixel = "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478"
    pixel += "9c6360f80f0000010101001815dd8d0000000049454e44ae426082"
    for number in range(4):
        (tmp_path / f"{number}.png").write_bytes(bytes.fromhex(pixel))
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4")
    write(tmp_path / "a.md")
    found = await changes(tmp_path)
    reasons = [change.reason for change in found if isinstance(change, Skipped)]
    assert len(reasons) == 2
    assert reasons[0].startswith("bad.pdf: ")
    assert reasons[1].startswith("0.png: ")
    assert reasons[1].endswith(" (3 more pictures)")
