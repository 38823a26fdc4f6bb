"""LangGraph drops an unknown key of a node's update without a word: here it is found."""

import ast
from pathlib import Path

import pytest

from schema.deep_search import DeepSearchState
from schema.state import IngestState, ReportState, RevisionState, SectionState

NODES = Path(__file__).parents[2] / "nodes"
CHANNELS = {
    **dict.fromkeys(
        ("rerank", "write", "section_failed", "join_found", "deep_search_failed"), SectionState
    ),
    **dict.fromkeys(("scan", "index", "embed"), IngestState),
    **dict.fromkeys(("take", "rebind", "keep_version"), RevisionState),
}
STEPS = sorted(
    path.relative_to(NODES).with_suffix("").as_posix()
    for path in NODES.rglob("*.py")
    if path.stem not in ("__init__", "run", "searching", "citing", "desk", "novelty")
)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_updates_only_channels_of_its_state(step: str) -> None:
    state = DeepSearchState if "/" in step else CHANNELS.get(step, ReportState)
    channels = set(state.__annotations__)
    written = _keys_returned(step)
    assert written
    assert written <= channels


def _keys_returned(step: str) -> set[str]:
    tree = ast.parse((NODES / f"{step}.py").read_text(encoding="utf-8"))
    [function] = [
        node
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef) and node.name == Path(step).name
    ]
    return {
        key.value
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
        for found in ast.walk(node)
        if isinstance(found, ast.Dict) and found in _outermost(node.value)
        for key in found.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def _outermost(value: ast.expr | None) -> list[ast.expr]:
    """The dictionaries that a return statement may hand over: a display, or either side of if."""
    if isinstance(value, ast.IfExp):
        return [*_outermost(value.body), *_outermost(value.orelse)]
    return [value] if isinstance(value, ast.Dict) else []
