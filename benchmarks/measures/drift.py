"""A made website, and what becomes of its pages after a report cited them."""

import html
import random
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

TOWNS = [
    f"{first}{last}"
    for first in ("Alder", "Birch", "Cove", "Dun", "Elm", "Fern", "Glen", "Hazel", "Iver", "Kell",
                  "Lark", "Mill", "Nor", "Oak", "Pine", "Quarry", "Row", "Stone", "Thorn", "Vale")
    for last in ("bridge", "combe", "field", "ford", "ham", "hurst", "mere", "ton", "wick", "worth")
]  # fmt: skip


@dataclass(frozen=True)
class Page:
    """A page: its cited sentence stands in the second paragraph; `frame` is what is around it."""

    path: str
    title: str
    paragraphs: tuple[str, ...]
    cited: str
    frame: str = "plain"
    status: int = 200
    target: str = ""


@dataclass(frozen=True)
class Fate:
    """What becomes of a page, and what is to be said of it then."""

    name: str
    state: str
    change: Callable[[Page, random.Random], list[Page]]


def make_pages(count: int, chance: random.Random) -> list[Page]:
    """So many pages, each on a town of its own."""
    return [_make_page(TOWNS[at % len(TOWNS)], at, chance) for at in range(count)]


def _make_page(town: str, at: int, chance: random.Random) -> Page:
    people, share, year = chance.randrange(2_000, 90_000), chance.randrange(3, 60), 2_010 + at % 14
    cited = chance.choice(
        (
            f"In {year} the ferry of {town} carried {people:,} passengers, {share} % more than "
            "the year before.",
            f"The council of {town} closed the old lock in {year}, after {share} boats were "
            "damaged there.",
            f"The mill of {town} doesn't run at night, and it grinds {people:,} tons of grain a "
            "year.",
            f"Since {year} the bakers of {town} pay a fee of {share} euros a month for the market "
            "hall.",
        )
    )
    paragraphs = (
        f"{town} lies on the river Lenne, between two low hills and a wood of beeches. Its first "
        f"charter names {chance.randrange(20, 90)} houses and a weir.",
        f"The town keeps a record of what goes on at the river. {cited} The harbour master of "
        f"{town} writes it down by hand.",
        f"Visitors come for the fair in {chance.choice(('May', 'June', 'August'))}, which fills "
        f"the meadows below the church for {chance.randrange(3, 9)} days. The rest of the year is "
        "quiet, and the inn closes at ten.",
        f"A narrow railway led from {town} to the slate quarries until {1900 + at % 60}. Its "
        "station is a library now, with a reading room under the old roof.",
    )
    return Page(f"/towns/{at}-{town.casefold()}", f"The town of {town}", paragraphs, cited)


def _edit(page: Page, sentence: str) -> list[Page]:
    changed = tuple(one.replace(page.cited, sentence) for one in page.paragraphs)
    return [replace(page, paragraphs=changed)]


def _change_number(page: Page, chance: random.Random) -> list[Page]:
    numbers = list(re.finditer(r"\d[\d,]*", page.cited))
    one = chance.choice(numbers)
    value = int(one[0].replace(",", "")) + chance.randrange(1, 9)
    shown = f"{value:,}" if "," in one[0] else str(value)
    return _edit(page, page.cited[: one.start()] + shown + page.cited[one.end() :])


def _negate(page: Page, _: random.Random) -> list[Page]:
    turned = {" carried ": " never carried ", " closed ": " did not close ",
              " doesn't run ": " does run ", " pay ": " no longer pay "}  # fmt: skip
    said = page.cited
    for before, after in turned.items():
        said = said.replace(before, after)
    return _edit(page, said)


def _reword(page: Page, _: random.Random) -> list[Page]:
    return _edit(page, f"According to a correction, {page.cited[0].lower()}{page.cited[1:]}")


def _drop(page: Page, _: random.Random) -> list[Page]:
    return _edit(page, "")


def _add(page: Page, chance: random.Random) -> list[Page]:
    added = f"A second inn opened in {chance.randrange(2020, 2026)}, close to the weir."
    first, *rest = page.paragraphs
    return [replace(page, paragraphs=(first, *rest, added))]


def _update_neighbour(page: Page, _: random.Random) -> list[Page]:
    changed = tuple(
        one.replace("by hand", "with a tablet, since this spring") for one in page.paragraphs
    )
    return [replace(page, paragraphs=changed)]


def _reframe(frame: str) -> Callable[[Page, random.Random], list[Page]]:
    return lambda page, _: [replace(page, frame=frame)]


def _move(status: int) -> Callable[[Page, random.Random], list[Page]]:
    def change(page: Page, _: random.Random) -> list[Page]:
        there = replace(page, path=page.path.replace("/towns/", "/places/"))
        return [replace(page, status=status, target=there.path), there]

    return change


def _answer(status: int) -> Callable[[Page, random.Random], list[Page]]:
    return lambda page, _: [replace(page, status=status)]


def _apologise(page: Page, _: random.Random) -> list[Page]:
    said = ("We are sorry, the page that you are looking for could not be found. Try the search.",)
    return [replace(page, title="Not found", paragraphs=said)]


def _send_home(page: Page, _: random.Random) -> list[Page]:
    return [replace(page, status=302, target="/")]


FATES = (
    Fate("nothing", "same", lambda page, _: [page]),
    Fate("other menus, footers and advertisements", "same", _reframe("new")),
    Fate("other markup of the same words", "same", _reframe("markup")),
    Fate("a number in the quote", "changed in the quote", _change_number),
    Fate("a negation in the quote", "changed in the quote", _negate),
    Fate("words put before the quote", "changed in the quote", _reword),
    Fate("the quote left out", "changed in the quote", _drop),
    Fate("a paragraph more", "changed beside the quote", _add),
    Fate("the sentence behind the quote", "changed beside the quote", _update_neighbour),
    Fate("moved for good (301)", "moved", _move(301)),
    Fate("moved for now (302)", "moved", _move(302)),
    Fate("not there (404)", "gone", _answer(404)),
    Fate("gone (410)", "gone", _answer(410)),
    Fate("says that it is gone, with 200", "gone", _apologise),
    Fate("leads to the home page", "gone", _send_home),
)
"""What becomes of the pages, in turns. Of the first three kinds nothing is to be reported."""


class Site:
    """The website, served on loopback while the context is open.

    Attributes:
        url: its address.
        pages: by path; may be changed at any time.
    """

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.pages = dict(pages)
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = site.pages.get(self.path, Page(self.path, "Not found", (), "", status=404))
                if self.path == "/":
                    page = Page("/", "Towns", ("Here are the towns of the Lenne valley.",), "")
                body = render(page).encode()
                self.send_response(page.status)
                if page.target:
                    self.send_header("Location", page.target)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def render(page: Page) -> str:
    """The HTML of a page in its frame."""
    write = _write_marked if page.frame == "markup" else html.escape
    body = "\n".join(f"<p>{write(one)}</p>" for one in page.paragraphs)
    before, after = _FRAMES.get(page.frame, _FRAMES["plain"])
    return (
        f"<!doctype html><html><head><title>{html.escape(page.title)}</title></head><body>{before}"
        f"<main><article><h1>{html.escape(page.title)}</h1>{body}</article></main>{after}"
        "</body></html>"
    )


def _write_marked(text: str) -> str:
    """The same words with emphasis, links, soft breaks and typographers' signs."""
    words = html.escape(text, quote=False).replace("'", "’").split(" ")
    words[1] = f"<em>{words[1]}</em>"
    words[3] = f'<a href="/">{words[3]}</a>'
    return "\n".join(words).replace(" %", "&nbsp;%").replace("\n%", "&nbsp;%")


_FRAMES = {
    "plain": (
        '<nav><a href="/">Home</a> <a href="/imprint">Imprint</a></nav>',
        "<footer>Printed in the valley</footer>",
    ),
    "new": (
        '<header><nav><a href="/">Start</a> <a href="/shop">Shop</a> <a href="/news">News of the '
        'day</a></nav></header><div class="cookie-banner" role="dialog">We use cookies. <button>'
        "Accept</button></div>",
        '<aside class="advert"><p>Buy boots now, and save.</p></aside><footer>23 November 2026, '
        "14:03 · 1,204 readers today · <a href='/imprint'>Who we are</a></footer>",
    ),
}
