"""Every connector is documented, and held by the conformance suite."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from connectors.registry import BUILT_IN, make_connector

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "connectors.md").read_text()
HELD_OTHERWISE = {"files", "library", "captures", "web_results"}
"""No provider stands behind these: the disk, the database, a push."""


def row(name: str) -> str:
    """What the table of the documentation says of a connector."""
    one = make_connector(name)
    needs = (
        ", ".join(f"`{need.replace(' or ', '` or `')}`" for need in one.required_variables)
        or "nothing"
    )
    extra = f"; `quire[{name}]`" if one.package else ""
    described = f"{one.description} | {one.document_description}"
    return f"| `{name}` | {one.kind} | {needs}{extra} | {described} |"


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_the_table_says_what_the_connector_declares(name: str) -> None:
    assert row(name) in PAGE


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_connector_stands_with_those_of_its_kind(name: str) -> None:
    assert BUILT_IN[name].startswith(f"connectors.{make_connector(name).kind}.")


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - HELD_OTHERWISE))
def test_a_connector_passes_the_conformance_suite(name: str) -> None:
    one = make_connector(name)
    suite = {"live": "LiveConformance", "indexed": "SyncConformance"}[one.kind]
    text = (ROOT / "tests" / "connectors" / one.kind / f"test_{name}.py").read_text()
    assert re.search(rf'class Test\w+\({suite}\[\w+\]\):\n(    """.*\n+)?    name = "{name}"', text)


def test_extras_are_named_like_their_connectors() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    for name in BUILT_IN:
        if make_connector(name).package:
            assert re.search(rf"^{name} = \[", project, re.MULTILINE), name


@pytest.mark.slow
def test_importing_the_connectors_loads_no_client_library() -> None:
    modules = [found.partition(":")[0] for found in BUILT_IN.values()]
    packages = [make_connector(name).package for name in BUILT_IN if make_connector(name).package]
    code = (
        f"import sys\nfor name in {modules!r}:\n    __import__(name)\n"
        f"assert not set({packages!r}) & sys.modules.keys()"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )


def test_the_example_of_the_documentation_is_a_connector() -> None:
    """It is run as it stands there, and passes for a live connector."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, "docs/connectors.md", "exec"), names)
    protocol = importlib.import_module("connectors.protocol")
    (made,) = [value for name, value in names.items() if name == "Almanac"]
    assert isinstance(made(), protocol.LiveConnector)  # type: ignore[operator]
