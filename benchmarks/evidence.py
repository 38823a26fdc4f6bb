"""How much of what an expert wants to read the writers of a report are shown.

For each question of `examples/golden`, and each budget for the sources of a section, a report is
written. Printed is the share of the rubric's quotes that stand in what the writer of at least one
section was shown, the same of one section on average, the share of the sources that a section was
shown, and the tokens of a writer's prompt, estimated, on average.

    python benchmarks/evidence.py [--model PROVIDER:MODEL] [--only NAME]... [--tokens N]...
    python benchmarks/evidence.py --folder FOLDER [--ask QUESTION]... [--tokens N]...

With a folder, such as a manual of a thousand pages, reports answer the questions asked of it. Of a
section on average is printed: the pages it was shown, the share of the sources' tokens of the page
it was shown most of, the parts of that page, the ends of parts that cut what stands under a
heading, and the tokens of the prompt.

Without `--model` the extractive one plans and writes; its plans are not revised by what was found.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from langchain_core.tracers.schemas import Run

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import quire  # noqa: E402
from benchmarks.golden import QUESTIONS, choose  # noqa: E402
from benchmarks.measures.call_chain import record_calls  # noqa: E402
from benchmarks.measures.rubric import Question, flatten, load_questions  # noqa: E402
from retrieval.passages.context_window import estimate_tokens  # noqa: E402

TOKENS = [3_500, 4_500, 5_500]
WRITER = "<task>write_section</task>"
_SOURCE = re.compile(r'<source n=.*? title="(.*?)"')

Figures = tuple[float, float, float, float]
"""Of one question: quotes shown in all, in a section, sources shown in a section, tokens."""


async def list_prompts(text: str, sources: Path, model: str, budget: int) -> list[str]:
    """What the writers of a report's sections are sent.

    Raises:
        QuireError: there is no report.
    """
    context = quire.Context(
        space=f"evidence-{sources.parent.name}",
        paths=[str(sources)],
        research_mode="deep",
        connectors=["library"],
        planner_model=model,
        writer_model=model,
        section_tokens=budget,
        check_links=False,
        remember=False,
    )
    with record_calls() as recorder:
        await quire.report(text, context)
    return list(find_prompts(recorder.trees))


def find_prompts(runs: Sequence[Run]) -> Iterator[str]:
    """The prompts of sections' writers among runs and what these ran."""
    for run in runs:
        texts = run.inputs.get("prompts", []) if run.run_type == "llm" else []
        yield from (text for text in texts if WRITER in text)
        yield from find_prompts(run.child_runs)


def measure(question: Question, prompts: Sequence[str]) -> Figures:
    """What of a question's rubric and sources the writers were shown, and at which length."""
    shown = [flatten(text.partition("<sources>\n")[2]) for text in prompts]
    quotes = [flatten(point.quote) for point in question.points]
    sources = len(list(question.sources.iterdir()))
    return (
        fmean(any(quote in text for text in shown) for quote in quotes),
        fmean(quote in text for text in shown for quote in quotes),
        fmean(len(set(_SOURCE.findall(text))) / sources for text in prompts),
        fmean(estimate_tokens(text) for text in prompts),
    )


def measure_pages(prompt: str) -> tuple[float, ...]:
    """Pages, share of the page shown most of, its parts, cut ends of all parts, tokens of all."""
    pages = re.findall(r"<source n=.*?</source>", prompt, re.DOTALL)
    most = max(pages, key=estimate_tokens)
    parts = [re.findall(r"<passage.*?>\n(.*?)\n</passage>", one, re.DOTALL) for one in pages]
    cuts = sum(part.startswith("…") + part.endswith("…") for own in parts for part in own)
    share = estimate_tokens(most) / sum(map(estimate_tokens, pages))
    return len(pages), share, most.count("<passage"), cuts, estimate_tokens(prompt)


async def print_pages(options: argparse.Namespace) -> None:
    """A line for each budget and question asked of the folder, and for all of a budget."""
    print(
        f"{'budget':>6}  {'pages':>5} {'share':>5} {'parts':>5} {'cuts':>5} {'tokens':>6}  question"
    )
    try:
        for budget in options.tokens or TOKENS:
            rows = []
            for asked in options.ask:
                prompts = await list_prompts(asked, options.folder, options.model, budget)
                own = [measure_pages(prompt) for prompt in prompts]
                rows.append((asked, [fmean(column) for column in zip(*own, strict=True)]))
            means = [fmean(column) for column in zip(*(row for _, row in rows), strict=True)]
            for name, (pages, share, parts, cuts, tokens) in [*rows, ("all", means)]:
                figures = f"{pages:5.1f} {share:5.2f} {parts:5.1f} {cuts:5.1f} {tokens:6,.0f}"
                print(f"{budget:6,}  {figures}  {name}")
    finally:
        await quire.close_databases()


async def print_figures(questions: Sequence[Question], options: argparse.Namespace) -> None:
    """A line for each budget and question, and for all questions of a budget."""
    print(f"{'budget':>6}  {'question':13} {'quotes':>6} {'each':>6} {'sources':>7} {'tokens':>7}")
    try:
        for budget in options.tokens or TOKENS:
            rows = []
            for one in questions:
                prompts = await list_prompts(one.text, one.sources, options.model, budget)
                rows.append(measure(one, prompts))
                print_row(budget, one.name, rows[-1])
            print_row(budget, "all", [fmean(column) for column in zip(*rows, strict=True)])
    finally:
        await quire.close_databases()


def print_row(budget: int, name: str, figures: Sequence[float]) -> None:
    """One line of the table."""
    quotes, each, sources, tokens = figures
    print(f"{budget:6,}  {name:13} {quotes:6.2f} {each:6.2f} {sources:7.2f} {tokens:7,.0f}")


def main() -> None:
    """Read the options, write the reports into a library made for the run, print."""
    form = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--model", default="extractive")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--tokens", action="append", default=[], type=int, metavar="N")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--ask", action="append", default=[], metavar="QUESTION")
    options = parser.parse_args()
    if options.folder and not options.ask:
        parser.error("--folder needs a question: --ask QUESTION")
    questions = choose(load_questions(QUESTIONS), options.only)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("QUIRE_DATABASE_URL", None)
        os.environ["QUIRE_DATA_DIR"] = folder
        asyncio.run(print_pages(options) if options.folder else print_figures(questions, options))


if __name__ == "__main__":
    main()
