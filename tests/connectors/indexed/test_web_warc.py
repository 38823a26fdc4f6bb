"""Answers of websites in WARC files: what is written is read again, here and by other programs."""

import gzip
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from connectors.indexed.web.pages import MAX_BYTES
from connectors.indexed.web.site import SiteResponse
from connectors.indexed.web.warc import WarcWriter, read_warc
from schema.errors import InputError

PAGE = "<html><body><p>Otters eat 25 % of their weight – each day.</p></body></html>".encode()


def answer(url: str, body: bytes = PAGE, **headers: str) -> SiteResponse[bytes]:
    """What a website says."""
    named = {one.replace("_", "-"): value for one, value in headers.items()}
    return SiteResponse(url, httpx.Headers(named), body)


def write(file: Path, *told: tuple[str, SiteResponse[bytes]]) -> Path:
    """A file of these answers, by the addresses asked for."""
    with WarcWriter(file, "two pages") as warc:
        for asked, one in told:
            warc.add(asked, one)
    return file


def write_as_others_do(file: Path, url: str, body: bytes, headers: list[tuple[str, str]]) -> Path:
    """A file of another program, which keeps answers as they came over the wire."""
    with file.open("wb") as opened:
        writer = WARCWriter(opened, gzip=True)
        head = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=head)
        )
    return file


def test_an_answer_is_read_as_it_was_written(tmp_path: Path) -> None:
    told = answer("https://otters.example/1", content_type="text/html; charset=utf-8")
    file = write(tmp_path / "p.warc.gz", ("https://otters.example/1", told))
    found = read_warc(file, ["https://otters.example/1", "https://otters.example/2"])
    assert {*found} == {"https://otters.example/1"}
    [read] = found.values()
    assert (read.url, read.body) == (told.url, PAGE)
    assert read.headers["content-type"] == "text/html; charset=utf-8"


def test_what_a_redirect_led_to_is_found_by_the_address_asked_for(tmp_path: Path) -> None:
    told = answer("https://otters.example/new", content_type="text/html")
    file = write(tmp_path / "p.warc.gz", ("http://otters.example/old", told))
    [(asked, read)] = read_warc(file, ["http://otters.example/old"]).items()
    assert (asked, read.url) == ("http://otters.example/old", "https://otters.example/new")


def test_other_programs_read_the_file_and_find_no_cookie_in_it(tmp_path: Path) -> None:
    told = answer(
        "https://otters.example/1",
        content_type="text/html",
        content_encoding="br",
        set_cookie="session=secret",
    )
    file = write(tmp_path / "p.warc.gz", ("https://otters.example/1", told))
    with file.open("rb") as opened:
        records = [
            (one.rec_type, one.http_headers, one.content_stream().read())
            for one in ArchiveIterator(opened, check_digests="raise")
        ]
    assert [kind for kind, *_ in records] == ["warcinfo", "response"]
    _, headers, body = records[1]
    assert body == PAGE
    assert headers.get_header("content-length") == str(len(PAGE))
    assert b"secret" not in gzip.decompress(file.read_bytes())


def test_a_packed_answer_of_another_program_is_unpacked(tmp_path: Path) -> None:
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
    file = write_as_others_do(
        tmp_path / "p.warc.gz", "https://otters.example/1", gzip.compress(PAGE), headers
    )
    [read] = read_warc(file, ["https://otters.example/1"]).values()
    assert read.body == PAGE
    assert "content-encoding" not in read.headers


def test_a_body_that_unpacks_to_more_than_a_page_is_passed_over(tmp_path: Path) -> None:
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")]
    bomb = gzip.compress(b" " * (MAX_BYTES + 1))
    file = write_as_others_do(tmp_path / "p.warc.gz", "https://otters.example/1", bomb, headers)
    assert read_warc(file, ["https://otters.example/1"]) == {}


@pytest.mark.parametrize("content", [b"no archive", b"\x1f\x8b\x08 broken"])
def test_a_file_that_is_none_ends_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "p.warc.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match="is no WARC file, or is damaged"):
        read_warc(file, ["https://otters.example/1"])


def test_a_file_that_is_not_there_ends_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="could not be read"):
        read_warc(tmp_path / "none", [])
