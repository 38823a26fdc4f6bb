"""Reports as bytes, for programs and notebooks."""

from exports.citation_styles import Style
from exports.formats import BUNDLE, ExportName
from exports.formats import export as write
from schema.errors import InputError
from schema.report import Report


def export(
    report: Report, name: ExportName, style: Style = "ieee", *, attach_bundle: bool = False
) -> bytes:
    """Write a report in a format.

    Args:
        report: the report; for a bundle one that is saved, as `quire.report` returns it.
        name: of the format, or "bundle".
        style: of the citations.
        attach_bundle: whether HTML or PDF carries the bundle inside.

    Raises:
        InputError: there is no such format, style or saved report, or a package is missing.
        QuireError: it could not be written.
    """
    if name != BUNDLE and not attach_bundle:
        return write(report, name, style)
    if "id" not in report:
        raise InputError("A bundle is made of a saved report, and this one has no id.")
    from quire.calls import Call  # noqa: PLC0415  (opens the library)
    from serving.bundles import export_saved  # noqa: PLC0415

    identity, version = report["id"], report.get("version")
    return Call(
        lambda: export_saved(identity, name, style, version=version, attach=attach_bundle)
    ).result()
