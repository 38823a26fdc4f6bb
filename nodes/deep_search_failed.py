"""What becomes of a deep search that broke: its question stays open, the section is written."""

from typing import Any

from langgraph.errors import NodeError

from nodes.run import degraded
from schema.deep_search import DeepSearchInput
from schema.errors import QuireError


async def deep_search_failed(state: DeepSearchInput, error: NodeError) -> dict[str, Any]:
    """Record the failure."""
    cause = error.error
    reason = str(cause) if isinstance(cause, QuireError) else type(cause).__name__
    detail = f"The search for “{state['question'][:200]}” broke off: {reason}"
    return {"degraded": [degraded("deep_search_failed", detail)]}
