"""LangSmith: named spans where it is configured, nothing at all where it is not."""

import json

import pytest
from fakes.langsmith_api import FakeLangSmith
from fakes.openai_api import FakeOpenAI
from fakes.sites.tavily_api import FakeTavily, Page
from fakes.writer import Writer
from graph_runs import asked
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith import utils

from graphs.report import graph
from schema.context import Context

SECRETS = {
    "OPENAI_API_KEY": "sk-secret-of-openai",
    "TAVILY_API_KEY": "tvly-secret-of-tavily",
    "LANGSMITH_API_KEY": "lsv2-secret-of-langsmith",
}
PAGE = Page(
    title="Otters",
    url="https://otters.example/page",
    content="Otters eat fish.",
    raw_content="An otter is a mammal of rivers and coasts. Otters eat fish and crabs all year.",
)


async def _run(space: str, monkeypatch: pytest.MonkeyPatch, endpoint: str, tracing: str) -> None:
    with FakeOpenAI(Writer(), api_key=SECRETS["OPENAI_API_KEY"]) as api, FakeTavily([PAGE]) as web:
        for name, value in SECRETS.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", web.url)
        monkeypatch.setenv("LANGSMITH_ENDPOINT", endpoint)
        monkeypatch.setenv("LANGSMITH_TRACING", tracing)
        utils.get_env_var.cache_clear()
        state = await graph.ainvoke(asked("What do otters eat?"), context=Context(space=space))
        assert state["report"]["citations"]
        wait_for_all_tracers()


async def test_every_step_is_a_span_and_no_secret_leaves(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeLangSmith() as smith:
        await _run(space, monkeypatch, smith.url, "true")
        names = {run["name"] for run in smith.runs}
        bodies = b"\n".join(smith.bodies)
    nodes = {
        "reformulate", "outline", "approve_outline", "search_sources", "revise_outline",
        "search_open_questions", "section", "rerank", "write", "finalize",
    }  # fmt: skip
    assert nodes <= names
    assert {"ask tavily", "search live", "search library", "writer: write_section"} <= names
    [written] = [run for run in smith.runs if run["name"] == "writer: write_section"]
    assert written["extra"]["metadata"]["quire_role"] == "writer"
    assert json.dumps(written["inputs"])
    for secret in SECRETS.values():
        assert secret.encode() not in bodies


async def test_nothing_is_sent_where_it_is_off(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeLangSmith() as smith:
        await _run(space, monkeypatch, smith.url, "false")
        assert smith.bodies == []
