"""The routes that a browser extension pushes to, over a real library."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from pushing import MORNING, at, guarded, outcomes, page

from library.library import open_library
from schema.access import LOCAL_USER
from schema.documents import Document
from schema.search import Filters, SearchOptions
from serving import captures as serving


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with at() as one:
        yield one


async def test_a_push_is_found_and_a_delete_ends_that(
    client: httpx.AsyncClient, space: str
) -> None:
    answer = await client.post("/captures", params={"space": space}, json=page())
    uri = "https://wind.test/1"
    assert answer.json() == {
        "outcomes": [{"url": uri, "uri": uri, "outcome": "added"}],
        "degraded": [],
    }
    library = await open_library(space)
    options = SearchOptions(filters=Filters(connectors=["captures"]))
    found = await library.search("Which turbine turns wind into power?", options)
    (document,) = (await library.load_documents([found.hits[0].document])).values()
    assert (document.uri, document.title, document.site) == (uri, "Turbine 1", "wind.test")
    assert (document.path, document.fetched) == ("captures/wind.test/Turbine 1", MORNING)

    url = "https://www.wind.test/1/?utm_source=x#top"
    gone = await client.delete("/captures", params={"space": space, "url": url})
    assert gone.json() == {"outcomes": [{"url": url, "uri": uri, "outcome": "removed"}]}
    assert await library.count() == (0, 0)
    again = await client.delete("/captures", params={"space": space, "url": url})
    assert again.status_code == 404
    assert again.json() == {"faults": [f"There is no capture of {url} in {space}."]}


async def test_a_list_is_answered_in_its_order(client: httpx.AsyncClient, space: str) -> None:
    empty = "<html><body></body></html>"
    pushed = [page(1), page(2, text=None, html=empty), page(3), page(3, hours=-1), page(4)]
    answer = await client.post("/captures", params={"space": space}, json=pushed)
    assert outcomes(answer) == ["added", "skipped", "added", "skipped", "added"]
    reasons = [one.get("reason") for one in answer.json()["outcomes"]]
    assert reasons[1] == "no main content was found in the page"
    assert reasons[3] == "a newer capture of this page came with it"
    assert [one["url"] for one in answer.json()["outcomes"]] == [one["url"] for one in pushed]
    assert (await (await open_library(space)).count())[0] == 3


async def test_a_large_push_is_stored_in_parts(
    client: httpx.AsyncClient, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "BATCH_DOCUMENTS", 3)
    monkeypatch.setattr(serving, "BATCH_CHARACTERS", 500)
    monkeypatch.setattr(serving, "MAX_SINGLE_LOOKUPS", 5)
    pushed = [page(number) for number in range(10)]
    pushed[4]["text"] *= 10
    answer = await client.post("/captures", params={"space": space}, json=pushed)
    assert outcomes(answer) == ["added"] * 10
    assert [one["url"] for one in answer.json()["outcomes"]] == [one["url"] for one in pushed]
    older = [page(number, hours=-1) for number in range(10)]
    answer = await client.post("/captures", params={"space": space}, json=older)
    assert outcomes(answer) == ["skipped"] * 10


async def test_only_a_newer_capture_replaces_one(client: httpx.AsyncClient, space: str) -> None:
    library = await open_library(space)
    for hours, outcome, held in (
        (5, "added", 5), (5, "unchanged", 5), (3, "skipped", 5), (7.5, "changed", 7.5),
    ):  # fmt: skip
        answer = await client.post("/captures", params={"space": space}, json=page(hours=hours))
        assert outcomes(answer) == [outcome]
        assert f"after {held} hours" in str(await library.load_text("https://wind.test/1"))
    assert answer.json()["outcomes"][0].get("reason") is None


async def test_pushes_at_once_leave_the_newest(client: httpx.AsyncClient, space: str) -> None:
    several = [page(hours=hours, text=f"Text {hours}. " * 50) for hours in (1, 4, 2, 3)]
    await asyncio.gather(
        *(client.post("/captures", params={"space": space}, json=one) for one in several)
    )
    text = await (await open_library(space)).load_text("https://wind.test/1")
    assert str(text).startswith("Text 4.")


async def test_a_page_that_a_search_found_is_taken_over_and_only_captures_are_deleted(
    client: httpx.AsyncClient, space: str
) -> None:
    library = await open_library(space)
    uri = "https://wind.test/1"
    await library.store([Document(uri=uri, text="A snippet.", connector="brave", excerpt=True)])
    gone = await client.delete("/captures", params={"space": space, "url": uri})
    assert gone.status_code == 404
    assert await library.load_text(uri) == "A snippet."
    assert outcomes(await client.post("/captures", params={"space": space}, json=page()))
    assert "turns wind into power" in str(await library.load_text(uri))
    (held,) = (await library.find_stored([uri])).values()
    assert (held.excerpt, held.synced) == (False, True)


async def test_one_fault_keeps_the_whole_push_out(client: httpx.AsyncClient, space: str) -> None:
    wrong = [page(1), page(2, captured_at="2026-05-01", markdown="x"), {"url": 3}, 7]
    answer = await client.post("/captures", params={"space": space}, json=wrong)
    assert answer.status_code == 422
    assert answer.json()["faults"] == [
        "Capture 2, captured_at: it must be ISO 8601 with a zone, as in 2026-05-01T10:00:00+02:00.",
        "Capture 3, url: Input should be a valid string.",
        "Capture 3, title: Field required.",
        "Capture 3, captured_at: Field required.",
        "Capture 4: Input should be a valid dictionary or instance of Capture.",
    ]
    assert await (await open_library(space)).count() == (0, 0)


@pytest.mark.parametrize(
    ("body", "kind", "status", "fault"),
    [
        (b"{", "application/json", 422, "The body must be JSON."),
        (b"[" * 100_000, "application/json", 422, "The body must be JSON."),
        (b"\xff{}", "application/json", 422, "The body must be JSON."),
        (b"[]", "application/json; charset=utf-8", 422, "The list must hold a capture."),
        (b"null", "application/json", 422, "Capture 1: Input should be a valid dictionary"),
        (b"{}", "text/plain", 415, "The content type must be application/json."),
    ],
)
async def test_what_is_no_push_is_refused(
    client: httpx.AsyncClient, body: bytes, kind: str, status: int, fault: str
) -> None:
    answer = await client.post("/captures", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert answer.json()["faults"][0].startswith(fault)


async def test_halves_of_characters_do_no_harm(client: httpx.AsyncClient, space: str) -> None:
    half = "\ud800"
    html = f"<html><body><p>{'The wind turns it. ' * 20}{half}</p></body></html>"
    pushed = [page(1, text=f"Wind {half}", title=half), page(2, text=None, html=html)]
    body = json.dumps(pushed).encode()
    kind = {"Content-Type": "application/json"}
    answer = await client.post("/captures", params={"space": space}, content=body, headers=kind)
    assert outcomes(answer) == ["added", "added"]
    body = json.dumps({half: 1}).encode()
    answer = await client.post("/captures", params={"space": space}, content=body, headers=kind)
    assert answer.status_code == 422


async def test_faults_are_told_within_bounds(client: httpx.AsyncClient) -> None:
    answer = await client.post("/captures", json=[7] * 5_000)
    assert len(answer.json()["faults"]) == serving.MAX_FAULTS
    many = page() | {f"field{number}": 1 for number in range(5_000)}
    answer = await client.post("/captures", json=many)
    assert len(answer.json()["faults"]) == serving.MAX_FAULTS


async def test_a_push_that_is_too_large_is_not_read_to_its_end(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_PUSH_BYTES", 2**20)
    sent = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 2**16
            yield b" " * 2**16

    answer = await client.post(
        "/captures", content=body(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert answer.json() == {"faults": ["A push must not be larger than 1 MB."]}
    assert sent < 2 * 2**20


async def test_what_names_no_page_and_no_space_is_refused(client: httpx.AsyncClient) -> None:
    assert (await client.delete("/captures")).status_code == 422
    answer = await client.post("/captures", params={"space": "../x"}, json=page())
    assert answer.status_code == 422
    assert answer.json()["faults"] == ["The space must be a name of letters, digits and _ . -"]
    assert (await client.get("/captures")).status_code == 405


async def test_captures_belong_to_whom_the_server_knows(space: str) -> None:
    async with at(guarded()) as client:
        for name, number in (("ada", 1), ("grace", 2), ("", 3)):
            await client.post(
                "/captures", params={"space": space}, json=page(number), headers={"X-Name": name}
            )
        theirs = {"space": space, "url": "https://wind.test/1"}
        gone = await client.delete("/captures", params=theirs, headers={"X-Name": "grace"})
        assert gone.status_code == 404
    for user, number in (("ada", 1), ("grace", 2), (LOCAL_USER, 3)):
        library = await open_library(space, user)
        assert list(await library.load_versions("captures", ["https://wind.test"])) == [
            f"https://wind.test/{number}"
        ]


async def test_captures_get_their_vectors_and_are_kept_without(
    client: httpx.AsyncClient, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "openai:fake")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
    with FakeOpenAI(Writer()) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        answer = await client.post("/captures", params={"space": space}, json=page(1))
        assert answer.json()["degraded"] == []
        assert await (await open_library(space)).embed_missing() == 0
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    answer = await client.post("/captures", params={"space": space}, json=page(2))
    assert outcomes(answer) == ["added"]
    assert [one["code"] for one in answer.json()["degraded"]] == ["embedding_unavailable"]


async def test_a_library_that_is_away_is_told(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_DATABASE_URL", "postgresql://127.0.0.1:9/none")
    answer = await client.post("/captures", json=page())
    assert answer.status_code == 503
    assert len(answer.json()["faults"]) == 1


def test_the_server_s_configuration_names_the_app_and_guards_it() -> None:
    http = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text())["http"]
    assert http["app"] == "serving.captures:app"
    assert http["enable_custom_route_auth"] is True
    # left out, the server would take every origin
    assert http["cors"]["allow_origins"] == [
        "https://smith.langchain.com",
        "https://eu.smith.langchain.com",
    ]
