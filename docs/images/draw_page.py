"""Draw `page.png`: a report on the page of `quire serve`, a card open; `make picture`."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import chromium
from fakes.server import Served

import quire
from serving.reports import create_report
from web.app import build_app

ROOT = Path(__file__).parents[2]
QUESTION = "How do BM25, dense vectors and reranking work together in a search engine?"


async def write_report() -> str:
    """Have a report on the samples saved; returns its id."""
    context = quire.Context(paths=[str(ROOT / "samples")], space="picture", research_mode="deep")
    outcome = await create_report(QUESTION, context, lambda _: None)
    assert outcome.report  # noqa: S101  (the samples answer it)
    return outcome.report["id"]


def draw(target: Path) -> None:
    """Serve the report, open its page in Chromium, and take a picture of its beginning."""
    identity = asyncio.run(write_report())
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Served(build_app()) as server,
        chromium(Path(folder) / "profile") as page,
    ):
        page.open(f"{server.url}/reports/{identity}", width=1200, height=900)
        page.run("document.querySelectorAll('a.mark')[4].click()")
        page.shot(target, whole=False)


if __name__ == "__main__":
    draw(Path(__file__).with_name("page.png"))
