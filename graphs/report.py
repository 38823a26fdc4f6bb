"""A question to a cited report.

question → reformulate → outline → approve → fetch → sections, side by side → cite → check_links
→ publish → remember → report
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.section import graph as section
from nodes.approve import approve
from nodes.check_links import check_links
from nodes.cite import cite
from nodes.fetch import fetch, section_pool
from nodes.further_questions import further_questions
from nodes.nothing_found import nothing_found
from nodes.outline import outline
from nodes.publish import publish
from nodes.reformulate import reformulate
from nodes.remember import remember
from nodes.reply import reply
from nodes.section_failed import section_failed
from schema.context import Context
from schema.state import ReportInput, ReportState, SectionInput


def after_reformulate(state: ReportState) -> Literal["outline", "reply"]:
    """Research, or answer a greeting."""
    return "outline" if state["question"]["queries"] else "reply"


def after_fetch(state: ReportState) -> list[Send] | Literal["nothing_found"]:
    """One branch per section, and the further questions beside them."""
    if not state["pool"]:
        return "nothing_found"
    plan = state["outline"]["sections"]
    return [
        *(
            Send(
                "section",
                SectionInput(
                    index=index,
                    title=planned["title"],
                    questions=planned["questions"],
                    question=state["question"]["text"],
                    language=state["question"]["language"],
                    plan=plan,
                    pool=section_pool(state["pool"], index),
                    sources=state["sources"],
                    digs=[d for d in state["digs"] if d["question"] in planned["questions"]],
                ),
            )
            for index, planned in enumerate(plan)
        ),
        Send("further_questions", state),
    ]


builder = (
    StateGraph(ReportState, context_schema=Context, input_schema=ReportInput)
    .add_node("reformulate", reformulate)
    .add_node("reply", reply)
    .add_node("outline", outline)
    .add_node("approve", approve)
    .add_node("fetch", fetch)
    .add_node("nothing_found", nothing_found)
    .add_node("section", section, error_handler=section_failed)
    .add_node("further_questions", further_questions)
    .add_node("cite", cite)
    .add_node("check_links", check_links)
    .add_node("publish", publish)
    .add_node("remember", remember)
    .add_edge(START, "reformulate")
    .add_conditional_edges("reformulate", after_reformulate)
    .add_edge("outline", "approve")
    .add_edge("approve", "fetch")
    .add_conditional_edges("fetch", after_fetch, ["section", "further_questions", "nothing_found"])
    .add_edge("section", "cite")
    .add_edge("further_questions", "cite")
    .add_edge("reply", END)
    .add_edge("nothing_found", END)
    .add_edge("cite", "check_links")
    .add_edge("check_links", "publish")
    .add_edge("publish", "remember")
    .add_edge("remember", END)
)

graph = builder.compile(name="report").with_config(recursion_limit=400)
