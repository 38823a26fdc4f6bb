"""A quote where it stands: the stored text of its source, as it was when the report was written."""

import re
from urllib.parse import quote, urldefrag, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exports.web_links import is_web
from library.library import Library, open_library
from schema.report import Citation
from web.access import get_member
from web.found import find_finished, get_version
from web.templates import render_page

AROUND = 3_000
"""Characters that are shown before and behind a quote."""

_MARKUP = re.compile(r"[*_`#|\[\]<>\\]+")


async def show_passage(request: Request) -> Response:
    """The passage of a citation, by its place in the report."""
    kept, report = await find_finished(request, get_version(request))
    place = str(request.path_params["place"])
    if not re.fullmatch("[0-9]{1,5}", place) or int(place) >= len(report["citations"]):
        raise HTTPException(404, "There is no such citation")
    cited = report["citations"][int(place)]
    source = next(one for one in report["references"] if one["number"] == cited["number"])
    library = await open_library(kept.space, kept.owner, get_member(request).names)
    text = await _load_text(library, cited["document"])
    start, end = _find_quote(text, cited)
    values = {
        "kept": kept,
        "cited": cited,
        "source": source,
        "is_stored": bool(text),
        "is_cut": (start > AROUND, end + AROUND < len(text)),
        "before": text[max(0, start - AROUND) : start] if text else cited["before"],
        "quote": text[start:end] if text else cited["quote"],
        "after": text[end : end + AROUND] if text else cited["after"],
        "address": link_to_passage(source["url"], cited) if is_web(source["url"]) else "",
    }
    return await render_page(request, "passage.html", values)


async def _load_text(library: Library, document: str) -> str:
    for held in (library, library.open_part("web"), library.open_part("memory")):
        if text := await held.load_text(document):
            return text
    return ""


def _find_quote(text: str, cited: Citation) -> tuple[int, int]:
    """Where the quote stands; the document may have changed since. (0, 0) where it is gone."""
    start, end = cited["start"], cited["end"]
    if text[start:end] != cited["quote"]:
        start = max(0, text.find(cited["quote"]))
        end = start + len(cited["quote"]) if cited["quote"] in text else start
    return start, end


def link_to_passage(address: str, cited: Citation) -> str:
    """The address of a source, at the quote.

    Of a PDF at its page (RFC 8118); of a web page with the words that its browser is to mark, a
    text fragment.
    """
    if page := cited.get("page"):
        return f"{urldefrag(address).url}#page={page}"
    plain = _MARKUP.sub("", cited["quote"]).split()
    if not plain:
        return address
    ends = [plain] if len(plain) <= 10 else [plain[:5], plain[-5:]]
    told = ",".join(quote(" ".join(one), safe="").replace("-", "%2D") for one in ends)
    return f"{address}{'' if urlsplit(address).fragment else '#'}:~:text={told}"


routes = [Route("/reports/{id}/passages/{place}", show_passage)]
