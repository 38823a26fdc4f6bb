"""A kept report with one section written anew, as its reader wishes.

take → rewrite → assemble → prove → (repair → prove) → rebind → check_links → keep_version
→ publish → remember
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.section import graph as section
from graphs.subgraph import as_step
from nodes.assemble import assemble
from nodes.check_links import check_links
from nodes.keep_version import keep_version
from nodes.prove import prove
from nodes.publish import publish
from nodes.rebind import rebind
from nodes.remember import remember
from nodes.repair import repair
from nodes.take import take
from schema.context import Context
from schema.state import RevisionInput, RevisionState


def after_take(state: RevisionState) -> list[Send]:
    """The one section, to its writer."""
    return [Send("rewrite", state["task"])]


def after_prove(state: RevisionState) -> list[Send] | Literal["rebind"]:
    """Back to its writer if the section holds what cannot be proven; once."""
    return [Send("repair", failing) for failing in state["failing"]] or "rebind"


builder = (
    StateGraph(RevisionState, context_schema=Context, input_schema=RevisionInput)
    .add_node("take", take)
    .add_node("rewrite", as_step(section))
    .add_node("assemble", assemble)
    .add_node("prove", prove)
    .add_node("repair", repair)
    .add_node("rebind", rebind)
    .add_node("check_links", check_links)
    .add_node("keep_version", keep_version)
    .add_node("publish", publish)
    .add_node("remember", remember)
    .add_edge(START, "take")
    .add_conditional_edges("take", after_take, ["rewrite"])
    .add_edge("rewrite", "assemble")
    .add_edge("assemble", "prove")
    .add_conditional_edges("prove", after_prove, ["repair", "rebind"])
    .add_edge("repair", "prove")
    .add_edge("rebind", "check_links")
    .add_edge("check_links", "keep_version")
    .add_edge("keep_version", "publish")
    .add_edge("publish", "remember")
    .add_edge("remember", END)
)

graph = builder.compile(name="revise_section").with_config(recursion_limit=100)
