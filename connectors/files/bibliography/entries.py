"""Entries of bibliographies, whatever their format: what they say, and which files are theirs."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from connectors.files.bibliography.bibtex import MONTHS, RawEntry, parse_bibtex
from connectors.files.bibliography.latex import read_latex
from connectors.files.encoding import decode
from connectors.json_fields import get_fields, get_records, get_string, parse_json
from connectors.open_access.identifiers import find_doi

MAX_BYTES = 50 * 2**20
"""Bytes of a bibliography; a larger one is a file like others."""
MAX_AUTHORS = 20
MAX_FILES = 20
"""Files of one entry."""

_DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?(?!\d)")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_CSL_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\[\s*\{")
_SPLIT_FILES, _SPLIT_PARTS = re.compile(r"(?<!\\);"), re.compile(r"(?<!\\):")
_CONTAINERS = ("journaltitle", "journal", "booktitle", "organization", "institution", "school",
               "publisher", "howpublished")  # fmt: skip


@dataclass(frozen=True)
class BibEntry:
    """An entry. `published` is ISO 8601, as precise as it is; `files` are paths as they stand."""

    key: str
    title: str
    author: str = ""
    published: str = ""
    site: str = ""
    place: str = ""
    doi: str = ""
    url: str = ""
    keywords: str = ""
    abstract: str = ""
    note: str = ""
    files: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its metadata, a line each, and its abstract and note."""
        where = ", ".join(filter(None, (self.site, self.place, self.published)))
        lines = (
            ("Title", self.title),
            ("Authors", self.author),
            ("Published", where),
            ("DOI", self.doi),
            ("Tags", self.keywords),
        )
        told = "\n".join(f"{name}: {value}" for name, value in lines if value)
        return "\n\n".join(filter(None, (told, self.abstract, self.note)))

    @property
    def address(self) -> str:
        """Where the work stands in the web; "" where the entry does not say."""
        if self.doi:
            return f"https://doi.org/{self.doi}"
        return self.url if self.url.startswith(("http://", "https://")) else ""

    @property
    def version(self) -> str:
        """What changes with any of it."""
        told = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)
        return blake2b(told.encode(errors="replace"), digest_size=8).hexdigest()


def read_bibliography(path: Path) -> tuple[list[BibEntry], int] | None:
    """The entries of a file, each key once, and how many could not be read.

    Returns:
        None where the file is no bibliography.

    Raises:
        OSError: it cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix not in (".bib", ".json") or path.stat().st_size > MAX_BYTES:
        return None
    if suffix == ".json":
        with path.open("rb") as file:
            if not _CSL_START.match(file.read(256)):
                return None
    data = path.read_bytes()
    if suffix == ".json":
        found = _read_csl(data)
        return (_keep_first(found), 0) if found else None
    text = decode(data)
    if text is None:
        return None
    entries, failures = parse_bibtex(text)
    return _keep_first(map(_read_bibtex, entries)), failures


def find_files(entry: BibEntry, folder: Path) -> list[Path]:
    """Files of an entry that are there, below the folder of its bibliography."""
    top = folder.resolve()
    found = dict[Path, None]()
    for given in entry.files:
        try:
            path = (folder / given).resolve()
            if path.is_relative_to(top) and path.is_file():
                found[path] = None
        except (OSError, ValueError, RuntimeError):  # a name that none can have
            continue
    return list(found)


def _keep_first(entries: Iterable[BibEntry]) -> list[BibEntry]:
    kept = dict[str, BibEntry]()
    for one in entries:
        kept.setdefault(one.key, one)
    return list(kept.values())


def _read_bibtex(raw: RawEntry) -> BibEntry:
    fields = {name: read_latex(value) for name, value in raw.fields.items()}
    volume, number = fields.get("volume", ""), fields.get("number", "")
    issue = f"{volume} ({number})" if volume and number else volume or number
    people = raw.fields.get("author") or raw.fields.get("editor") or ""
    eprint = fields.get("eprint", "")
    arxiv = (
        eprint
        if fields.get("archiveprefix", fields.get("eprinttype", "")).lower() == "arxiv"
        else ""
    )
    url = raw.fields.get("url", "").replace("\\", "").strip()
    return BibEntry(
        key=raw.key,
        title=fields.get("title", "") or raw.key,
        author=", ".join(_read_names(people)),
        published=_read_date(
            fields.get("date", ""), fields.get("year", ""), fields.get("month", "")
        ),
        site=next(filter(None, (fields.get(name, "") for name in _CONTAINERS)), ""),
        place=", ".join(filter(None, (issue, fields.get("pages", "")))),
        doi=find_doi(raw.fields.get("doi", "").replace("\\", "")),
        url=url or (f"https://arxiv.org/abs/{arxiv}" if arxiv else ""),
        keywords=fields.get("keywords", ""),
        abstract=fields.get("abstract", ""),
        note="\n\n".join(filter(None, (fields.get("note", ""), fields.get("annote", "")))),
        files=_split_files(raw.fields.get("file", "")),
    )


def _read_names(people: str) -> list[str]:
    """Names as they are spoken; an organisation stands in braces, which "and" does not split."""
    names = list[str]()
    for person in _split_people(people):
        if person.lower() == "others":
            names.append("et al.")
            continue
        organisation = person.startswith("{") and person.endswith("}")
        family, comma, given = person.partition(",")
        parts = [person] if organisation or not comma else [*given.split(",")[::-1], family]
        if name := " ".join(filter(None, map(read_latex, parts))):
            names.append(name)
    return names[:MAX_AUTHORS]


def _split_people(people: str) -> list[str]:
    found, start, at, depth = list[str](), 0, 0, 0
    for word in _AND.finditer(people):
        between = people[at : word.start()]
        depth += between.count("{") - between.count("}")
        at = word.end()
        if depth <= 0:
            found.append(people[start : word.start()].strip())
            start = at
    return [one for one in [*found, people[start:].strip()] if one]


def _read_date(date: str, year: str, month: str) -> str:
    given = _DATE.match(date) or _DATE.match(year)
    if not given:
        return ""
    parts = [part.zfill(2) for part in given.groups() if part]
    number = MONTHS.get(month[:3].lower(), month)
    if len(parts) == 1 and number.isdecimal() and 1 <= int(number[:3]) <= 12:
        parts.append(number.zfill(2))
    return "-".join(parts)


def _split_files(given: str) -> tuple[str, ...]:
    """Paths of a `file` field: `name:path:type`, or a path, several between semicolons."""
    paths = list[str]()
    for one in islice(_SPLIT_FILES.split(given), MAX_FILES):
        parts = _SPLIT_PARTS.split(one.strip().strip("{}"))
        path = parts[1] if len(parts) >= 3 else parts[0]
        if plain := re.sub(r"\\(.)", r"\1", path).strip():
            paths.append(plain)
    return tuple(paths)


def _read_csl(data: bytes) -> list[BibEntry]:
    """Items of CSL-JSON; none where the list is one of something else."""
    found = parse_json(data)
    items = get_records(found)
    if not items or len(items) != len(found) or not all(_is_csl(one) for one in items):
        return []
    return [_read_csl_item(one) for one in items]


def _is_csl(one: dict[str, Any]) -> bool:
    known = isinstance(one.get("id"), str | int) and isinstance(one.get("type"), str)
    return known and bool(
        {"title", "author", "issued", "DOI", "URL", "container-title"} & one.keys()
    )


def _read_csl_item(one: dict[str, Any]) -> BibEntry:
    people = get_records(one.get("author")) or get_records(one.get("editor"))
    parts = get_fields(one.get("issued")).get("date-parts")
    first: Sequence[Any] = (
        parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else ()
    )
    numbers = [f"{part:0>2}" for part in map(str, first[:3]) if part.isdecimal()]
    given = _DATE.match(get_string(one, "issued", "raw") or get_string(one, "issued", "literal"))
    volume, issue = (str(one.get(name) or "") for name in ("volume", "issue"))
    numbered = f"{volume} ({issue})" if volume and issue else volume or issue
    files = [get_string(two, "path") for two in get_records(one.get("attachments"))]
    return BibEntry(
        key=str(one["id"]),
        title=get_string(one, "title") or str(one["id"]),
        author=", ".join(filter(None, map(_name_csl_person, people[:MAX_AUTHORS]))),
        published="-".join(numbers) or (given[0] if given else ""),
        site=get_string(one, "container-title") or get_string(one, "publisher"),
        place=", ".join(filter(None, (numbered, get_string(one, "page")))),
        doi=find_doi(get_string(one, "DOI")),
        url=get_string(one, "URL"),
        keywords=get_string(one, "keyword"),
        abstract=get_string(one, "abstract"),
        note=get_string(one, "note"),
        files=tuple(filter(None, [*files[:MAX_FILES], *_split_files(get_string(one, "file"))])),
    )


def _name_csl_person(one: dict[str, Any]) -> str:
    names = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
    return get_string(one, "literal") or " ".join(filter(None, (get_string(one, n) for n in names)))
