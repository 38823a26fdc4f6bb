"""What is read of the files that websites publish, by what the server says of them."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import tiny_documents as tiny
import tiny_legacy as legacy
from fakes.sites.website import Held, WebServer, html, links, page
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from connectors.files.extract import read_bytes
from connectors.indexed.web.pages import (
    MAX_BYTES,
    MAX_LINKS,
    SUFFIX_BY_TYPE,
    filter_links,
    read_body,
)
from connectors.page_fetcher import FetchedDocument, fetch_page
from schema.errors import ConnectorError

FILES: dict[str, Callable[[], bytes]] = {
    ".html": tiny.html,
    ".txt": tiny.SENTENCE.encode,
    ".md": tiny.SENTENCE.encode,
    ".csv": f"what,where\n{tiny.SENTENCE},coast\n".encode,
    ".pdf": tiny.pdf,
    ".docx": tiny.docx,
    ".pptx": tiny.pptx,
    ".xlsx": tiny.xlsx,
    ".odt": tiny.odt,
    ".ods": tiny.ods,
    ".rtf": tiny.rtf,
    ".epub": tiny.epub,
    ".doc": legacy.doc,
    ".ppt": legacy.ppt,
    ".xls": legacy.xls,
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with WebServer() as running:
        yield running


async def found(server: WebServer, path: str, body: bytes, **headers: str) -> FetchedDocument:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    server.pages[path] = Response(body, headers=given)
    return await fetch_page(server.url + path, seconds=20)


async def refusal(server: WebServer, path: str, **headers: str) -> str:
    with pytest.raises(ConnectorError) as caught:
        await found(server, path, b"\0", **headers)
    return str(caught.value).removeprefix(server.url)


def test_there_is_a_file_of_every_kind() -> None:
    assert FILES.keys() == set(SUFFIX_BY_TYPE.values())


@pytest.mark.parametrize(("kind", "suffix"), SUFFIX_BY_TYPE.items())
async def test_a_file_is_read_by_its_type(server: WebServer, kind: str, suffix: str) -> None:
    reading = await found(server, "/file", FILES[suffix](), Content_Type=kind)
    assert tiny.SENTENCE in reading.document.text


@pytest.mark.parametrize("suffix", FILES)
@pytest.mark.parametrize("kind", ["application/octet-stream", "application/zip", ""])
async def test_a_file_of_a_vague_type_is_read_by_the_end_of_its_address(
    server: WebServer, kind: str, suffix: str
) -> None:
    path = f"/our{suffix.upper()}?version=2"
    headers = {"Content_Type": kind} if kind else {}
    assert tiny.SENTENCE in (await found(server, path, FILES[suffix](), **headers)).document.text


@pytest.mark.parametrize(
    "name", ['attachment; filename="our wind.docx"', "inline; filename*=UTF-8''wind%20%C3%A9.docx"]
)
@pytest.mark.parametrize("kind", ["application/octet-stream", "application/msword"])
async def test_a_file_of_a_vague_type_is_read_by_the_name_that_comes_with_it(
    server: WebServer, kind: str, name: str
) -> None:
    headers = {"Content_Type": kind, "Content_Disposition": name}
    reading = await found(server, "/download.php", tiny.docx(), **headers)
    assert tiny.SENTENCE in reading.document.text
    assert reading.document.title == tiny.TITLE


async def test_a_type_that_says_something_counts_more_than_a_name(server: WebServer) -> None:
    body = html("<p>The docx viewer shows a page about turbines and the wind.</p>").encode()
    reading = await found(server, "/show/a.docx", body, Content_Type="text/html")
    assert "docx viewer" in reading.document.text
    told = await refusal(server, "/a.docx", Content_Type="image/png")
    assert told == "/a.docx is no page: it is of type image/png"


@pytest.mark.parametrize("name", ["/setup.exe", "/all.zip", "/docx", "/a.odp"])
async def test_what_no_name_tells_is_not_read(server: WebServer, name: str) -> None:
    told = await refusal(server, name, Content_Type="application/octet-stream")
    assert told == f"{name} is no page: it is of type application/octet-stream"


@given(st.binary(max_size=60))
async def test_a_name_that_is_none_does_no_harm(name: bytes) -> None:
    kind = (b"Content-Type", b"application/octet-stream")
    request = httpx.Request("GET", "https://x.test/a")
    answer = httpx.Response(200, headers=[kind, (b"Content-Disposition", name)], request=request)
    with pytest.raises(ConnectorError, match="is no page"):
        await read_body(answer)


async def test_a_charset_of_what_is_no_text_changes_nothing(server: WebServer) -> None:
    kind = "application/epub+zip; charset=ISO-8859-1"
    assert (
        tiny.SENTENCE in (await found(server, "/a", tiny.epub(), Content_Type=kind)).document.text
    )


async def test_a_charset_that_is_wrong_leaves_the_page_s_own(server: WebServer) -> None:
    body = html("<p>Die Größe der Mühle überrascht die Gäste sehr.</p>")
    raw = body.replace('charset="utf-8"', 'charset="iso-8859-1"').encode("latin-1")
    reading = await found(server, "/a", raw, Content_Type="text/html; charset=utf-8")
    assert "Die Größe der Mühle überrascht" in reading.document.text


async def test_a_crawl_brings_office_files(server: WebServer) -> None:
    server.pages["/docs/"] = page(links("/docs/report.docx", "/docs/old.xls"))
    server.pages["/docs/report.docx"] = Response(tiny.docx(), media_type="application/octet-stream")
    server.pages["/docs/old.xls"] = Response(legacy.xls(), media_type="application/vnd.ms-excel")
    held = Held(server, "/docs/")
    await held.sync()
    assert tiny.SENTENCE in held.texts["/docs/report.docx"]
    assert held.documents["/docs/report.docx"].author == tiny.AUTHOR
    assert "42" in held.texts["/docs/old.xls"]


@pytest.mark.slow
async def test_a_text_far_larger_than_its_file_is_left(server: WebServer) -> None:
    body = tiny.ods(1_000)
    assert len((await read_bytes(body, ".ods")).text) > MAX_BYTES
    with pytest.raises(ConnectorError, match=r"/a.ods: its text is larger than 10 MB$"):
        await found(server, "/a.ods", body, Content_Type="application/octet-stream")


def test_links_keep_the_page_s_order_and_the_first_words() -> None:
    told: list[tuple[str, Any]] = [
        ("b", "Two  words"), ("/a#part", ""), ("a.png", "No"), ("mailto:x@y.z", "No"),
        ("/a", "Later"), ("https://c.test/", "C"), ("b", "Again"), ("", "No"), ("http://[", "No"),
    ]  # fmt: skip
    assert list(filter_links(told, "https://x.test/here/").items()) == [
        ("https://x.test/here/b", "Two words"),
        ("https://x.test/a", "Later"),
        ("https://c.test/", "C"),
    ]


def test_links_without_end_are_not_looked_at() -> None:
    looked_at: list[int] = []

    def many() -> Iterator[tuple[str, str]]:
        for number in range(3 * MAX_LINKS):
            looked_at.append(number)
            yield "/same", "words"

    assert filter_links(many(), "https://x.test/") == {"https://x.test/same": "words"}
    assert len(looked_at) == MAX_LINKS
