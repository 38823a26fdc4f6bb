"""The graph that fills the library."""

from pathlib import Path
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, asked, check_report, run_report

from graphs.ingest import graph as ingest_graph
from graphs.report import graph as report_graph
from schema.context import Context
from schema.errors import InputError


async def _ingest(space: str, *paths: Path) -> dict[str, Any]:
    given = {"sources": [str(path) for path in paths]}
    return await ingest_graph.ainvoke(given, context=Context(space=space))


async def test_only_what_changed_is_read(space: str, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nThe letter {name} is a letter.\n")
    assert (await _ingest(space, tmp_path))["counts"] == {"added": 3}
    (tmp_path / "a.md").write_text("# a\n\nThe letter a is a vowel, unlike the others here.\n")
    (tmp_path / "b.md").unlink()
    (tmp_path / "bad.pdf").write_bytes(b"no PDF")
    state = await _ingest(space, tmp_path)
    assert state["counts"] == {"changed": 1, "unchanged": 1, "removed": 1, "skipped": 1}
    [skipped] = state["skipped"]
    assert skipped["reason"].startswith("bad.pdf: ")


async def test_a_folder_of_nothing_readable_is_an_error(space: str, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"no PDF")
    with pytest.raises(InputError, match=r"Nothing there could be read \(bad.pdf: "):
        await _ingest(space, tmp_path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "There is nothing to ingest: name at least one source, such as a folder."),
        ({"sources": []}, "There is nothing to ingest"),
        ({"sources": None}, "There is nothing to ingest"),
        ({"sources": {}}, "There is nothing to ingest"),
        ({"sources": "docs"}, "The input `sources` must be a list of texts: paths of files and fo"),
        ({"sources": "\x00"}, "The input `sources` must be a list of texts"),
        ({"sources": [1]}, "The input `sources` must be a list of texts"),
        ({"sources": ["docs", {}]}, "The input `sources` must be a list of texts"),
        ({"sources": {"docs": 1}}, "The input `sources` must be a list of texts"),
        ({"sources": ["a\x00"]}, r"'a\x00' names no source: it holds what no text holds."),
        ({"sources": ["\ud800"]}, r"'\ud800' names no source: it holds what no text holds."),
        (
            {"sources": [" "]},
            "An empty name is no source: name a file, a folder or connector:location.",
        ),
        ({"sources": ["files:"]}, "An empty name is no source"),
        ({"sources": ["x" * 5_000]}, "There is no file or folder "),
    ],
)
async def test_input_that_names_no_sources_is_one_sentence(
    given: Any, said: str, space: str
) -> None:
    with pytest.raises(InputError) as caught:
        await ingest_graph.ainvoke(given, context=Context(space=space))
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ({"space": "a b"}, "The setting space cannot be 'a b': it must be a name of letters, "),
        ({"research_mode": 3}, "The setting research_mode cannot be 3: it must be 'general', 'de"),
        ({"colour": "red"}, "The setting colour does not exist: use one of answer_tokens, "),
        (5, "The setting context cannot be 5: it must be a valid dictionary."),
    ],
)
async def test_a_context_that_cannot_be_used_is_one_sentence(
    context: Any, said: str, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA letter.\n")
    for graph, given in ((ingest_graph, {"sources": [str(tmp_path)]}), (report_graph, asked("A?"))):
        with pytest.raises(InputError) as caught:
            await graph.ainvoke(given, context=context)
        assert str(caught.value).startswith(said)


@pytest.mark.parametrize("question", ["What\x00 is it?", "What is \ud83d?"])
async def test_a_question_that_is_no_text_is_refused(question: str) -> None:
    with pytest.raises(InputError, match=r"^The question holds what no text holds, such as NUL"):
        await report_graph.ainvoke(asked(question), context=Context())


@pytest.mark.slow
async def test_with_an_embedding_model_meaning_is_searched_too(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI(Writer()) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
        monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "openai:fake")
        events: list[dict[str, Any]] = [
            event
            async for event in ingest_graph.astream(
                {"sources": [str(CONCEPTS)]}, context=Context(space=space), stream_mode="custom"
            )
        ]
        made = sum(event["vectors"] for event in events if event["type"] == "embedded")
        assert made > 50
        state = await run_report(space)
        await check_report(state["report"], space)
    assert state["report"]["degraded"] == []
