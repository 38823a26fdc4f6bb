"""What Prometheus counts of this process: runs, nodes, models, sources. No text, no users.

Nodes and model calls are seen by a callback of LangChain that hangs on every run of the process.
"""

import time
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult
from langchain_core.tracers.context import register_configure_hook
from prometheus_client import CollectorRegistry, Counter, Histogram

from schema.events import Event

REGISTRY = CollectorRegistry()

_SECONDS = (0.05, 0.2, 1, 5, 20, 60, 180, 600)

_nodes = Histogram(
    "quire_node_seconds", "Time of a node.", ["node"], buckets=_SECONDS, registry=REGISTRY
)
_calls = Histogram(
    "quire_model_seconds",
    "Time of a model call.",
    ["role", "model"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
_failures = Counter(
    "quire_model_failures", "Model calls that failed.", ["role", "model"], registry=REGISTRY
)
_tokens = Counter(
    "quire_model_tokens", "Tokens.", ["role", "model", "direction"], registry=REGISTRY
)
_searches = Counter(
    "quire_searches", "Questions to a source.", ["connector", "outcome"], registry=REGISTRY
)
_pages = Counter("quire_pages", "Pages of search results.", ["outcome"], registry=REGISTRY)
reports_ended = Counter("quire_reports", "Reports that ended.", ["state"], registry=REGISTRY)


def count_event(event: Event) -> None:
    """Count what a run tells."""
    match event["type"]:
        case "searched":
            outcome = "failed" if event["error"] else "found" if event["found"] else "nothing"
            _searches.labels(event["connector"], outcome).inc()
        case "pages":
            _pages.labels("read").inc(event["read"])
            _pages.labels("failed").inc(event["failed"])


class MetricsHandler(BaseCallbackHandler):
    """Times nodes and model calls."""

    def __init__(self) -> None:
        self._begun: dict[UUID, tuple[float, str, str]] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002  (LangChain's)
        inputs: dict[str, Any],  # noqa: ARG002
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **how: Any,
    ) -> None:
        """A node begins; what runs inside one has another name."""
        node = (metadata or {}).get("langgraph_node")
        if node and how.get("name") == node:
            self._begun[run_id] = (time.perf_counter(), str(node), "")

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **how: Any) -> None:  # noqa: ARG002
        """A node ends."""
        self._end_node(run_id)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **how: Any) -> None:  # noqa: ARG002
        """A node fails, or waits for its reader."""
        self._end_node(run_id)

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002
        messages: Any,  # noqa: ARG002
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **how: Any,  # noqa: ARG002
    ) -> None:
        """A model is asked."""
        told = metadata or {}
        role, model = str(told.get("quire_role", "")), str(told.get("quire_model", ""))
        self._begun[run_id] = (time.perf_counter(), role, model)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **how: Any) -> None:  # noqa: ARG002
        """A model has answered."""
        begun, role, model = self._begun.pop(run_id, (time.perf_counter(), "", ""))
        _calls.labels(role, model).observe(time.perf_counter() - begun)
        for generation in response.generations[0][:1]:
            usage = getattr(getattr(generation, "message", None), "usage_metadata", None) or {}
            for direction in ("input", "output"):
                _tokens.labels(role, model, direction).inc(usage.get(f"{direction}_tokens", 0))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **how: Any) -> None:  # noqa: ARG002
        """A model has failed."""
        _, role, model = self._begun.pop(run_id, (0.0, "", ""))
        _failures.labels(role, model).inc()

    def _end_node(self, run_id: UUID) -> None:
        if begun := self._begun.pop(run_id, None):
            _nodes.labels(begun[1]).observe(time.perf_counter() - begun[0])


_handler: ContextVar[MetricsHandler | None] = ContextVar("quire metrics", default=None)


def start_metrics() -> None:
    """Count in all runs that are started from this context."""
    if _handler.get() is None:
        _handler.set(MetricsHandler())


register_configure_hook(_handler, inheritable=True)
