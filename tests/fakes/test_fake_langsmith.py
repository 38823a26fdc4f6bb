"""Drives the LangSmith fake with the langsmith client."""

import gzip
import json

import httpx
import pytest
from langsmith import Client, traceable
from langsmith.run_helpers import tracing_context

from fakes.langsmith_api import FakeLangSmith

# How the bodies start that the client sends in each of its modes.
OPENINGS = {"zstd": b"--", "multipart": b"--", "batch": b'{"post":', "single": b'{"id":'}


@traceable
def outer(question: str) -> str:
    """Answers a question by way of a traced helper."""
    return inner(question).upper()


@traceable(run_type="tool")
def inner(question: str) -> str:
    """Answers a question, badly."""
    if question == "fail":
        raise ValueError("no answer")
    return f"about {question}"


@pytest.mark.parametrize("mode", OPENINGS)
def test_langsmith_takes_runs(mode: str) -> None:
    with FakeLangSmith() as api:
        info = httpx.get(f"{api.url}/info").json()
        if mode != "zstd":
            info["instance_flags"] = {}
        if mode == "batch":
            info["batch_ingest_config"]["use_multipart_endpoint"] = False
        client = Client(
            api_url=api.url,
            api_key="lsv2_test_key",
            info=None if mode == "zstd" else info,
            auto_batch_tracing=mode != "single",
        )
        with tracing_context(enabled=True, client=client):
            outer("wind é\r\n")
            with pytest.raises(ValueError, match="no answer"):
                outer("fail")
        client.flush()
        client.close()
    assert all(body.startswith(OPENINGS[mode]) for body in api.bodies)
    runs = {(run["name"], "error" in run): run for run in api.runs}
    assert len(api.runs) == 4
    assert runs["outer", False]["inputs"] == {"question": "wind é\r\n"}
    assert runs["outer", False]["outputs"] == {"output": "ABOUT WIND É\r\n"}
    assert runs["inner", False]["run_type"] == "tool"
    assert runs["inner", False]["parent_run_id"] == runs["outer", False]["id"]
    assert "runtime" in runs["inner", False]["extra"]
    assert "no answer" in runs["inner", True]["error"]
    assert any("wind é".encode() in body for body in api.bodies)
    assert not any(b"lsv2_test_key" in body for body in api.bodies)


def test_langsmith_faults_are_retried() -> None:
    with FakeLangSmith(faults=[500]) as api:
        client = Client(api_url=api.url, api_key="lsv2_test_key")
        with tracing_context(enabled=True, client=client):
            inner("wind")
        client.flush()
        client.close()
    assert [run["name"] for run in api.runs] == ["inner"]
    assert len(api.bodies) == 2


def test_langsmith_keeps_every_body() -> None:
    body = json.dumps({"id": "1", "name": "run"}).encode()
    with FakeLangSmith() as api:
        headers = {"content-encoding": "gzip"}
        httpx.post(f"{api.url}/runs", content=gzip.compress(body), headers=headers)
        assert httpx.post(f"{api.url}/elsewhere", content=b"secret").status_code == 404
    assert api.bodies == [body, b"secret"]
    assert api.runs == [{"id": "1", "name": "run"}]
