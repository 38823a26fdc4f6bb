"""A question to a cited report.

question → begin → reformulate → outline → approve → fetch → sections, side by side → assemble
→ revise → prove → (repair → prove) → cite → check_links → keep → publish → remember → report
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.section import graph as section
from graphs.subgraph import as_step
from nodes.approve import approve
from nodes.assemble import assemble
from nodes.begin import begin
from nodes.check_links import check_links
from nodes.cite import cite
from nodes.fetch import fetch, section_pool
from nodes.further_questions import further_questions
from nodes.keep import keep
from nodes.nothing_found import nothing_found
from nodes.outline import outline
from nodes.prove import prove
from nodes.publish import publish
from nodes.reformulate import reformulate
from nodes.remember import remember
from nodes.repair import repair
from nodes.reply import reply
from nodes.revise import revise
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
    written = {section["index"] for section in state["sections"]}  # where others had failed
    return [
        *(
            Send(
                "section",
                SectionInput(
                    run=state["run"],
                    index=index,
                    title=planned["title"],
                    questions=planned["questions"],
                    report_question=state["question"]["text"],
                    language=state["question"]["language"],
                    plan=plan,
                    pool=section_pool(state["pool"], index),
                    sources=state["sources"],
                    digs=[d for d in state["digs"] if d["question"] in planned["questions"]],
                ),
            )
            for index, planned in enumerate(plan)
            if index not in written
        ),
        # of sections that are sent out again they are there already
        *([] if state.get("further_questions") else [Send("further_questions", state)]),
    ]


def after_prove(state: ReportState) -> list[Send] | Literal["cite"]:
    """Back to its writer with each section that holds what cannot be proven; once."""
    return [Send("repair", failing) for failing in state["failing"]] or "cite"


builder = (
    StateGraph(ReportState, context_schema=Context, input_schema=ReportInput)
    .add_node("begin", begin)
    .add_node("reformulate", reformulate)
    .add_node("reply", reply)
    .add_node("outline", outline)
    .add_node("approve", approve)
    .add_node("fetch", fetch)
    .add_node("nothing_found", nothing_found)
    .add_node("section", as_step(section), error_handler=section_failed)
    .add_node("further_questions", further_questions)
    .add_node("assemble", assemble)
    .add_node("revise", revise)
    .add_node("prove", prove)
    .add_node("repair", repair)
    .add_node("cite", cite)
    .add_node("check_links", check_links)
    .add_node("keep", keep)
    .add_node("publish", publish)
    .add_node("remember", remember)
    .add_edge(START, "begin")
    .add_edge("begin", "reformulate")
    .add_conditional_edges("reformulate", after_reformulate)
    .add_edge("outline", "approve")
    .add_edge("approve", "fetch")
    .add_conditional_edges("fetch", after_fetch, ["section", "further_questions", "nothing_found"])
    .add_edge("section", "assemble")
    .add_edge("further_questions", "assemble")
    .add_edge("assemble", "revise")
    .add_edge("revise", "prove")
    .add_conditional_edges("prove", after_prove, ["repair", "cite"])
    .add_edge("repair", "prove")
    .add_edge("reply", END)
    .add_edge("nothing_found", END)
    .add_edge("cite", "check_links")
    .add_edge("check_links", "keep")
    .add_edge("keep", "publish")
    .add_edge("publish", "remember")
    .add_edge("remember", END)
)

graph = builder.compile(name="report").with_config(recursion_limit=400)
