"""A question to a cited report.

question → begin → reformulate → outline → approve_outline → search_sources → revise_outline
→ search_open_questions → sections, side by side → merge_sections → edit, beside check_cited_links
→ fill_gaps → check_citations → (fix_citations → check_citations) → summarise → finalize
→ check_links → check_retractions → save → publish → remember → report

What is said next on the same thread: begin → take_follow_up → answer or revise → say_follow_up, or
reformulate where it wants a report of its own.
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.deep_search import graph as deep_search
from graphs.repair import route_after_check_citations
from graphs.revise_section import graph as revise_section
from graphs.section import graph as section
from graphs.subgraph import as_step
from nodes.common.run import get_last_question
from nodes.plan.approve_outline import approve_outline
from nodes.plan.outline import outline
from nodes.plan.reformulate import reformulate
from nodes.plan.reply import reply
from nodes.plan.revise_outline import revise_outline
from nodes.plan.say_follow_up import say_follow_up
from nodes.plan.take_follow_up import take_follow_up
from nodes.report.begin import begin
from nodes.report.check_citations import check_citations
from nodes.report.check_cited_links import check_cited_links
from nodes.report.check_links import check_links
from nodes.report.check_retractions import check_retractions
from nodes.report.edit import edit
from nodes.report.fill_gaps import fill_gaps
from nodes.report.finalize import finalize
from nodes.report.fix_citations import fix_citations
from nodes.report.merge_sections import merge_sections
from nodes.report.nothing_found import nothing_found
from nodes.report.publish import publish
from nodes.report.remember import remember
from nodes.report.save import save
from nodes.report.search_open_questions import search_open_questions
from nodes.report.search_sources import search_sources, select_section_pool
from nodes.report.summarise import summarise
from nodes.section.section_failed import section_failed
from schema.context import Context
from schema.deep_search import DeepSearchInput
from schema.state import ReportInput, ReportState, RevisionInput, SectionInput


def route_after_begin(state: ReportState) -> Literal["take_follow_up", "reformulate"]:
    """What is said on a thread that has a report is first held against that."""
    return "take_follow_up" if state.get("last_report") else "reformulate"


def route_after_take_follow_up(state: ReportState) -> list[Send] | Literal["reformulate"]:
    """An answer beside the report, its next version, or a report of its own."""
    wanted, report = state["follow_up"], state["last_report"]
    if not wanted or wanted["kind"] == "report":
        return "reformulate"
    said = get_last_question(state["messages"])
    if wanted["kind"] == "question":
        question = wanted["request"] or said
        return [
            Send("answer", DeepSearchInput(run=state["run"], report_id=report, question=question))
        ]
    revision = RevisionInput(
        run=state["run"],
        report_id=report,
        section_numbers=wanted["section_numbers"],
        instruction=said,
        may_search=wanted["kind"] == "research",
    )
    return [Send("revise", revision)]


def route_after_reformulate(state: ReportState) -> Literal["outline", "reply"]:
    """Research, or answer a greeting."""
    return "outline" if state["question"]["queries"] else "reply"


def route_after_search_sources(state: ReportState) -> Literal["revise_outline", "nothing_found"]:
    """On with what was found, if anything was."""
    return "revise_outline" if state["pool"] else "nothing_found"


def route_after_search_open_questions(state: ReportState) -> list[Send]:
    """One branch per section."""
    written = {section["index"] for section in state["sections"]}  # where others had failed
    return [
        Send("section", _make_section_input(state, index))
        for index in range(len(state["outline"]["sections"]))
        if index not in written
    ]


def _make_section_input(state: ReportState, index: int) -> SectionInput:
    """What the section at this place of the outline is written from, and how."""
    outline = state["outline"]
    planned = outline["sections"][index]
    return SectionInput(
        run=state["run"],
        index=index,
        title=planned["title"],
        questions=planned["questions"],
        report_question=state["question"]["text"],
        language=state["question"]["language"],
        plan=outline["sections"],
        pool=select_section_pool(state["pool"], index),
        sources=state["sources"],
        follow_up_searches=[
            one for one in state["follow_up_searches"] if one["question"] in planned["questions"]
        ],
        words=planned["words"],
        form=planned["form"],
        shape=outline["shape"],
        style=state["style"],
        audience=state["audience"],
    )


builder = (
    StateGraph(ReportState, context_schema=Context, input_schema=ReportInput)
    .add_node(begin)
    .add_node(take_follow_up)
    .add_node("answer", as_step(deep_search, "answer", "spent", "calls", "degraded"))
    .add_node("revise", as_step(revise_section, "report", "spent", "calls", "degraded"))
    .add_node(say_follow_up)
    .add_node(reformulate)
    .add_node(reply)
    .add_sequence([outline, approve_outline, search_sources])
    .add_node(nothing_found)
    .add_sequence([revise_outline, search_open_questions])
    .add_node("section", as_step(section), error_handler=section_failed)
    .add_sequence([merge_sections, edit])
    .add_node(check_cited_links)
    .add_sequence([fill_gaps, check_citations])
    .add_node(fix_citations)
    .add_sequence([summarise, finalize, check_links, check_retractions, save, publish, remember])
    .add_edge(START, "begin")
    .add_conditional_edges("begin", route_after_begin)
    .add_conditional_edges(
        "take_follow_up", route_after_take_follow_up, ["answer", "revise", "reformulate"]
    )
    .add_edge("answer", "say_follow_up")
    .add_edge("revise", "say_follow_up")
    .add_edge("say_follow_up", END)
    .add_conditional_edges("reformulate", route_after_reformulate)
    .add_conditional_edges("search_sources", route_after_search_sources)
    .add_conditional_edges("search_open_questions", route_after_search_open_questions, ["section"])
    .add_edge("section", "merge_sections")
    .add_edge("__error_handler__section", "merge_sections")  # where all of them failed
    .add_edge("merge_sections", "check_cited_links")
    .add_edge(["edit", "check_cited_links"], "fill_gaps")
    .add_conditional_edges(
        "check_citations",
        route_after_check_citations,
        {"fix_citations": "fix_citations", "checked": "summarise"},
    )
    .add_edge("fix_citations", "check_citations")
    .add_edge("reply", END)
    .add_edge("nothing_found", END)
    .add_edge("remember", END)
)

graph = builder.compile(name="report").with_config(recursion_limit=400)
