"""A report and its evidence as the bytes of a bundle."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from exports.bundle.archive import pack
from exports.bundle.parts import (
    FORMAT,
    FORMAT_VERSION,
    Evidence,
    Manifest,
    Member,
    Versions,
    WordsCheck,
)
from exports.bundle.recheck import GONE, OTHER, agrees, recheck
from exports.bundle.signing import sign
from schema.report import Report


def build_bundle(
    report: Report,
    evidence: Evidence,
    written: str,
    made_with: Versions,
    key_file: Path | None = None,
    archive: Member | None = None,
) -> bytes:
    """The file of a bundle; the same for the same arguments. CPU work.

    Args:
        report: a saved one.
        evidence: the sources of its reference list and the passages of its sections.
        written: when this version was saved, ISO 8601.
        made_with: versions.
        key_file: of the private key that signs it, see `exports.bundle.signing.sign`.
        archive: of the cited pages, a file beside it.

    Raises:
        InputError: the key cannot be used.
    """
    checks = _keep_repeatable(report, evidence, recheck(report, evidence))
    parts = {"report.json": report, "evidence.json": evidence, "checks.json": checks}
    members = {name: dump(part) for name, part in parts.items()}
    told = Manifest(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        id=report.get("id", ""),
        version=report.get("version", 1),
        title=report["title"],
        question=report["question"],
        written=written,
        made_with=made_with,
        members={
            name: Member(bytes=len(one), sha256=sha256(one).hexdigest())
            for name, one in members.items()
        },
    )
    if archive:
        told["archive"] = archive
    manifest = dump(told)
    signed = {"signature.json": dump(sign(manifest, key_file))} if key_file else {}
    return pack({"manifest.json": manifest, **members, **signed})


def _keep_repeatable(
    report: Report, evidence: Evidence, checks: Sequence[WordsCheck]
) -> list[WordsCheck]:
    """The checks; of one that says something else than the report, why it cannot be repeated.

    The library may hold another version of a source than the report was written from.
    """
    kept = {one["number"] for one in evidence["sources"] if one["kept"]}
    return [
        check
        if agrees(check, citation)
        else WordsCheck(why=OTHER if citation["number"] in kept else GONE)
        for check, citation in zip(checks, report["citations"], strict=True)
    ]


def dump(part: object) -> bytes:
    """A part as JSON; in ASCII, which holds halves of surrogate pairs as well."""
    return (json.dumps(part, indent=1) + "\n").encode("ascii")
