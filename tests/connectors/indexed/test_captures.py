"""One capture, from what a browser pushes to what the library keeps."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from connectors.files.file_text import UnreadableError
from connectors.indexed.captures import Capture, build_capture_document
from connectors.protocol import SyncingConnector
from connectors.registry import (
    build_filters,
    choose_connectors,
    make_connector,
    make_syncing_connector,
    make_usable_connector,
)
from schema.errors import InputError
from schema.search import Filters

GIVEN = {
    "url": "https://www.wind.test/Turbines/?utm_source=mail&page=2#blades",
    "title": "Turbines / blades",
    "captured_at": "2026-05-01T10:00:00+02:00",
    "text": "A turbine turns wind into power.",
}

HTML = """<html lang="en"><head><title>Of turbines</title>
<meta name="author" content="Ada Lovelace">
<meta property="og:site_name" content="Wind Daily">
<meta property="article:published_time" content="2024-02-03T08:00:00Z"></head><body>
<nav><a href="/">Home</a><a href="/login">Log in</a></nav><article><h1>Of turbines</h1>
<p>A turbine turns wind into <b>power</b>, and it has done so for a very long time in many places
of the world, wherever the wind blows often and strongly enough.</p>
<table><tr><th>Blades</th></tr><tr><td>Three</td></tr></table></article>
<footer>Imprint</footer></body></html>"""


def capture(**fields: Any) -> Capture:
    return Capture.model_validate(GIVEN | fields)


async def test_a_capture_becomes_the_document_of_its_page() -> None:
    found = await build_capture_document(
        capture(author=" Ada ", published="Fri, 02 Feb 2024 10:00:00 GMT")
    )
    assert found.uri == "https://wind.test/Turbines?page=2"
    assert found.url == GIVEN["url"]
    assert (found.title, found.author, found.site) == ("Turbines / blades", "Ada", "www.wind.test")
    assert found.text == GIVEN["text"]
    assert (found.connector, found.excerpt) == ("captures", False)
    assert (found.published, found.language) == ("2024-02-02", "")
    assert found.fetched == datetime(2026, 5, 1, 8, tzinfo=UTC)
    assert found.version == "2026-05-01T08:00:00+00:00"
    assert found.path == "www.wind.test/Turbines ∕ blades"


async def test_a_page_that_names_no_day_has_none() -> None:
    """The day of the capture is no day of publication."""
    assert (await build_capture_document(capture())).published == ""


async def test_html_is_reduced_to_its_main_text_and_tells_what_was_not_said() -> None:
    found = await build_capture_document(capture(text=None, html=HTML, title=""))
    assert "turns wind into **power**" in found.text
    assert "| Three |" in found.text
    assert "Log in" not in found.text
    assert (found.title, found.author, found.site) == (
        "Of turbines", "Ada Lovelace", "Wind Daily",
    )  # fmt: skip
    assert found.published == "2024-02-03"
    said = await build_capture_document(
        capture(text=None, html=HTML, title="Mine", author="Me", published="2020-01-01")
    )
    assert (said.title, said.author, said.published) == ("Mine", "Me", "2020-01-01")


async def test_what_the_reader_marked_stands_before_the_page() -> None:
    found = await build_capture_document(capture(selection=" It turns\n\nwind. "))
    assert found.text == f"> It turns\n> \n> wind.\n\n{GIVEN['text']}"


async def test_html_without_text_is_only_as_good_as_what_was_marked() -> None:
    empty = "<html><body><script>draw()</script></body></html>"
    with pytest.raises(UnreadableError):
        await build_capture_document(capture(text=None, html=empty))
    assert (
        await build_capture_document(capture(text=None, html=empty, selection="Drawn."))
    ).text == "> Drawn."


async def test_markdown_and_languages() -> None:
    found = await build_capture_document(
        capture(text=None, markdown="# Wind\n\nIt *turns*.", language="pt_BR")
    )
    assert (found.text, found.language) == ("# Wind\n\nIt *turns*.", "pt")


def test_versions_are_ordered_as_moments_are() -> None:
    moments = [
        "2026-05-01T10:00:00+02:00",
        "2026-05-01T08:00:00.000001Z",
        "2026-05-01T08:00:00.5+00:00",
        "2026-05-01T08:00:01Z",
        "2026-05-01T01:30:00-07:00",
    ]
    versions = [capture(captured_at=moment).version for moment in moments]
    assert versions == sorted(set(versions))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"url": "file:///etc/passwd"}, "url: Value error, it must be an address that begins"),
        ({"url": f"https://wind.test/{'ü' * 1_000}"}, "url: Value error, it must not be longer"),
        ({"url": "https://ada:secret@wind.test/"}, "url: Value error, it must not hold a user"),
        ({"url": None}, "url: Field required"),
        ({"title": 7}, "title: Input should be a valid string"),
        ({"captured_at": "2026-05-01T10:00:00"}, "captured_at: Value error, it must be ISO 8601"),
        ({"captured_at": 1_777_000_000}, "captured_at: Value error, it must be ISO 8601"),
        ({"captured_at": "yesterday"}, "captured_at: Value error, it must be ISO 8601"),
        ({"captured_at": "0001-01-01T00:00:00+14:00"}, "captured_at: Value error, it must be ISO"),
        ({"text": " \n"}, "Value error, exactly one of html, text and markdown"),
        ({"markdown": "# Wind"}, "Value error, exactly one of html, text and markdown"),
        ({"published": "some day"}, "published: Value error, it must be a date"),
        ({"language": "English!"}, "language: Value error, it must be a code"),
        ({"selection": "x" * 100_001}, "selection: String should have at most 100000"),
        ({"tags": []}, "tags: Extra inputs are not permitted"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_said(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        capture(**fields)
    (fault,) = caught.value.errors()
    told = "".join(f"{part}: " for part in fault["loc"]) + fault["msg"]
    assert told.startswith(said)


def test_a_clock_may_be_a_little_wrong() -> None:
    now = datetime.now(UTC)
    assert capture(captured_at=(now + timedelta(hours=3)).isoformat()).captured_at > now
    with pytest.raises(ValidationError, match="must not lie in the future"):
        capture(captured_at=(now + timedelta(days=2)).isoformat())


def test_the_connector_is_searched_in_the_library_and_never_synced() -> None:
    one = make_connector("captures")
    assert one.kind == "indexed"
    assert not isinstance(one, SyncingConnector)
    assert make_usable_connector("captures").name == "captures"
    assert [found.name for found in choose_connectors(["captures"], paths=False)] == ["captures"]
    assert build_filters(one, ["/notes"]) == Filters(connectors=["captures"])
    with pytest.raises(InputError, match="'captures' does not fill the library"):
        make_syncing_connector("captures")
