"""What was counted while a report was made, in words."""

from exports.labels import Labels
from schema.report import Audit

_SHARES = ("coverage", "precision")


def format_audit_rows(audit: Audit, words: Labels) -> list[tuple[str, str, str]]:
    """The table of a report's counts: (key of the audit, what it is, the count)."""
    counts = dict(audit)
    return [(key, label, _format_count(key, counts[key])) for key, label in words.audit.items()]


def _format_count(key: str, count: object) -> str:
    if not isinstance(count, int | float):
        return ""
    return f"{count:.0%}" if key in _SHARES else f"{count:.0f}"
