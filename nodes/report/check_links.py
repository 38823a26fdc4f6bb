"""Mark the references whose web pages answer, and those whose pages surely do not."""

from langgraph.runtime import Runtime

from nodes.common.links import check_urls, list_web_urls
from nodes.common.run import get_context, get_report, make_degradation
from schema.context import Context
from schema.report import LinkCheck, Reference
from schema.state import ReportState, ReportUpdate


async def check_links(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Say of each reference what came of asking; those that no one asked yet are asked now."""
    report = get_report(state)
    urls = list_web_urls([reference["url"] for reference in report["references"]])
    if not urls or not get_context(runtime).check_links:
        return {}
    known = state.get("links", {})
    found = {**known, **await check_urls([url for url in urls if url not in known])}
    if not any(one and one["answered"] for one in found.values()):
        # names that do not exist and hosts that are silent look the same without a network
        detail = (
            "No link of the references could be checked, since no web server answered: check the "
            "network, or set check_links to false."
        )
        degraded = [*report["degraded"], make_degradation("links_not_checked", detail)]
        return {"report": {**report, "degraded": degraded}}
    references = [_add_link_state(one, found.get(one["url"])) for one in report["references"]]
    return {"report": {**report, "references": references}}


def _add_link_state(reference: Reference, found: LinkCheck | None) -> Reference:
    if found is None:
        return reference
    return {
        **reference,
        "reachable": found["reachable"],
        "checked": found["checked"],
        "link": found["link"],
    }
