"""What the documentation shows is what the code is."""

import re
from pathlib import Path

from docs.draw_graphs import DOCUMENT, redraw
from schema.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_the_drawings_are_the_graphs() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text.count("```mermaid") == 6
    assert redraw(text) == text, "run `make format`"


def test_every_setting_is_in_the_table_and_in_the_example() -> None:
    table = (ROOT / "docs" / "configuration.md").read_text()
    example = (ROOT / ".env.example").read_text()
    for name, field in Settings.model_fields.items():
        variable = str(field.validation_alias or f"QUIRE_{name.upper()}")
        assert f"`{variable}`" in table, variable
        assert f"{variable}=" in example, variable


def test_every_link_to_a_file_leads_to_one() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_degradation_code_is_explained() -> None:
    page = (ROOT / "docs" / "codes.md").read_text()
    pattern = re.compile(
        r"(?:make_degradation\(|code(?:: str)? ?=|_describe_failure\([^()]*?)"
        r'\s*"([a-z]+(?:_[a-z]+)+)"'
    )
    packages = ("cli", "nodes", "connectors", "models", "library", "schema")
    files = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    codes = {code for path in files for code in pattern.findall(path.read_text())}
    assert len(codes) > 10
    assert codes == set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE))


def test_every_file_that_a_page_names_is_there() -> None:
    """Files and folders of ours, written as `folder/file.py`; some are named by their end."""
    packages = {path.name for path in ROOT.iterdir() if path.is_dir()}
    for name in ("CONTRIBUTING.md", "AGENTS.md", "SECURITY.md", "docs/architecture.md",
                 "docs/glossary.md", "docs/connectors.md"):  # fmt: skip
        for target in re.findall(r"`(\w+/[\w./]+)`", (ROOT / name).read_text()):
            if target.partition("/")[0] in packages and not re.search("[A-Z]{4}", target):
                assert (ROOT / target).exists(), f"{name}: {target}"
