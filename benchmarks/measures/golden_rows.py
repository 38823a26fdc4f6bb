"""The measures of a report on a golden question, those of all, and how they are printed."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from benchmarks.measures.answering import find_answering
from benchmarks.measures.phrases import find_glue
from benchmarks.measures.reading import from_json
from benchmarks.measures.rubric import Question
from benchmarks.measures.shape import redundancy
from citations.markers import strip_markers
from schema.report import Report

Row = dict[str, Any]
"""Measures of a report by name; None where it does not say. `question` is its name."""


class Ran(TypedDict, total=False):
    """What is known of a run: its longest chain of model calls, and its wall time in seconds."""

    chain: int
    seconds: float


SHARES = {
    "coverage": "points of the rubric that the report makes, by words",
    "judged": "points that the judge finds",
    "better": "how often the judge prefers it to the earlier one, in both orders",
    "right source": "of the points made, those beside which a source is cited that holds them",
    "gaps": "gaps of the sources that the report names",
    "supported": "citations that their source supports, by the report's own verdicts",
    "cited": "sentences, or facts where the report tells them apart, that cite a source",
}
COUNTS = {
    "false absences": "sentences that deny what the sources say",
    "traps": "traps that it fell into",
    "facts": "", "synthesis": "", "gap sentences": "", "structure": "",
    "words": "", "repeated": "sentences that stand a second time",
    "glue": "phrases that say nothing",
    "calls": "of models", "chain": "most calls of models, one after the other",
    "tokens": "", "tokens/1,000 words": "", "seconds": "",
}  # fmt: skip
SHOWN = (*SHARES, *COUNTS)
SMALL = frozenset(
    ("false absences", "traps", "repeated", "glue", "calls", "chain", "tokens",
     "tokens/1,000 words", "seconds")
)  # fmt: skip
"""Measures that are better small."""

_AUDITED = {"facts": "facts", "synthesis": "synthesis", "gap sentences": "gaps",
            "structure": "structure"}  # fmt: skip


def make_row(question: Question, report: Report, ran: Ran) -> Row:
    """Measure a report."""
    paper = from_json(report)
    found = find_answering(paper, question)
    verdicts = [one["verdict"] for one in report["citations"]]
    audit: dict[str, Any] = dict(report["audit"])
    text = report_text(report)
    words = len(text.split())
    used = report["usage"].values()
    tokens = sum(one["input_tokens"] + one["output_tokens"] for one in used)
    return {
        "question": question.name,
        "coverage": len(found.made) / len(question.points),
        "judged": None,
        "better": None,
        "right source": len(found.well_cited) / len(found.made) if found.made else None,
        "gaps": len(found.gaps_named) / len(question.gaps) if question.gaps else None,
        "supported": verdicts.count("supported") / len(verdicts) if verdicts else None,
        "cited": audit.get("coverage"),
        "false absences": len(found.false_absences),
        "traps": len(found.fallen),
        **{name: audit.get(key) for name, key in _AUDITED.items()},
        "words": words,
        "repeated": redundancy(paper).repeated,
        "glue": len(find_glue(text, report["language"])),
        "calls": sum(one["calls"] for one in used),
        "chain": ran.get("chain"),
        "tokens": tokens,
        "tokens/1,000 words": round(1000 * tokens / max(1, words)),
        "seconds": ran.get("seconds"),
        "missed": list(found.missed),
        "fallen": list(found.fallen),
        "denied": list(found.false_absences),
    }


def report_text(report: Report) -> str:
    """The sections with their titles as Markdown, without citation markers."""
    return "\n\n".join(
        f"## {one['title']}\n\n{strip_markers(one['text'])}" for one in report["sections"]
    )


def sum_up(rows: Sequence[Row]) -> Row:
    """The row of all questions: shares averaged, chains too, everything else added."""
    total: Row = {"question": "all"}
    for name in SHOWN:
        known = [row[name] for row in rows if row[name] is not None]
        averaged = name in SHARES or name == "chain"
        total[name] = (sum(known) / len(known) if averaged else sum(known)) if known else None
    if total["words"]:
        total["tokens/1,000 words"] = round(1000 * total["tokens"] / total["words"])
    return total


def print_table(rows: Sequence[Row]) -> None:
    """Print measures down and questions across; what no report has is left out."""
    names = [name for name in SHOWN if any(row[name] is not None for row in rows)]
    _print([["", *(row["question"] for row in rows)]] + [
        [name, *(_show(row[name], name) for row in rows)] for name in names
    ])  # fmt: skip
    for row in rows:
        for key in ("missed", "fallen", "denied"):
            for one in row.get(key, []):
                print(f"{row['question']}  {key}: {one}")


def print_side_by_side(new: Sequence[Row], old: Sequence[Row]) -> None:
    """Print the measures of two runs, the earlier one first, for the questions that both have."""
    before = {row["question"]: row for row in old}
    both = [(before[row["question"]], row) for row in new if row["question"] in before]
    names = [name for name in SHOWN if any(a[name] is not None for a, _ in both)]
    _print([["before → now", *(row["question"] for _, row in both)]] + [
        [name, *(f"{_show(a[name], name)} → {_show(b[name], name)}" for a, b in both)]
        for name in names
    ])  # fmt: skip


def _show(value: float | None, name: str) -> str:
    if value is None:
        return "–"
    if name in SHARES:
        return f"{value:.2f}"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _print(lines: Sequence[Sequence[str]]) -> None:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for first, *rest in lines:
        padded = (one.rjust(width) for one, width in zip(rest, widths[1:], strict=True))
        print(first.ljust(widths[0]), *padded, sep="  ")
