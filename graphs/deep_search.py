"""One question, answered by searching, reading and thinking until it is, within a budget.

begin → choose_criteria → choose → search, visit, reflect, or answer → evaluate → choose again, or
conclude
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph

from nodes.deep_search.answer import answer
from nodes.deep_search.begin import begin
from nodes.deep_search.choose import choose
from nodes.deep_search.choose_criteria import choose_criteria
from nodes.deep_search.conclude import conclude
from nodes.deep_search.evaluate import evaluate
from nodes.deep_search.reflect import reflect
from nodes.deep_search.search import search
from nodes.deep_search.visit import visit
from schema.context import Context
from schema.deep_search import Action, DeepSearchInput, DeepSearchOutput, DeepSearchState


def route_to_action(state: DeepSearchState) -> Action:
    """The step that was chosen."""
    return state["choice"]["action"]


def route_after_evaluate(state: DeepSearchState) -> Literal["choose", "conclude"]:
    """On with the search, until the last answer is judged or the original question is settled."""
    settled = state["question"] not in state["task_queue"]["questions"]
    return "conclude" if settled or state["choice"]["decisive"] else "choose"


builder = (
    StateGraph(
        DeepSearchState,
        context_schema=Context,
        input_schema=DeepSearchInput,
        output_schema=DeepSearchOutput,
    )
    .add_sequence([begin, choose_criteria, choose])
    .add_node(search)
    .add_node(visit)
    .add_node(reflect)
    .add_sequence([answer, evaluate])
    .add_node(conclude)
    .add_edge(START, "begin")
    .add_conditional_edges("choose", route_to_action, ["search", "visit", "reflect", "answer"])
    .add_edge("search", "choose")
    .add_edge("visit", "choose")
    .add_edge("reflect", "choose")
    .add_conditional_edges("evaluate", route_after_evaluate)
    .add_edge("conclude", END)
)

graph = builder.compile(name="deep_search").with_config(recursion_limit=400)
