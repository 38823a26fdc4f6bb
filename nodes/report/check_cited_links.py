"""Ask the cited web pages whether they still answer, while the text is edited."""

from langgraph.runtime import Runtime

from citations.markers import find_markers
from nodes.common.links import check_urls, list_web_urls
from nodes.common.run import get_context
from schema.context import Context
from schema.state import ReportState, ReportUpdate


async def check_cited_links(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Ask once what most references will be; `check_links` asks for those that come later."""
    if not get_context(runtime).check_links:
        return {}
    drafts = state["drafts"]
    cited = {number for draft in drafts for number in find_markers(draft["text"])}
    sources = [*state["sources"], *(one for draft in drafts for one in draft["sources"])]
    urls = [source["url"] for source in sources if source["number"] in cited]
    return {"links": await check_urls(list_web_urls(urls))}
