"""Mark the references that were retracted, where the installation looks works up by their DOIs."""

import asyncio
from collections.abc import Sequence

from langgraph.runtime import Runtime

from connectors.open_access.copies import is_enabled
from connectors.open_access.identifiers import find_work
from connectors.open_access.retractions import Retraction, find_retraction
from nodes.common.run import get_report, make_degradation
from schema.context import Context
from schema.errors import ConnectorError
from schema.report import Degradation, Reference, RetractionNote
from schema.state import ReportState, ReportUpdate

SECONDS = 20.0
"""Deadline for all works of a report: the reader waits for it."""

_WORDS = {
    "retraction": "was retracted",
    "withdrawal": "was withdrawn",
    "removal": "was removed by its publisher",
    "concern": "has an expression of concern against it",
    "notice": "is itself the notice of a retraction",
}


async def check_retractions(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:  # noqa: ARG001
    """Say of each reference with a DOI whether it stands; what nobody answered stays unmarked."""
    report = get_report(state)
    dois = {one["number"]: doi for one in report["references"] if (doi := _find_doi(one))}
    if not dois or not is_enabled():
        return {}
    found = await _ask(list(dict.fromkeys(dois.values())))
    references = list[Reference]()
    degraded = [one for one in report["degraded"] if one["code"] != "source_retracted"]
    for one in report["references"]:
        said = found.get(dois.get(one["number"], ""))
        references.append(_mark(one, said))
        if said:
            degraded.append(_describe(one, said))
    return {"report": {**report, "references": references, "degraded": degraded}}


async def _ask(dois: Sequence[str]) -> dict[str, Retraction]:
    """What was said of works, by DOI; those that stand, or of which nobody knows, are absent."""
    tasks = {asyncio.create_task(find_retraction(doi)): doi for doi in dois}
    try:
        done, _ = await asyncio.wait(tasks, timeout=SECONDS)
        answered = [task for task in done if not isinstance(task.exception(), ConnectorError)]
        return {tasks[task]: said for task in answered if (said := task.result())}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # their connections are closed


def _find_doi(one: Reference) -> str:
    for url in (one["copy"]["of"] if "copy" in one else "", one["url"]):
        if (work := find_work(url)) and work.doi:
            return work.doi
    return ""


def _mark(one: Reference, said: Retraction | None) -> Reference:
    if said is None:
        return one
    notice = f"https://doi.org/{said.notice}" if said.notice else ""
    return {**one, "retraction": RetractionNote(kind=said.kind, day=said.day, notice=notice)}


def _describe(one: Reference, said: Retraction) -> Degradation:
    when = f" on {said.day}" if said.day else ""
    where = f" (https://doi.org/{said.notice})" if said.notice else ""
    title = " ".join(one["title"].split())[:120]
    what = f"{_WORDS[said.kind]}{when}{where}"
    detail = f"Reference [{one['number']}] “{title}” {what}: check what rests on it."
    return make_degradation("source_retracted", detail)
