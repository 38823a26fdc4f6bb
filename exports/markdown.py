"""A report, or an answer, as Markdown."""

from collections.abc import Iterator

from exports.labels import Labels, labels
from schema.deep_search import DeepAnswer
from schema.report import Audit, Reference, Report


def report_markdown(report: Report) -> str:
    """Lay a report out: title, sections, references, further questions, audit."""
    words = labels(report["language"])
    return "\n".join(_lines(report, words)).strip() + "\n"


def answer_markdown(answer: DeepAnswer) -> str:
    """An answer with its references, and what it falls short of."""
    words = labels(answer["language"])
    lines = [answer["text"], ""]
    for reference in answer["references"]:
        lines += [reference_line(reference, words), ""]
    if answer["degraded"]:
        lines += [words.degraded, ""]
        lines += [f"- `{item['code']}`: {item['detail']}" for item in answer["degraded"]]
    return "\n".join(lines).strip() + "\n"


def _lines(report: Report, words: Labels) -> Iterator[str]:
    yield from (f"# {report['title']}", "")
    for section in report["sections"]:
        if section["title"] != report["title"]:  # a report of one section says it once
            yield from (f"## {section['title']}", "")
        yield from (section["text"], "")
    yield from (f"## {words.references}", "")
    for reference in report["references"]:
        yield from (reference_line(reference, words), "")
    if report["further_questions"]:
        yield from (f"## {words.further}", "")
        yield from (f"- {question}" for question in report["further_questions"])
        yield ""
    yield from (f"## {words.about}", "")
    yield from (_counted(report["audit"], words), "")
    if any(item["code"] == "no_language_model" for item in report["degraded"]):
        yield from (words.extractive, "")
    if report["degraded"]:
        yield from (words.degraded, "")
        yield from (f"- `{item['code']}`: {item['detail']}" for item in report["degraded"])
        yield ""


def reference_line(reference: Reference, words: Labels) -> str:
    """One entry: number, author, title, site, date, address, day of access, what is amiss."""
    url = reference["url"]
    address = f"<{url}>" if url.startswith(("http://", "https://", "file://")) else url
    parts = [
        reference["author"],
        f"“{reference['title']}”" if reference["title"] else "",
        reference["site"],
        reference["published"],
        address,
        f"{words.accessed} {reference['accessed']}" if reference["accessed"] else "",
        f"({words.excerpt})" if reference["excerpt"] else "",
    ]
    dead = words.dead.format(day=reference["checked"][:10])
    note = f" ({dead})" if reference["reachable"] is False else ""
    return f"[{reference['number']}] " + ", ".join(part for part in parts if part) + f"{note}."


def _counted(audit: Audit, words: Labels) -> str:
    return words.counted.format(
        sentences=audit["sentences"],
        cited=audit["sentences_cited"],
        citations=audit["citations"],
        used=audit["sources_cited"],
        found=audit["sources_found"],
        dropped=audit["unknown_numbers_dropped"],
    )
