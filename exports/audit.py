"""What was counted while a report was made, in words."""

from exports.labels import Labels
from schema.report import Audit

_SHARES = ("coverage", "precision")


def audit_rows(audit: Audit, words: Labels) -> list[tuple[str, str, str]]:
    """The table of a report's counts: (key of the audit, what it is, the count)."""
    counts = dict(audit)
    return [(key, said, _written(key, counts[key])) for key, said in words.audit.items()]


def _written(key: str, count: object) -> str:
    if not isinstance(count, int | float):
        return ""
    return f"{count:.0%}" if key in _SHARES else f"{count:.0f}"
