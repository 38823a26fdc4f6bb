"""Draw `report.png`: a report on the samples, with the card of a citation open; `make picture`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from browser import chromium

import quire

ROOT = Path(__file__).parents[2]
QUESTION = "How do BM25, dense vectors and reranking work together in a search engine?"


def draw(target: Path) -> None:
    """Write the report, open it in Chromium, and take a picture of what a reader sees first."""
    context = quire.Context(paths=[str(ROOT / "samples")], space="picture", research_mode="deep")
    report = quire.report(QUESTION, context).result()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shown = Path(folder) / "report.html"
        shown.write_bytes(quire.export(report, "html"))
        with chromium(Path(folder) / "profile") as page:
            page.open(shown, width=1000, height=860)
            page.run("document.querySelectorAll('a.mark')[1].click()")
            page.shot(target, whole=False)


if __name__ == "__main__":
    draw(Path(__file__).with_name("report.png"))
