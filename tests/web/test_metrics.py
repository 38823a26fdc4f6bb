"""What a server tells those who watch it: alive, ready, counters, logs without keys, traces."""

import gzip
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from schema.access import LOCAL_MEMBER
from schema.context import Context
from serving.json_log import JsonFormatter
from serving.metrics import start_metrics
from web.app import build_app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application, whose life is that of the test."""
    app = build_app()
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as opened,
    ):
        opened.app = app  # type: ignore[attr-defined]
        yield opened


async def test_ready_means_that_the_library_can_be_used(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await client.get("/healthz")).text == "ok\n"
    assert (await client.get("/readyz")).status_code == 200
    monkeypatch.setenv("QUIRE_DATABASE_URL", "postgresql://quire:hunter2@127.0.0.1:9/quire")
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "not ready\n")
    assert (await client.get("/healthz")).status_code == 200


@pytest.mark.slow
async def test_a_run_is_counted_without_its_text_or_user(
    client: httpx.AsyncClient, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    start_metrics()  # in this task's context: a server's build_app does so before any task
    runs = client.app.state.runs  # type: ignore[attr-defined]
    context = Context(space=space, paths=[str(CONCEPTS)])
    identity = await runs.start(QUESTION, context, LOCAL_MEMBER)
    async for _ in runs.follow(identity):
        pass
    told = (await client.get("/metrics")).text
    for name in (
        'quire_reports_total{state="finished"}',
        'quire_searches_total{connector="files",outcome="found"}',
        'quire_node_seconds_count{node="search_sources"}',
        'quire_model_tokens_total{direction="input",model="extractive",role="writer"}',
        'quire_runs{state="finished"}',
        'quire_connections{state="open"}',
    ):
        assert name in told
    assert "BM25" not in told
    assert space not in told


@pytest.mark.parametrize("token", ["", "another", "metrics-token"])
async def test_counters_are_for_who_has_the_token(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("QUIRE_METRICS_TOKEN", "metrics-token")
    answer = await client.get("/metrics", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == (200 if token == "metrics-token" else 404)


def test_a_line_of_the_log_is_json_without_keys() -> None:
    key = "sk-proj-abcdefghijklmnop"
    error = ValueError(f"Bearer {key}")
    told_of = (ValueError, error, None)
    record = logging.LogRecord("quire", logging.ERROR, "file", 1, "sent %s", (key,), told_of)
    record.run = "abcd2345"
    told = json.loads(JsonFormatter().format(record))
    assert (told["level"], told["run"]) == ("error", "abcd2345")
    assert "abcdefgh" not in json.dumps(told)
    assert "\n" not in JsonFormatter().format(record)


class _Collector(ThreadingHTTPServer):
    """Takes spans over OTLP, on loopback."""

    def __init__(self) -> None:
        received = self.received = list[bytes]()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                packed = self.headers.get("content-encoding") == "gzip"
                received.append(gzip.decompress(body) if packed else body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    def list_names(self) -> set[str]:
        requests = map(ExportTraceServiceRequest.FromString, self.received)
        return {
            span.name
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        }


@pytest.mark.slow
@pytest.mark.parametrize("with_text", [False, True])
def test_traces_go_to_a_collector_of_one_s_own(tmp_path: Path, with_text: bool) -> None:
    with _Collector() as collector, FakeOpenAI(Writer()) as api:
        Thread(target=collector.serve_forever, daemon=True).start()
        environment = os.environ | {
            "QUIRE_TRACES": "1",
            "QUIRE_TRACE_TEXT": str(int(with_text)),
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": (
                f"http://127.0.0.1:{collector.server_port}/v1/traces"
            ),
            "LANGSMITH_ENDPOINT": "http://127.0.0.1:9",
            "LANGSMITH_TRACING": "",
            "OPENAI_BASE_URL": api.base_url,
            "OPENAI_API_KEY": "sk-key-of-a-test",
        }
        command = ["-m", "cli", "report", QUESTION, "--files", str(CONCEPTS), "--space", "traced"]
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, *command], env=environment, cwd=root, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        collector.shutdown()
    names = collector.list_names()
    assert {"report", "search_sources", "search files", "writer: write_section"} <= names
    assert {"sql begin", "sql select documents", "sql update reports"} <= names
    sent = b"".join(collector.received)
    assert (b"BM25" in sent) == with_text
    assert b"sk-key-of-a-test" not in sent
