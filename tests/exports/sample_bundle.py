"""A small bundle: three sources, one of which is no longer kept, and a model's verdict."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from sample_report import audit, reference

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from exports.bundle.archive import pack, unpack
from exports.bundle.build import build_bundle, dump
from exports.bundle.parts import (
    BundledSource,
    Evidence,
    ReadPassage,
    SectionEvidence,
    Stretch,
    Versions,
)
from exports.bundle.words import hash_text, hash_words
from schema.documents import Passage
from schema.report import Citation, Report, ReportSection

TEXTS = {
    1: "The survey of 2024 is long. Otters eat 25 % of their weight each day. They sleep afloat.",
    2: "Kelp is an alga. Kelp came back within two years where otters live. It is brown.",
}
SENTENCES = [
    ("Otters eat 25 % of their weight each day [1].", 1),
    ("Kelp came back within two years [2].", 2),
    ("Otters hold hands while they sleep [3].", 3),
]
TITLES = {1: "Survey", 2: "Kelp", 3: "Hands"}
SUBJECT = "What do otters eat?\n\nFood"
VERSIONS = Versions(
    written="0.1.0", exported="0.1.0", models={"judge": "openai:gpt"}, prompts={}, packages={}
)
WRITTEN = "2026-01-02T10:00:00+00:00"


def _cite(number: int, sentence: str) -> Citation:
    """The citation as a run binds it; of the third source the report alone holds something."""
    if number == 3:
        quote = "A raft of otters holds hands."
        start, kind, confidence, reasons = 40, "supported", 0.9, list[str]()
        before, after = "In the bay. ", " They drift."
    else:
        text = TEXTS[number]
        passage = Passage(chunk=0, document=number, start=0, end=len(text), text=text)
        read = {number: SourcePassages([passage], "en", (TITLES[number], "", "", ""))}
        [checked] = check_sentences(sentence, read, "en", SUBJECT)
        verdict = checked.verdicts[number]
        assert verdict.span
        quote, start, kind = verdict.span.quote, verdict.span.start, verdict.kind
        confidence = round(verdict.confidence, 3)
        reasons = [f"{code}: {words}" for code, words in verdict.reasons]
        end = start + len(quote)
        before, after = text[:start], text[end:]
    return Citation(
        section=0, sentence=sentence, number=number, document=f"https://otters.example/{number}",
        start=start, end=start + len(quote), quote=quote, before=before, after=after,
        verdict=kind, confidence=confidence, reasons=reasons,
        step="model" if number == 3 else "words",
    )  # fmt: skip


def make_report() -> Report:
    """A report of one section."""
    cited = [_cite(number, sentence) for sentence, number in SENTENCES]
    kinds = [one["verdict"] for one in cited]
    return Report(
        id="abcdefgh", version=1, question="What do otters eat?", title="Otters", language="en",
        sections=[ReportSection(title="Food", text=" ".join(one for one, _ in SENTENCES))],
        references=[
            reference(n, TITLES[n], url=f"https://otters.example/{n}") for n in sorted(TITLES)
        ],
        citations=cited, conflicts=[], charts=[],
        audit=audit(citations=3, **{
            f"citations_{kind}": kinds.count(kind)
            for kind in ("supported", "partial", "contradicted", "absent")
        }),
        degraded=[], further_questions=[], usage={},
    )  # fmt: skip


def _source(number: int, stretches: list[Stretch], text: str) -> BundledSource:
    return BundledSource(
        number=number, document=f"https://otters.example/{number}",
        url=f"https://otters.example/{number}", title=TITLES[number], author="", site="",
        published="", connector="reader", fetched=WRITTEN, excerpt=False, kept=bool(text),
        characters=max(len(text), *(one["start"] + len(one["text"]) for one in stretches)),
        text_sha256=hash_text(text) if text else "", words_sha256=hash_words(text) if text else "",
        stretches=stretches,
    )  # fmt: skip


def make_evidence(report: Report) -> Evidence:
    """What the library held of its sources."""
    third = report["citations"][2]
    told = third["before"] + third["quote"] + third["after"]
    lost = Stretch(start=third["start"] - len(third["before"]), text=told)
    return Evidence(
        sources=[
            *(_source(n, [Stretch(start=0, text=text)], text) for n, text in TEXTS.items()),
            _source(3, [lost], ""),
        ],
        sections=[
            SectionEvidence(
                subject=SUBJECT,
                passages=[
                    ReadPassage(number=n, start=0, end=len(text), heading="")
                    for n, text in TEXTS.items()
                ],
            )
        ],
    )


def make_bundle() -> bytes:
    """The file."""
    report = make_report()
    return build_bundle(report, make_evidence(report), WRITTEN, VERSIONS)


def forge(name: str, change: Callable[[Any], Any], bundle: bytes | None = None) -> bytes:
    """A bundle with one part changed, all digests and the seal made anew."""
    members = unpack(bundle or make_bundle()).members
    part = json.loads(members[name])
    change(part)
    members[name] = dump(part)
    manifest = json.loads(members["manifest.json"])
    if name in manifest["members"]:
        digest = sha256(members[name]).hexdigest()
        manifest["members"][name] = {"bytes": len(members[name]), "sha256": digest}
        members["manifest.json"] = dump(manifest)
    return pack(members)
