"""The library: files are uploaded, sources read, seen and removed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fakes.server import Served
from visitors import Visitor, faults, said

from connectors.served import get_upload_folder
from library.library import open_library
from schema.access import LOCAL_USER
from serving.jobs import find_job_member, open_jobs
from serving.uploads import MAX_NAME, clean_file_name
from web.app import build_app


async def upload(visitor: Visitor, space: str, **files: bytes) -> Any:
    sent = [("files", (name, text)) for name, text in files.items()]
    return await visitor.post("/library/upload", {"space": space}, files=sent)


def is_read(page: Any) -> bool:
    return not page.cssselect("[data-events]") and bool(page.cssselect(".list li"))


@pytest.mark.slow
async def test_uploaded_files_are_read_shown_and_removed(enter: Any, space: str) -> None:
    visitor, path = enter(), f"/library?space={space}"
    answer = await upload(
        visitor, space, **{"otters.md": b"# Otters\n\nThey float.", "b.md": b"B."}
    )
    assert answer.status_code == 303
    page = await visitor.wait_for(path, is_read)
    assert "2 documents" in said(page)
    assert [said(one) for one in page.cssselect(".list h3")] == ["Uploaded files"]
    await visitor.post("/library/remove-file", {"space": space, "file": "b.md"})
    page = await visitor.wait_for(path, lambda page: is_read(page) and "1 document " in said(page))
    source = page.cssselect("form[action='/library/remove'] input[name=source]")[0].get("value")
    await visitor.post("/library/remove", {"space": space, "source": source})
    assert "0 documents" in said(await visitor.read(path))
    assert not get_upload_folder(LOCAL_USER, space).exists()


async def test_uploads_stay_in_their_folder_whatever_they_are_called(
    enter: Any, space: str
) -> None:
    names = [
        "../../evil.md",
        "/etc/passwd.md",
        "..\\up.md",
        ".env",
        "<script>alert(1).md",
        "..",
        "a/",
    ]
    visitor = enter()
    answer = await upload(visitor, space, **dict.fromkeys(names, b"# Text\n\nWords."))
    assert answer.status_code == 303
    page = await visitor.wait_for(f"/library?space={space}", is_read)
    folder = get_upload_folder(LOCAL_USER, space)
    held = sorted(one.name for one in folder.iterdir())
    assert held == sorted({clean_file_name(name) for name in names})
    assert not any(one.startswith(".") for one in held)
    assert not page.cssselect("main script")


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("notes.md", "notes.md"),
        ("C:\\Users\\me\\Ünïcode 海獭.pdf", "Ünïcode 海獭.pdf"),
        ("../../x/../y.txt", "y.txt"),
        ("...", "file"),
        ("", "file"),
        (".htaccess", "htaccess"),
        ("a\x00b\n.md", "a_b_.md"),
        ("gpj\u202e.exe", "gpj.exe"),
        ("x" * 300 + ".html", "x" * (MAX_NAME - 5) + ".html"),
    ],
)
def test_file_names_are_plain(name: str, cleaned: str) -> None:
    assert clean_file_name(name) == cleaned
    assert Path(cleaned).name == cleaned


async def test_too_much_or_nothing_is_refused(enter: Any, space: str) -> None:
    visitor = enter()
    answer = await upload(visitor, space, **{"empty.md": b""})
    assert answer.status_code == 422
    assert "The file empty.md is empty" in answer.text
    answer = await visitor.post("/library/upload", {"space": space}, files={"x": b"y"})
    assert answer.status_code == 422


async def test_a_body_that_is_too_long_is_refused_before_it_is_sent(served: Served) -> None:
    host, port = served.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /library/upload HTTP/1.1\r\nhost: {host}:{port}\r\nauthorization: Bearer x\r\n"
    writer.write(f"{head}content-length: {2**30}\r\n\r\n".encode())
    async with asyncio.timeout(20):
        assert b" 413 " in await reader.readline()
    writer.close()


async def test_a_source_that_fails_says_why_until_it_is_read(
    enter: Any, space: str, tmp_path: Path
) -> None:
    visitor, path = enter(), f"/library?space={space}"
    given = {"space": space, "connector": "files"}
    answer = await visitor.post("/library/add", given | {"location": str(tmp_path / "none")})
    assert answer.status_code == 422
    assert "There is no file or folder" in answer.text
    (tmp_path / "<b>.md").write_text("# <img src=x onerror=alert(1)>\n\nWords.")
    added = await visitor.post("/library/add", given | {"location": str(tmp_path)})
    assert added.status_code == 303
    page = await visitor.wait_for(path, is_read)
    assert "1 added" in said(page)
    (tmp_path / "<b>.md").unlink()
    tmp_path.rmdir()
    source = page.cssselect("input[name=source]")[0].get("value")
    await visitor.post("/library/sync", {"space": space, "source": source})
    page = await visitor.wait_for(path, faults)
    assert "There is no file or folder" in faults(page)[0]


async def test_only_sources_that_are_there_are_synced_and_spaces_named_well(
    enter: Any, space: str
) -> None:
    visitor = enter()
    for action in ("sync", "remove"):
        answer = await visitor.post(f"/library/{action}", {"space": space, "source": "files:/etc"})
        assert answer.status_code == 404
    for name in ("a b", "x~memory", "@law", "../..", "x" * 101, "\x00"):
        assert (await visitor.get("/library", params={"space": name})).status_code in (403, 422)


@pytest.mark.slow
async def test_a_sync_is_seen_and_stopped_on_the_page(
    enter: Any, space: str, tmp_path: Path
) -> None:
    for number in range(5_000):
        (tmp_path / f"{number}.md").write_text(f"# Page {number}\n\n" + "Words of it. " * 200)
    visitor, path = enter(), f"/library?space={space}"
    given = {"space": space, "connector": "files", "location": str(tmp_path)}
    await visitor.post("/library/add", given)
    page = await visitor.wait_for(path, lambda page: "documents seen" in said(page))
    job = page.cssselect("form[action='/library/stop'] input[name=job]")[0].get("value")
    async with visitor.client.stream("GET", f"/library/events?space={space}") as events:
        lines = events.aiter_lines()
        assert "documents seen" in await _find_line(lines, "data: ")
        stopped = await visitor.post("/library/stop", {"space": space, "job": job})
        assert stopped.status_code == 303
        async with asyncio.timeout(30):
            await _find_line(lines, "event: end")
    page = await visitor.read(path)
    assert not page.cssselect("[data-events]")
    assert faults(page) == []
    assert 0 < await _count(space) < 5_000


async def _find_line(lines: Any, start: str) -> str:
    async for line in lines:
        if line.startswith(start):
            return str(line)
    raise AssertionError(f"no line begins with {start}")


async def _count(space: str) -> int:
    documents, _ = await (await open_library(space)).count()
    return documents


async def test_what_of_an_upload_cannot_be_read_is_said_until_it_is_dismissed(
    enter: Any, space: str
) -> None:
    visitor, path = enter(), f"/library?space={space}"
    await upload(visitor, space, **{"good.md": b"# Otters\n\nThey float.", "bad.pdf": b"%PDF-1."})
    page = await visitor.wait_for(path, lambda page: is_read(page) and faults(page))
    [told] = faults(page)
    assert told.startswith("Uploaded files: Not read: ")
    assert "bad.pdf" in told
    assert "1 document " in said(page)
    await visitor.post("/library/dismiss", {"space": space})
    assert faults(await visitor.read(path)) == []


async def test_without_a_worker_a_sync_waits_and_says_so(
    own_database: str, space: str, tmp_path: Path
) -> None:
    (tmp_path / "otters.md").write_text("# Otters\n\nThey float.")
    with Served(build_app(), lives=True) as server:
        visitor, path = Visitor(server.url), f"/library?space={space}"
        given = {"space": space, "connector": "files", "location": str(tmp_path)}
        assert (await visitor.post("/library/add", given)).status_code == 303
        assert "waiting for a worker" in said(await visitor.read(path))
    with Served(build_app(), lives=True) as again:  # what waits outlives the server
        visitor = Visitor(again.url)
        assert "waiting for a worker" in said(await visitor.read(path))
        async with open_jobs() as jobs:
            await jobs.work(find_job_member, wait=False)
        assert "1 added" in said(await visitor.wait_for(path, is_read))
        await visitor.client.aclose()


async def test_a_source_that_is_removed_is_not_read_again(
    own_database: str, space: str, tmp_path: Path
) -> None:
    (tmp_path / "otters.md").write_text("# Otters\n\nThey float.")
    with Served(build_app(), lives=True) as server:
        visitor = Visitor(server.url)
        given = {"space": space, "connector": "files", "location": str(tmp_path)}
        await visitor.post("/library/add", given)
        await visitor.post("/library/remove", {"space": space, "source": f"files:{tmp_path}"})
        await visitor.client.aclose()
    async with open_jobs() as jobs:
        await jobs.work(find_job_member, wait=False)
    assert await (await open_library(space)).list_sources() == []
