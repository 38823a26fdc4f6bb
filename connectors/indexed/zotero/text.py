"""What Zotero's items say, as text: metadata, abstracts, notes, annotations."""

import re
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from typing import Any, NamedTuple

from connectors.json_fields import get_records, get_string
from connectors.open_access.identifiers import find_doi

MAX_AUTHORS = 20
"""Authors of one item that are named."""
TITLE_CHARACTERS = 120
"""Of a note's first line, which is its title."""

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_CONTAINERS = ("publicationTitle", "bookTitle", "proceedingsTitle", "websiteTitle", "blogTitle",
               "encyclopediaTitle", "university", "institution", "publisher")  # fmt: skip
_BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "tr", "ul", "ol"}
_UNSEEN = {"script", "style", "head", "template"}


class Description(NamedTuple):
    """What an item says of itself; dates are ISO 8601, as precise as it is."""

    title: str
    author: str
    published: str
    site: str
    doi: str
    url: str


def describe(item: Mapping[str, Any]) -> Description:
    """What the fields of an item that hangs on no other say of it."""
    doi = find_doi(get_string(item, "DOI")) or find_doi(_find_extra(item, "DOI"))
    url = get_string(item, "url")
    given = get_string(item, "date")
    date = _DATE.match(given)
    year = _YEAR.search(given)
    parts = [part for part in (date.groups() if date else ()) if part and part != "00"]
    return Description(
        title=get_title(item),
        author=", ".join(_list_names(item)[:MAX_AUTHORS]),
        published="-".join(parts) or (year[0] if year else ""),
        site=next(filter(None, (get_string(item, name) for name in _CONTAINERS)), ""),
        doi=doi,
        url=f"https://doi.org/{doi}"
        if doi
        else url
        if url.startswith(("http://", "https://"))
        else "",
    )


def get_title(item: Mapping[str, Any]) -> str:
    """What an item is called; a note by its first line."""
    if get_string(item, "itemType") == "note":
        text = html_to_text(get_string(item, "note")).lstrip("#>- ")
        return text.partition("\n")[0][:TITLE_CHARACTERS] or "Note"
    names = ("title", "caseName", "subject", "nameOfAct", "filename")
    return next(filter(None, (get_string(item, name) for name in names)), "") or "Untitled"


def format_item(item: Mapping[str, Any]) -> str:
    """An item's metadata, a line each, and its abstract."""
    about = describe(item)
    volume, issue, pages = (get_string(item, name) for name in ("volume", "issue", "pages"))
    numbers = f"{volume} ({issue})" if volume and issue else volume or issue
    where = ", ".join(filter(None, (about.site, numbers, pages, about.published)))
    tags = ", ".join(get_string(one, "tag") for one in get_records(item.get("tags")))
    lines = (
        ("Authors", about.author),
        ("Published", where),
        ("DOI", about.doi),
        ("ISBN", get_string(item, "ISBN")),
        ("Tags", tags),
    )
    told = "\n".join(f"{name}: {value}" for name, value in lines if value)
    return "\n\n".join(filter(None, (told, get_string(item, "abstractNote"))))


def format_annotations(marks: Iterable[Mapping[str, Any]]) -> str:
    """What somebody marked in a file, each as a quote with its page, and what they wrote of it."""
    blocks = list[str]()
    for one in marks:
        marked = " ".join(get_string(one, "annotationText").split())
        comment = html_to_text(get_string(one, "annotationComment"))
        page = get_string(one, "annotationPageLabel")
        quote = f"> {marked}" + (f" (p. {page})" if page else "") if marked else ""
        if not marked and comment and page:
            comment = f"{comment} (p. {page})"
        blocks += filter(None, (quote, comment))
    return "\n\n".join(blocks)


def html_to_text(html: str) -> str:
    """The text of a note, which is HTML: paragraphs, headings, lists and quotes as Markdown."""
    reader = _NoteReader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _NoteReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            level = f"{'#' * int(tag[1])} " if re.fullmatch("h[1-6]", tag) else ""
            self.parts.append(f"\n\n{'> ' if tag == 'blockquote' else level}")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("td", "th"):
            self.parts.append(" ")
        elif tag == "br":
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0
        if tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data.replace("\n", " "))


def _list_names(item: Mapping[str, Any]) -> list[str]:
    """Names of those who made an item: its authors, or whoever there is."""
    people = get_records(item.get("creators"))
    authors = [one for one in people if get_string(one, "creatorType") == "author"]
    names = (
        get_string(one, "name") or f"{get_string(one, 'firstName')} {get_string(one, 'lastName')}"
        for one in authors or people
    )
    return [name.strip() for name in names if name.strip()]


def _find_extra(item: Mapping[str, Any], name: str) -> str:
    """A field that stands in an item's `extra`, as those do that its type has none for."""
    found = re.search(rf"^{name}:[ \t]*(\S.*)$", get_string(item, "extra"), re.MULTILINE)
    return found[1] if found else ""
