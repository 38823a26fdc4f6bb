"""What the documentation shows is what the code is."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from connectors.registry import BUILT_IN
from schema.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    ("name", "depth"),
    [("report", 1), ("section", 0), ("revise_section", 0), ("deep_search", 0), ("ingest", 0)],
)
def test_the_drawings_are_the_graphs(name: str, depth: int) -> None:
    drawn = import_module(f"graphs.{name}").graph.get_graph(xray=depth).draw_mermaid().strip()
    assert drawn in (ROOT / "docs" / "graphs.md").read_text()


def test_every_setting_is_in_the_table_and_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text()
    for name, field in Settings.model_fields.items():
        variable = str(field.validation_alias or f"QUIRE_{name.upper()}")
        assert f"`{variable}`" in README, variable
        assert f"{variable}=" in example, variable


def test_every_link_to_a_file_leads_to_one() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_built_in_connector_is_one_line_and_one_file() -> None:
    for place in BUILT_IN.values():
        module, _, name = place.partition(":")
        assert hasattr(import_module(module), name)


def test_every_degradation_code_is_explained() -> None:
    page = (ROOT / "docs" / "codes.md").read_text()
    pattern = re.compile(
        r'(?:degraded\(|code(?:: str)? ?=|_lost\([^()]*?)\s*"([a-z]+(?:_[a-z]+)+)"'
    )
    rooms = ("nodes", "connectors", "models", "library", "schema")
    files = [ROOT / "cli.py", *(path for room in rooms for path in (ROOT / room).rglob("*.py"))]
    codes = {code for path in files for code in pattern.findall(path.read_text())}
    assert len(codes) > 10
    assert codes == set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE))
