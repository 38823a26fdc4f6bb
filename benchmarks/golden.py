"""How well reports answer questions whose good answers are known.

`examples/golden` holds ten questions of different shapes, each with sources of its own, the points
that an expert wants to read, what the sources do not say, and traps.

    python benchmarks/golden.py [--model PROVIDER:MODEL] [--judge PROVIDER:MODEL] [--only NAME]...
        [--mode general|deep|deeper] [--out DIR] [--against DIR] [--floor coverage=.5,traps=0]

Each question's sources are read into a space of a library that is made for the run and removed
after it. The reports are kept below `--out` as NAME.json and NAME.md. `--against` names the `--out`
of an earlier run: its reports are measured anew and stand beside the new ones; with `--judge` the
judge also says which of both is better, blind and in both orders. Without `--model` the extractive
one writes.

A floor is the least value in the column "all" that passes, or the largest of what is better small.
Exits 1 where one is missed, or a report could not be written; such a question is not in "all".
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import quire  # noqa: E402
from benchmarks.measures.call_chain import find_longest_chain, record_calls  # noqa: E402
from benchmarks.measures.golden_rows import (  # noqa: E402
    SHOWN,
    SMALL,
    Ran,
    Row,
    make_row,
    print_side_by_side,
    print_table,
    report_text,
    sum_up,
)
from benchmarks.measures.judging import compare, judge_points  # noqa: E402
from benchmarks.measures.rubric import Question, load_questions  # noqa: E402
from schema.context import ResearchMode  # noqa: E402
from schema.report import Report  # noqa: E402

QUESTIONS = ROOT / "examples" / "golden"
RUNS = "runs.json"
"""Beside the reports: what is known of a run and does not stand in its report."""


async def write_report(question: Question, model: str, mode: ResearchMode) -> tuple[Report, Ran]:
    """Write the report of a question from its sources alone.

    Raises:
        QuireError: there is none.
    """
    context = quire.Context(
        space=f"golden-{question.name}",
        paths=[str(question.sources)],
        research_mode=mode,
        connectors=["library"],
        planner_model=model,
        writer_model=model,
        check_links=False,
        remember=False,
    )
    started = time.perf_counter()
    with record_calls() as recorder:
        report = await quire.report(question.text, context)
    seconds = round(time.perf_counter() - started, 1)
    return report, Ran(chain=find_longest_chain(recorder.trees), seconds=seconds)


async def judge_row(question: Question, report: Report, row: Row, judge: str) -> Row:
    """The row with the share of the points that a judge finds in the report."""
    points = [one.says for one in question.points]
    made = await judge_points(judge, question.text, points, report_text(report))
    return {**row, "judged": len(made) / len(points)}


async def measure_new(question: Question, options: argparse.Namespace) -> tuple[Report, Row]:
    """Write, keep and measure the report of a question."""
    report, ran = await write_report(question, options.model, options.mode)
    keep(options.out, question.name, report, ran)
    row = make_row(question, report, ran)
    return report, await judge_row(question, report, row, options.judge) if options.judge else row


async def measure_old(question: Question, options: argparse.Namespace) -> tuple[Report, Row] | None:
    """Measure the report of an earlier run, if it has one."""
    file = options.against / f"{question.name}.json"
    if not file.exists():
        return None
    report: Report = json.loads(file.read_text(encoding="utf-8"))
    row = make_row(question, report, load_runs(options.against).get(question.name, Ran()))
    return report, await judge_row(question, report, row, options.judge) if options.judge else row


def keep(folder: Path, name: str, report: Report, ran: Ran) -> None:
    """Write a report as JSON and Markdown, and what its run took."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_bytes(quire.export(report, "markdown"))
    runs = {**load_runs(folder), name: ran}
    (folder / RUNS).write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")


def load_runs(folder: Path) -> dict[str, Ran]:
    """What is known of the runs of a folder of reports, by question."""
    file = folder / RUNS
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


async def run_all(
    questions: Sequence[Question], options: argparse.Namespace
) -> tuple[list[Row], list[Row], list[str]]:
    """Measure every question.

    Returns:
        The rows, those of the earlier run, and what failed, a sentence each.
    """
    rows, old_rows, failed = list[Row](), list[Row](), list[str]()
    try:
        for question in questions:
            try:
                row, old = await run_one(question, options)
            except quire.QuireError as error:
                failed.append(f"{question.name}: {error}")
                continue
            rows.append(row)
            old_rows += [old] if old else []
            print(f"{question.name}: {row['seconds']} s", file=sys.stderr)
    finally:
        await quire.close_databases()
    return rows, old_rows, failed


async def run_one(question: Question, options: argparse.Namespace) -> tuple[Row, Row | None]:
    """The row of a question's new report, and that of the earlier one where there is one."""
    report, row = await measure_new(question, options)
    old = await measure_old(question, options) if options.against else None
    if old and options.judge:
        texts = report_text(report), report_text(old[0])
        row["better"] = await compare(options.judge, question.text, *texts)
    return row, old[1] if old else None


def find_missed(all_row: Row, floors: Mapping[str, float]) -> list[str]:
    """The floors that all questions together miss, a sentence each."""
    told = []
    for name, floor in floors.items():
        value = all_row[name]
        if not isinstance(value, int | float):
            told.append(f"{name} is not known")
        elif value > floor if name in SMALL else value < floor:
            told.append(f"{name} is {value:.3f}, its floor {floor:g}")
    return told


def parse_floors(given: str) -> dict[str, float]:
    """Floors by measure, of text such as `coverage=.5,traps=0`.

    Raises:
        ArgumentTypeError: there is no such measure.
    """
    pairs = [one.partition("=") for one in given.split(",") if one]
    if unknown := {name for name, _, _ in pairs} - set(SHOWN):
        raise argparse.ArgumentTypeError(f"no measure {', '.join(unknown)}: one of {[*SHOWN]}")
    return {name: float(least) for name, _, least in pairs}


def read_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", default="extractive")
    parser.add_argument("--judge", default="")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--mode", choices=get_args(ResearchMode), default="deep")
    parser.add_argument("--out", type=Path, default=ROOT / ".quire" / "golden", metavar="DIR")
    parser.add_argument("--against", type=Path, metavar="DIR")
    parser.add_argument("--floor", type=parse_floors, default={})
    options = parser.parse_args()
    if options.judge == "extractive":
        parser.error("the extractive model cannot judge: name a language model")
    if options.against and options.against.resolve() == options.out.resolve():
        parser.error("--against and --out are the same folder: the new reports would replace it")
    return options


def choose(questions: Sequence[Question], only: Sequence[str]) -> list[Question]:
    """The questions with these names, or all.

    Raises:
        SystemExit: there is no question of a name.
    """
    if unknown := set(only) - {one.name for one in questions}:
        known = ", ".join(one.name for one in questions)
        sys.exit(f"There is no question {', '.join(sorted(unknown))}: use one of {known}.")
    return [one for one in questions if not only or one.name in only]


def main() -> None:
    """Write, measure, print, and exit 1 where something fails or a floor is missed."""
    options = read_options()
    questions = choose(load_questions(QUESTIONS), options.only)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("QUIRE_DATABASE_URL", None)
        os.environ["QUIRE_DATA_DIR"] = folder
        rows, old_rows, failed = asyncio.run(run_all(questions, options))
    missed: list[str] = []
    if rows:
        all_row: dict[str, Any] = sum_up(rows)
        print_table([*rows, all_row])
        missed = find_missed(all_row, options.floor)
    if old_rows:
        both = [row for row in rows if row["question"] in {old["question"] for old in old_rows}]
        print()
        print_side_by_side([*both, sum_up(both)], [*old_rows, sum_up(old_rows)])
    for one in [*(f"FAILED  {one}" for one in failed), *(f"MISSED  {one}" for one in missed)]:
        print(one)
    sys.exit(bool(failed or missed))


if __name__ == "__main__":
    main()
