"""Reports to keep."""

from typing import Any

from schema.report import Audit, Report


def report(identity: str, version: int = 1, **parts: Any) -> Report:
    """A report of one section, unless told otherwise."""
    return Report(
        **{
            "id": identity,
            "version": version,
            "question": "What do otters eat?",
            "title": "Otters",
            "language": "en",
            "sections": [{"title": "Food", "text": "Otters eat fish [1]."}],
            "references": [],
            "citations": [],
            "conflicts": [],
            "charts": [],
            "audit": Audit(),  # type: ignore[typeddict-item]
            "degraded": [],
            "further_questions": [],
            "usage": {},
        }
        | parts
    )
