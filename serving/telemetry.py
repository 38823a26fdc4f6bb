"""Traces over OpenTelemetry, with no LangSmith: the exporter is the one that langsmith brings.

Spans of runs, nodes, searches, model calls and statements of SQL, with models, tokens and times; no
text of questions, sources or answers unless `QUIRE_TRACE_TEXT` asks for it. Where they go stands in
the standard variables, such as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.
"""

import atexit
import os
from importlib.util import find_spec

from schema.errors import InputError
from schema.settings import get_settings

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def start_traces() -> None:
    """Send traces from now on, if `QUIRE_TRACES` is set; before the first graph runs.

    Raises:
        InputError: the extra is not installed, or no endpoint is set.
    """
    here = get_settings()
    if not here.traces:
        return
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter.otlp") is None:
        raise InputError("QUIRE_TRACES needs an exporter: pip install 'quire[telemetry]'.")
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        raise InputError(
            f"QUIRE_TRACES needs to know where to: set {_ENDPOINTS[0]}, such as "
            "http://localhost:4318/v1/traces."
        )
    hidden = "false" if here.trace_text else "true"
    os.environ |= {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_OTEL_ENABLED": "true",
        "LANGSMITH_OTEL_ONLY": "true",  # nothing goes to LangSmith
        "LANGSMITH_HIDE_INPUTS": hidden,
        "LANGSMITH_HIDE_OUTPUTS": hidden,
    }
    os.environ.setdefault("OTEL_SERVICE_NAME", "quire")
    atexit.register(flush_traces)


def flush_traces() -> None:
    """Send what was not sent yet; waits some seconds at most."""
    from langsmith.run_trees import get_cached_client  # noqa: PLC0415  (loaded where traces are)
    from opentelemetry import trace  # noqa: PLC0415  (an extra)

    get_cached_client().flush()
    if force := getattr(trace.get_tracer_provider(), "force_flush", None):
        force(5_000)
