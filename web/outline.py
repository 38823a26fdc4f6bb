"""The outline that a run waits for: accepted as it is, or edited, with and without scripts.

Each button of the form sends all of it. All but "send" only change the form, which comes back.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.access import check_owner, name_space
from schema.errors import InputError
from schema.plan import MOST_QUESTIONS
from web.access import get_member
from web.found import find_report, find_run, get_id, get_runs, get_text, read_form, redirect
from web.templates import render_page

MOST_SECTIONS = 12

_DO = re.compile(r"(?P<what>add|remove|up|down|send)(?:-(?P<place>\d{1,2}))?")


@dataclass(frozen=True)
class EditedSection:
    """A section as the form shows it; `origin` is its place in the plan, -1 of a new one."""

    title: str
    questions: str
    origin: int = -1


def list_sections(outline: dict[str, Any]) -> list[EditedSection]:
    """The sections of an outline, one question a line."""
    return [
        EditedSection(one["title"], "\n".join(one["questions"]), place)
        for place, one in enumerate(outline["sections"])
    ]


async def answer_outline(request: Request) -> Response:
    """Change the form as a button says, or go on with what it holds."""
    kept, run, member = await find_report(request), find_run(request), get_member(request)
    check_owner(kept.owner, member, "writer")
    if run is None or run.state != "asking":
        return redirect(f"/reports/{kept.id}")  # it was answered in another window
    form = await read_form(request)
    title, sections = get_text(form, "title"), _read_sections(form)
    do = _DO.fullmatch(get_text(form, "do"))
    fault, focus = "", ""
    if do and do["what"] == "send":
        try:
            answer = _build_answer(title, sections, run.outline["outline"])
            await get_runs(request).resume(kept.id, member, answer)
        except InputError as error:
            fault = str(error)
        else:
            return redirect(f"/reports/{kept.id}")
    elif do:
        sections, focus = _change(sections, do["what"], int(do["place"] or 0))
    values = {
        "kept": kept, "space": name_space(kept.owner, kept.space), "state": "asking",
        "tells": "waits for you to accept its outline", "reason": fault, "view": None,
        "gone": False, "may_write": True, "sections": sections, "title": title, "focus": focus,
    }  # fmt: skip
    return await render_page(request, "run.html", values, 422 if fault else 200)


async def go_back(request: Request) -> Response:
    """Where a browser comes that loads the changed form anew."""
    return redirect(f"/reports/{get_id(request)}")


def _read_sections(form: FormData) -> list[EditedSection]:
    sections = []
    for place in range(MOST_SECTIONS):
        if f"title-{place}" not in form:
            break
        origin = get_text(form, f"origin-{place}")
        sections.append(
            EditedSection(
                get_text(form, f"title-{place}"),
                get_text(form, f"questions-{place}"),
                int(origin) if re.fullmatch(r"\d{1,2}", origin) else -1,
            )
        )
    return sections


def _change(
    sections: list[EditedSection], what: str, place: int
) -> tuple[list[EditedSection], str]:
    """The sections after a button, and the id of the field to go on in."""
    changed = list(sections)
    if what == "add" and len(changed) < MOST_SECTIONS:
        changed.append(EditedSection("", ""))
        return changed, f"title-{len(changed) - 1}"
    if place >= len(changed) or what == "add":
        return changed, ""
    if what == "remove" and len(changed) > 1:
        del changed[place]
        return changed, f"title-{min(place, len(changed) - 1)}"
    to = {"up": place - 1, "down": place + 1}.get(what, place)
    if 0 <= to < len(changed):
        changed[place], changed[to] = changed[to], changed[place]
        return changed, f"title-{to}"
    return changed, f"title-{place}"


def _build_answer(title: str, sections: Sequence[EditedSection], planned: dict[str, Any]) -> object:
    """What the run is answered: that its outline stands, or the one that takes its place.

    A section whose questions stay keeps the queries that were planned for it.

    Raises:
        InputError: something is missing, or is too long.
    """
    if title == planned["title"] and list(sections) == list_sections(planned):
        return "accept"
    if not title or len(title) > 300:
        raise InputError("The report needs a title of at most 300 characters.")
    made = [_build_section(number, one, planned) for number, one in enumerate(sections, start=1)]
    return {"outline": {"title": title, "sections": made}}


def _build_section(number: int, one: EditedSection, planned: dict[str, Any]) -> dict[str, Any]:
    questions = [line.strip() for line in one.questions.split("\n") if line.strip()]
    if not one.title or len(one.title) > 200:
        raise InputError(f"Section {number} needs a title of at most 200 characters.")
    if not 1 <= len(questions) <= MOST_QUESTIONS or max(map(len, questions)) > 500:
        raise InputError(
            f"Section {number} needs between one and {MOST_QUESTIONS} questions, one a line, each "
            "of at most 500 characters."
        )
    known = planned["sections"]
    kept = dict(known[one.origin]) if 0 <= one.origin < len(known) else {}
    if kept.get("questions") != questions:
        kept.pop("queries", None)
    return kept | {"title": one.title, "questions": questions}


routes = [
    Route("/reports/{id}/outline", answer_outline, methods=["POST"]),
    Route("/reports/{id}/outline", go_back),
]
