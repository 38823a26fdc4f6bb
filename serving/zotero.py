"""A report that goes into a Zotero library, because its reader asked for that."""

from connectors.indexed.zotero.write import ReportNote, WrittenReport, write_report
from exports.citation_styles import Style
from exports.formats import remove_unprintable
from exports.zotero_links import find_items
from exports.zotero_note import render_zotero_note
from schema.errors import InputError
from schema.report import Report


async def send_to_zotero(report: Report, location: str, style: Style = "ieee") -> WrittenReport:
    """Write a saved report into a library.

    Args:
        report: with its id and version.
        location: as of the connector `zotero`.
        style: of the citations.

    Raises:
        InputError: there is no such library, it takes no reports, or the extra `export` is missing.
        ConnectorError: Zotero did not take it.
    """
    clean: Report = remove_unprintable(report)
    try:
        html = render_zotero_note(clean, style)
    except ModuleNotFoundError:
        message = "A note for Zotero needs a package more: pip install 'quire[export]'."
        raise InputError(message) from None
    days = [one["accessed"] for one in clean["references"]]
    note = ReportNote(
        identity=clean.get("id", ""),
        version=clean.get("version", 1),
        title=clean["title"],
        date=max(days, default=""),
        language=clean["language"],
        html=html,
        cited=list(find_items(clean["citations"]).values()),
    )
    return await write_report(location, note)
