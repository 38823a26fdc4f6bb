"""What becomes of a deep search that broke: its question stays open, the section is written."""

from langgraph.errors import NodeError

from nodes.common.run import make_degradation
from schema.deep_search import DeepSearchInput
from schema.errors import QuireError
from schema.state import SectionUpdate


async def deep_search_failed(state: DeepSearchInput, error: NodeError) -> SectionUpdate:
    """Record the failure."""
    cause = error.error
    reason = str(cause) if isinstance(cause, QuireError) else type(cause).__name__
    detail = f"The search for “{state['question'][:200]}” broke off: {reason}"
    return {"degraded": [make_degradation("deep_search_failed", detail)]}
