"""Which sections of a report stand below a heading of their own."""

from schema.report import Report, ReportSection


def needs_heading(report: Report, section: ReportSection) -> bool:
    """Whether a section's title is set: the only section of a report may have the report's own."""
    return len(report["sections"]) > 1 or section["title"] != report["title"]
