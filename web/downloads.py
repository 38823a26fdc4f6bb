"""Reports as files, in every format there is."""

import asyncio
import re
import unicodedata
from typing import cast
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exports.citation_styles import Style
from exports.formats import FORMATS, FormatName, export
from team.audit import record
from web.access import get_member
from web.found import find_finished, get_version

MEDIA_TYPES: dict[FormatName, str] = {
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "latex": "application/x-latex",
    "bibtex": "application/x-bibtex",
    "csl": "application/vnd.citationstyles.csl+json",
    "json": "application/json",
}


async def download(request: Request) -> Response:
    """A report as a file. It is never shown in the page's place, whatever stands in it."""
    name = str(request.path_params["format"])
    if name not in FORMATS:
        raise HTTPException(404, "There is no such format")
    kept, report = await find_finished(request, get_version(request))
    await record(get_member(request), "report.exported", kept.id, format=name)
    style = cast("Style", request.query_params.get("citations", "ieee"))
    made = await asyncio.to_thread(export, report, name, style)
    file = f"{_make_name(report['title']) or kept.id}{FORMATS[name].suffix}"
    plain = unicodedata.normalize("NFKD", file).encode("ascii", "ignore").decode() or kept.id
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file, safe='')}"
    return Response(
        made,
        media_type=MEDIA_TYPES[name],
        headers={"content-disposition": disposition, "cache-control": "no-store"},
    )


def _make_name(title: str) -> str:
    """The words of a title, as the name of a file."""
    return re.sub(r"[^\w.-]+", " ", title, flags=re.UNICODE)[:80].strip(" .").replace(" ", "-")


routes = [Route("/reports/{id}/export/{format}", download)]
