"""Draw the graphs again where `graphs.md` has drawings; `make format` does."""

import re
from importlib import import_module
from pathlib import Path

DOCUMENT = Path(__file__).with_name("graphs.md")

_DRAWING = re.compile(r"(?<=^## )(\w+)\n\n```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)


def redraw(document: str) -> str:
    """The document with the drawings of the graphs as they are; the heading above names each."""
    return _DRAWING.sub(_draw, document)


def _draw(found: re.Match[str]) -> str:
    graph = import_module(f"graphs.{found[1]}").graph.get_graph()
    return f"{found[1]}\n\n```mermaid\n{graph.draw_mermaid().strip()}\n```"


if __name__ == "__main__":
    DOCUMENT.write_text(redraw(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
