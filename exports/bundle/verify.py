"""What of a bundle does not hold: its bytes, its quotes, the verdicts that words give."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from citations.checked_sentence import NUMBER_REASONS
from exports.bundle.parts import (
    HASHED,
    Bundle,
    BundledSource,
    Manifest,
    Member,
    Signature,
    WordsCheck,
)
from exports.bundle.read import ReadBundle, read_bundle
from exports.bundle.recheck import cut, is_same, recheck
from exports.bundle.signing import is_signed_well
from exports.bundle.words import hash_text, hash_words
from schema.report import Citation

Kind = Literal["bytes", "signature", "text", "quote", "verdict", "count"]


@dataclass(frozen=True)
class Difference:
    """Something that is not as the bundle says; `citation` is its place among the citations."""

    kind: Kind
    detail: str
    citation: int | None = None


@dataclass(frozen=True)
class Verification:
    """What was checked of a bundle, and what differs.

    Attributes:
        manifest: of the bundle.
        differences: what does not hold.
        citations: how many there are.
        quotes: of them those whose quote stands where it is said to.
        repeated: those whose check by words was repeated, with the same outcome.
        by_models: those whose verdict is a checker's or a model's, which is not repeated.
        unrepeated: why, of those that cannot be repeated, with their number.
        hashed: full texts of sources that the bundle holds whole, so that their digest was
            compared.
        signature: of the bundle; None where it has none.
    """

    manifest: Manifest
    differences: tuple[Difference, ...]
    citations: int
    quotes: int
    repeated: int
    by_models: int
    unrepeated: dict[str, int]
    hashed: int
    signature: Signature | None


def verify_bundle(
    data: bytes, trusted_key: str = "", archive: Member | None = None
) -> tuple[Verification, Bundle]:
    """Repeat every check that needs neither a model nor the library nor a network. CPU work.

    Args:
        data: the file.
        trusted_key: the public key that must have signed it, as `read_public_key` returns it.
        archive: of the WARC file that is at hand.

    Raises:
        QuireError: it is no bundle that can be read.
    """
    bundle = read_bundle(data)
    parts = bundle.parts
    report, evidence = parts["report"], parts["evidence"]
    said = recheck(report, evidence)
    differences = [
        *_check_bytes(bundle),
        *_check_signature(bundle, trusted_key),
        *_check_manifest(parts),
        *_check_archive(parts, archive),
        *_check_texts(evidence["sources"]),
        *_check_quotes(parts),
        *_check_verdicts(parts, said),
        *_check_counts(parts),
    ]
    wrong = {one.citation for one in differences if one.kind == "verdict"}
    misquoted = {one.citation for one in differences if one.kind == "quote"}
    whys = [one["why"] for one in parts["checks"] if "why" in one]
    steps = [one.get("step", "words") for one in report["citations"]]
    return (
        Verification(
            manifest=parts["manifest"],
            differences=tuple(differences),
            citations=len(said),
            quotes=sum(at not in misquoted for at in range(len(said))),
            repeated=sum(
                at not in wrong and "why" not in one for at, one in enumerate(parts["checks"])
            ),
            by_models=sum(step != "words" for step in steps),
            unrepeated=dict(Counter(whys)),
            hashed=sum(_is_whole(one) for one in evidence["sources"]),
            signature=parts.get("signature"),
        ),
        parts,
    )


def _check_bytes(bundle: ReadBundle) -> Iterator[Difference]:
    named = bundle.parts["manifest"]["members"]
    if {*named} != {*HASHED}:
        yield Difference("bytes", "The manifest does not name the parts of a bundle.")
    for name in HASHED:
        content = bundle.members[name]
        if name in named and named[name]["sha256"] != sha256(content).hexdigest():
            yield Difference("bytes", f"{name} is not the one that the manifest names.")
        elif name in named and named[name]["bytes"] != len(content):
            yield Difference("bytes", f"{name} has {len(content):,} bytes, not as many as named.")
    if not bundle.is_sealed:
        yield Difference("bytes", "The file is not byte for byte as it was written.")


def _check_signature(bundle: ReadBundle, trusted_key: str) -> Iterator[Difference]:
    signature = bundle.parts.get("signature")
    if signature is None:
        if trusted_key:
            yield Difference("signature", "It is not signed.")
    elif not is_signed_well(bundle.members["manifest.json"], signature):
        yield Difference("signature", "Its signature does not fit what it holds.")
    elif trusted_key and signature["public_key"] != trusted_key:
        yield Difference("signature", "It is signed with another key.")


def _check_manifest(parts: Bundle) -> Iterator[Difference]:
    manifest, report = parts["manifest"], parts["report"]
    said = (manifest["id"], manifest["version"], manifest["title"], manifest["question"])
    is_of = (report.get("id", ""), report.get("version", 1), report["title"], report["question"])
    if said != is_of:
        yield Difference("bytes", "The manifest is one of another report.")


def _check_archive(parts: Bundle, archive: Member | None) -> Iterator[Difference]:
    """One that the manifest names none of is anybody's: its pages are compared all the same."""
    named = parts["manifest"].get("archive")
    if archive and named and archive != named:
        yield Difference("bytes", "The WARC file is not the one that was written with the bundle.")


def _is_whole(source: BundledSource) -> bool:
    """Whether all of a source's text is there."""
    one = source["stretches"][0] if len(source["stretches"]) == 1 else None
    whole = one is not None and one["start"] == 0 and len(one["text"]) == source["characters"]
    return whole and bool(source["text_sha256"])


def _check_texts(sources: Sequence[BundledSource]) -> Iterator[Difference]:
    for source in filter(_is_whole, sources):
        text = source["stretches"][0]["text"]
        digests = (source["text_sha256"], source["words_sha256"])
        if digests != (hash_text(text), hash_words(text)):
            yield Difference("text", f"The text of source [{source['number']}] is another one.")


def _check_quotes(parts: Bundle) -> Iterator[Difference]:
    report = parts["report"]
    sources = {one["number"]: one for one in parts["evidence"]["sources"]}
    for at, one in enumerate(report["citations"]):
        if one["sentence"] not in report["sections"][one["section"]]["text"]:
            yield _differ("quote", at, one, "its sentence does not stand in the report")
        elif f"[{one['number']}]" not in one["sentence"]:
            yield _differ("quote", at, one, "its sentence does not cite it")
        source = sources[one["number"]]
        if source["document"] != one["document"]:
            yield _differ("quote", at, one, "it names another document than its source is")
        begin, end = one["start"] - len(one["before"]), one["end"] + len(one["after"])
        told = one["before"] + one["quote"] + one["after"]
        if not one["quote"] or cut(source, begin, end) != told or _shifted(one):
            yield _differ("quote", at, one, "its quote does not stand in its source")


def _shifted(one: Citation) -> bool:
    return one["end"] - one["start"] != len(one["quote"])


def _check_verdicts(parts: Bundle, said: Sequence[WordsCheck]) -> Iterator[Difference]:
    """What words say now, against what they said, and that against the report."""
    rows = zip(parts["report"]["citations"], parts["checks"], said, strict=True)
    for at, (citation, before, now) in enumerate(rows):
        if "why" in before:
            continue
        if not is_same(before, now):
            yield _differ("verdict", at, citation, _compare(before, now))
        step = citation.get("step", "words")
        report_says = WordsCheck(
            verdict=citation["verdict"],
            confidence=citation["confidence"],
            start=citation["start"],
            end=citation["end"],
            reasons=citation["reasons"],
        )
        if step == "words" and not is_same(before, report_says):
            yield _differ("verdict", at, citation, _compare(report_says, before))
        lacks = [one for one in now.get("reasons", []) if one.partition(":")[0] in NUMBER_REASONS]
        if step != "words" and citation["verdict"] == "supported" and lacks:
            what = f"it is called supported, and its source has no {'; no '.join(lacks)}"
            yield _differ("verdict", at, citation, what)


def _compare(told: WordsCheck, found: WordsCheck) -> str:
    names = ("verdict", "confidence", "start", "end", "reasons", "why")
    changed = [
        f"{name} {told.get(name, 'none')}, now {found.get(name, 'none')}"
        for name in names
        if told.get(name) != found.get(name)
    ]
    return f"words say something else: {'; '.join(changed)}"


def _check_counts(parts: Bundle) -> Iterator[Difference]:
    """The audit's counts of citations, and the list of references."""
    report = parts["report"]
    audit = report["audit"]
    kinds = Counter(one["verdict"] for one in report["citations"])
    told = {
        "supported": audit["citations_supported"],
        "partial": audit["citations_partial"],
        "contradicted": audit["citations_contradicted"],
        "absent": audit["citations_absent"],
    }
    for kind, count in told.items():
        if count != kinds.get(kind, 0):  # type: ignore[call-overload]
            detail = f"The report counts {count} citations as {kind}, and has {kinds[kind]}."  # type: ignore[index]
            yield Difference("count", detail)
    if audit["citations"] != len(report["citations"]):
        detail = f"The report counts {audit['citations']} citations, and has {kinds.total()}."
        yield Difference("count", detail)


def _differ(kind: Kind, at: int, citation: Citation, what: str) -> Difference:
    sentence = " ".join(citation["sentence"].split())
    shown = sentence if len(sentence) <= 120 else f"{sentence[:119]}…"
    return Difference(kind, f"Citation [{citation['number']}] of “{shown}”: {what}.", at)
