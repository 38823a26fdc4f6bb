"""A saved report with sections rewritten, as an instruction asks.

load_report → rewrite, side by side → merge_sections → check_citations
→ (fix_citations → check_citations) → finalize → check_links → check_retractions → save_version
→ publish → remember
"""

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.repair import route_after_check_citations
from graphs.section import graph as section
from graphs.subgraph import as_step
from nodes.report.check_citations import check_citations
from nodes.report.check_links import check_links
from nodes.report.check_retractions import check_retractions
from nodes.report.finalize import finalize
from nodes.report.fix_citations import fix_citations
from nodes.report.merge_sections import merge_sections
from nodes.report.publish import publish
from nodes.report.remember import remember
from nodes.revise_section.load_report import load_report
from nodes.revise_section.save_version import save_version
from schema.context import Context
from schema.state import RevisionInput, RevisionState


def route_after_load_report(state: RevisionState) -> list[Send]:
    """Each section, to its writer."""
    return [Send("rewrite", task) for task in state["tasks"]]


builder = (
    StateGraph(RevisionState, context_schema=Context, input_schema=RevisionInput)
    .add_node(load_report)
    .add_node("rewrite", as_step(section))
    .add_sequence([merge_sections, check_citations])
    .add_node(fix_citations)
    .add_sequence([finalize, check_links, check_retractions, save_version, publish, remember])
    .add_edge(START, "load_report")
    .add_conditional_edges("load_report", route_after_load_report, ["rewrite"])
    .add_edge("rewrite", "merge_sections")
    .add_conditional_edges(
        "check_citations",
        route_after_check_citations,
        {"fix_citations": "fix_citations", "checked": "finalize"},
    )
    .add_edge("fix_citations", "check_citations")
    .add_edge("remember", END)
)

graph = builder.compile(name="revise_section").with_config(recursion_limit=100)
