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

from exports.bundle.parts import MEDIA_TYPE, SUFFIX
from exports.citation_styles import Style
from exports.formats import BUNDLE, FORMATS, ExportName, export
from serving.bundles import make_bundle
from team.audit import record
from web.access import get_member
from web.found import find_finished, get_version

MEDIA_TYPES: dict[ExportName, str] = {
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "latex": "application/x-latex",
    "bibtex": "application/x-bibtex",
    "csl": "application/vnd.citationstyles.csl+json",
    "json": "application/json",
    "obsidian": "text/markdown; charset=utf-8",
    BUNDLE: MEDIA_TYPE,
}


async def download(request: Request) -> Response:
    """A report as a file. It is never shown in the page's place, whatever stands in it."""
    name = cast("ExportName", request.path_params["format"])
    if name not in MEDIA_TYPES:
        raise HTTPException(404, "There is no such format")
    kept, report = await find_finished(request, get_version(request))
    await record(get_member(request), "report.exported", kept.id, format=name)
    style = cast("Style", request.query_params.get("citations", "ieee"))
    if name == BUNDLE:
        made = await make_bundle(kept, report, names=get_member(request).names)
    else:
        made = await asyncio.to_thread(export, report, name, style)
    suffix = SUFFIX if name == BUNDLE else FORMATS[name].suffix
    file = f"{_make_name(report['title']) or kept.id}{suffix}"
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
