"""The page on which a report is asked for."""

import asyncio
from collections.abc import Mapping
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.access import ROLES
from schema.context import Context, ResearchMode
from schema.errors import InputError
from serving.endings import leave_time_to_end
from serving.estimates import describe_estimate, estimate_report
from serving.sources import ConnectorStatus, ReachableSpace, list_connectors, list_spaces
from serving.stored_reports import list_reports
from web.access import get_member
from web.faults import describe_fault
from web.found import get_runs, get_text, read_form, redirect
from web.templates import render_page

MODES: Mapping[ResearchMode, tuple[str, str]] = {
    "general": ("General", "one or two sections"),
    "deep": ("Deep", "two to five sections"),
    "deeper": ("Deeper", "four to ten; open questions are searched and read for"),
}

LANGUAGES = {
    "": "As the question", "ar": "العربية", "cs": "čeština", "da": "dansk", "de": "Deutsch",
    "el": "Ελληνικά", "en": "English", "es": "español", "fa": "فارسی", "fi": "suomi",
    "fr": "français", "he": "עברית", "hi": "हिन्दी", "id": "Indonesia", "it": "italiano",
    "ja": "日本語", "ko": "한국어", "nl": "Nederlands", "no": "norsk", "pl": "polski",
    "pt": "português", "ro": "română", "ru": "русский", "sv": "svenska", "tr": "Türkçe",
    "uk": "українська", "ur": "اردو", "vi": "Tiếng Việt", "zh": "中文",
}  # fmt: skip
"""Languages that are offered, by code; in their own words, as their readers look for them."""

RECENT = 8


async def show_form(request: Request) -> Response:
    """The form, and the last reports."""
    asked = {"question": request.query_params.get("question", "")[:8_000]}
    return await _render_form(request, asked)


async def start_report(request: Request) -> Response:
    """Begin a report and go to its page; where it cannot be begun, show the form with why."""
    asked = await _read_asked(request)
    try:
        context = await _make_context(request, asked)
        identity = await get_runs(request).start(asked["question"], context, get_member(request))
    except InputError as error:
        return await _render_form(request, asked, error)
    return redirect(f"/reports/{identity}")


async def tell_estimate(request: Request) -> Response:
    """Show the form as it was filled in, with what such a report will take."""
    asked = await _read_asked(request)
    try:
        context = await _make_context(request, asked)
        made = await estimate_report(context, get_member(request))
    except InputError as error:
        return await _render_form(request, asked, error)
    return await _render_form(request, asked, estimate=describe_estimate(made, context))


_FIELDS = ("research_mode", "language", "words", "space", "max_tokens", "max_cost")
_LISTS = ("connectors", "approve_outline")
_CEILINGS = ("max_tokens", "max_cost", "max_minutes")


async def _read_asked(request: Request) -> dict[str, Any]:
    """The form as it was filled in."""
    form = await read_form(request)
    fields = ("question", "max_minutes", *_FIELDS)
    asked: dict[str, Any] = {name: get_text(form, name) for name in fields}
    asked["connectors"] = [one for one in form.getlist("connectors") if isinstance(one, str)]
    asked["approve_outline"] = bool(get_text(form, "approve_outline"))
    return asked


async def _make_context(request: Request, asked: Mapping[str, Any]) -> Context:
    _check_connectors(asked["connectors"], await load_connectors(request))
    minutes, given = asked["max_minutes"], {name: asked[name] for name in (*_FIELDS, *_LISTS)}
    context = Context(**given)
    if not minutes:
        return context
    try:
        seconds = 60 * float(minutes)
    except ValueError:
        raise InputError(f"The minutes cannot be “{minutes[:20]}”: write a number.") from None
    return leave_time_to_end(seconds, context)


async def load_connectors(request: Request) -> list[ConnectorStatus]:
    """Every connector there is; their packages are loaded once."""
    state = request.app.state
    if not hasattr(state, "connectors"):
        state.connectors = await asyncio.to_thread(list_connectors)
    found: list[ConnectorStatus] = state.connectors
    return found


def _check_connectors(wanted: list[str], known: list[ConnectorStatus]) -> None:
    usable = [one.name for one in known if not one.lacks]
    for name in wanted:
        if name not in usable:
            raise InputError("One of the sources is not set up any more: choose others.")


async def _render_form(
    request: Request,
    asked: dict[str, Any],
    error: InputError | None = None,
    *,
    estimate: str = "",
) -> Response:
    status, fault, headers = describe_fault(error) if error else (200, "", {})
    member = get_member(request)
    reachable, reports = await asyncio.gather(list_spaces(member), list_reports(member))
    spaces = list_writable(reachable)
    held = {name for one in spaces for name in one.connectors}
    offered = [
        one
        for one in await load_connectors(request)
        if not one.lacks and (one.kind == "live" or one.name in held | {"library", "web_results"})
    ]
    values = {
        "asked": {"research_mode": "general", "connectors": [], "approve_outline": False}
        | dict.fromkeys(("question", "language", "words", *_CEILINGS), "")
        | {"space": "default"}
        | asked,
        "fault": fault,
        "estimate": estimate,
        "modes": [(name, *MODES[name]) for name in get_args(ResearchMode)],
        "languages": LANGUAGES,
        "is_empty": not any(one.documents for one in spaces),
        "spaces": [one.name for one in spaces],
        "offered": sorted(offered, key=lambda one: (one.name != "library", one.kind, one.name)),
        "recent": reports[:RECENT],
        "runs": get_runs(request),
    }
    return await render_page(request, "ask.html", values, status, headers)


def list_writable(spaces: list[ReachableSpace]) -> list[ReachableSpace]:
    """The spaces in which a member may have reports written."""
    return [one for one in spaces if ROLES.index(one.role) >= ROLES.index("writer")]


routes = [
    Route("/", show_form),
    Route("/reports", start_report, methods=["POST"]),
    Route("/estimate", tell_estimate, methods=["POST"]),
]
