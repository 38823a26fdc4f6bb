"""A web page, parsed once, in a child: its main text, what it says of itself, where it leads.

trafilatura takes seconds for a megabyte, and for some pages the square of their length.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from connectors.files.file_text import FileText, UnreadableError
from connectors.files.html_writer import write_markdown
from connectors.files.main_content import find_main_content
from connectors.files.page_metadata import extract_words, read_page_head
from library.sandbox import SandboxedReader, SandboxError, run_in_sandbox

PAGE_READER = SandboxedReader(
    "files", "connectors.files.web_page:parse_web_page", concurrency=4, seconds=120
)

MAX_LINKS = 10_000
"""Links of one page that are looked at."""
LINK_CHARACTERS = 200
"""Of what a page calls one address."""


@dataclass(frozen=True)
class WebPage:
    """A page. What it says stands as it is written there: an address may be a relative one.

    Attributes:
        links: address and words of each link that crawlers may follow.
        base: what relative addresses are relative to; "" for the page's own.
        canonical: the address that the page says is its own; "" where it says none.
        robots_directives: what it asks of crawlers, as in "noindex, follow".
        main: its main text, which may be empty; None where nobody asked for it.
    """

    links: list[tuple[str, str]]
    base: str = ""
    canonical: str = ""
    robots_directives: tuple[str, ...] = ()
    main: FileText | None = None

    def require_main(self) -> FileText:
        """The main text, without menus and footers.

        Raises:
            UnreadableError: there is none.
        """
        if self.main is None or not self.main.has_words:
            raise UnreadableError("no main content was found in the page")
        return self.main


async def read_web_page(
    data: bytes,
    *,
    address: str = "",
    crawler: str = "",
    text: bool = True,
    reading: SandboxedReader = PAGE_READER,
) -> WebPage:
    """Read a page.

    Args:
        data: the page.
        address: where it stands, which may name its date.
        crawler: the name that the page may know us by.
        text: whether its text is wanted; it takes most of the time.
        reading: what that may cost.

    Raises:
        UnreadableError: it breaks its reader or costs too much.
    """
    try:
        found = await run_in_sandbox(reading, data, address=address, crawler=crawler, text=text)
    except SandboxError as error:
        raise UnreadableError(str(error)) from None
    main = found.pop("main")
    links = [(href, words) for href, words in found.pop("links")]
    directives = tuple(found.pop("robots_directives"))
    return WebPage(
        links=links, robots_directives=directives, main=main and FileText.from_fields(main), **found
    )


def parse_web_page(data: bytes, address: str, crawler: str, text: bool) -> dict[str, Any]:
    """What the child answers: the fields of a `WebPage`."""
    import trafilatura  # noqa: PLC0415  (0.2 s)

    tree = trafilatura.load_html(data)
    if tree is None:
        return asdict(WebPage([]))
    page = WebPage(
        links=list(islice(_find_links(tree), MAX_LINKS)),
        base=str(tree.xpath("string(//base/@href)")),
        canonical=str(tree.xpath("string(//head/link[@rel='canonical']/@href)")),
        robots_directives=tuple(
            meta.get("content") or ""
            for meta in tree.iter("meta")
            if (meta.get("name") or "").casefold() in ("robots", crawler.casefold())
        ),
    )
    if text:
        head = read_page_head(tree, address or page.canonical)
        main = find_main_content(tree)
        page = replace(page, main=replace(head, text=write_markdown(main) if main else ""))
    return asdict(page)


def _find_links(tree: Any) -> Iterator[tuple[str, str]]:
    for anchor in tree.iter("a"):
        if "nofollow" not in (anchor.get("rel") or "").casefold().split():
            yield anchor.get("href") or "", extract_words(anchor, LINK_CHARACTERS)
