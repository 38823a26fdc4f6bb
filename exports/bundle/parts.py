"""The parts of a bundle, one JSON file each; `bundle.schema.json` is made of them.

Offsets count characters of a source's full text, as in `schema.report.Citation`.
"""

import json
from typing import Annotated, Literal, NotRequired

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from schema.report import Report, VerdictKind

FORMAT: Literal["quire-bundle"] = "quire-bundle"
FORMAT_VERSION: Literal[1] = 1

SUFFIX = ".quire"
"""How the files end."""

MEDIA_TYPE = "application/vnd.quire.bundle+zip"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 in hexadecimal digits."""

Offset = Annotated[int, Field(ge=0, lt=2**31)]


class Member(TypedDict):
    """A file of the bundle: its bytes, and their SHA-256."""

    bytes: Offset
    sha256: Digest


class Versions(TypedDict):
    """What a report was made with.

    `written` is the version of Quire that began the report, "" where it is not known; `exported`
    the one that wrote the bundle, and `prompts` (version by name) and `packages`, which the checks
    of words rest on, are its. `models` are those of the run by role: who gave a citation's verdict
    is its `step`, and the model of that step stands here.
    """

    written: str
    exported: str
    models: dict[str, str]
    prompts: dict[str, int]
    packages: dict[str, str]


class Manifest(TypedDict):
    """What the bundle is and holds. `written` is when the report's version was saved, ISO 8601.

    `archive` is the WARC file of the cited pages that was written with it, where one was.
    """

    format: Literal["quire-bundle"]
    format_version: Literal[1]
    id: str
    version: int
    title: str
    question: str
    written: str
    made_with: Versions
    members: dict[str, Member]
    archive: NotRequired[Member]


class Stretch(TypedDict):
    """A part of a source's text, from the character `start` on."""

    start: Offset
    text: str


class BundledSource(TypedDict):
    """An entry of the reference list as the library held it when the bundle was written.

    `kept` says whether the library had its text as the report cites it; without that there are only
    the quotes with what stands around them, and the digests are "". `text_sha256` is of the full
    text in UTF-8, `words_sha256` of its words without markup, see `exports.bundle.words`;
    `stretches` are in order and do not overlap. `fetched` is when it was read, ISO 8601; `excerpt`
    says that only a search engine's excerpt of it was.
    """

    number: int
    document: str
    url: str
    title: str
    author: str
    site: str
    published: str
    connector: str
    fetched: str
    excerpt: bool
    kept: bool
    characters: Offset
    text_sha256: Digest | Literal[""]
    words_sha256: Digest | Literal[""]
    stretches: list[Stretch]


class ReadPassage(TypedDict):
    """A passage that a section's writer saw of a source, by that source's number."""

    number: int
    start: Offset
    end: Offset
    heading: str


class SectionEvidence(TypedDict):
    """What a section was checked against.

    `subject` is what it is about: the question, who reads it, its title. `passages` stand in the
    order in which its writer saw them.
    """

    subject: str
    passages: list[ReadPassage]


class Evidence(TypedDict):
    """The sources of the reference list, and for each section what was read of them."""

    sources: list[BundledSource]
    sections: list[SectionEvidence]


class WordsCheck(TypedDict):
    """What words say of a citation, with no model: as in `Citation`.

    `why` is set in place of the rest where the bundle does not hold what the verdict was given on.
    """

    why: NotRequired[str]
    verdict: NotRequired[VerdictKind]
    confidence: NotRequired[float]
    start: NotRequired[Offset]
    end: NotRequired[Offset]
    reasons: NotRequired[list[str]]


class Signature(TypedDict):
    """An Ed25519 signature of `PREFIX` and the manifest's bytes; both fields are Base64."""

    algorithm: Literal["ed25519"]
    public_key: Annotated[str, Field(max_length=100)]
    signature: Annotated[str, Field(max_length=200)]


class Bundle(TypedDict):
    """All parts; `x` stands in the file `x.json`. `checks` has an entry for each citation."""

    manifest: Manifest
    report: Report
    evidence: Evidence
    checks: list[WordsCheck]
    signature: NotRequired[Signature]


MEMBERS = ("manifest.json", "report.json", "evidence.json", "checks.json", "signature.json")
"""The files of a bundle, in their order; the last one may be missing."""

HASHED = MEMBERS[1:4]
"""Those that the manifest names."""


def render_schema() -> str:
    """The JSON schema of a bundle, as it stands in `bundle.schema.json`."""
    schema = TypeAdapter(Bundle).json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"
