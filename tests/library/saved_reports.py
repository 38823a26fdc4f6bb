"""Reports to keep."""

from typing import Any

from library.saved_reports import RunStart, SectionMaterial
from schema.report import Audit, Report

MATERIAL = [SectionMaterial(questions=["What do otters eat?", "When?"], chunks=[3, 1, 2])]
RUN = RunStart(context={"space": "here"}, skipped=[])


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
            "audit": Audit(**dict.fromkeys(Audit.__annotations__, 0)),  # type: ignore[typeddict-item]
            "degraded": [],
            "further_questions": [],
            "usage": {},
        }
        | parts
    )
