"""Choose the next step of a deep search among those that make sense."""

from datetime import UTC, datetime

from langgraph.runtime import Runtime

from models.calls import Role
from models.rerank import rerank_texts
from nodes.common.run import get_context, is_extractive, make_role
from nodes.deep_search.evidence import (
    StepCost,
    compute_research_budget,
    count_known,
    decide,
    is_spent,
    list_findings,
    select_evidence,
)
from nodes.deep_search.task_queue import Resources, is_stuck, list_useful_actions
from prompts.choose_action import ChooseActionPrompt
from prompts.template import PageText
from retrieval.web.frontier import rank_pages, scale_relevance
from retrieval.web.url_ranking import RankedUrl
from schema.context import Context
from schema.deep_search import (
    Action,
    Budget,
    Choice,
    Criteria,
    Decision,
    DeepSearchState,
    DeepSearchUpdate,
)

SHOWN_PAGES = 20
READ_AT_ONCE = 5
"""Pages of one step."""

DEFAULT_PAGES = 3
"""Pages that are read where nobody chose."""

SHOWN_TOKENS = 4_000
"""Of the evidence that the choice is made from."""

SHOWN_STEPS = 12
MAX_REJECTIONS = 3
"""Answers to the original question that may be rejected before the last one is written."""


async def choose(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Take the only step that makes sense, or let the model choose.

    A report that is asked answers from its own sources first, and is done where it may not search.

    Research ends, with the last answer, where the budget but for what writing takes is spent,
    where two rounds brought nothing, where answers were rejected often enough, or where no step
    makes sense any more.
    """
    context, bill = get_context(runtime), StepCost()
    question, left = state["task_queue"]["questions"][0], compute_research_budget(state, context)
    weighed = await _rank_open_pages(state, question, context, bill)
    offered = list_useful_actions(state["task_queue"], _collect_means(state, left, weighed))
    weighed = weighed[:SHOWN_PAGES]
    role = make_role(state, runtime, "searcher", context.planner_model)
    if is_extractive(role.model):  # it has no words of its own to ask with
        offered = [action for action in offered if action != "reflect"]
    ends = (
        is_spent(left)
        or is_stuck(state["task_queue"])
        or _count_rejections(state) >= MAX_REJECTIONS
    )
    closed = bool(state.get("report_id")) and not state.get("may_search", True)
    if ends or not offered or closed:
        chosen, decisive = Decision(action="answer"), True
    elif state.get("report_id") and state["evidence"] and not state["rejected"]:
        chosen, decisive = Decision(action="answer"), False
    elif len(offered) == 1 and offered[0] != "reflect":
        chosen, decisive = Decision(action=offered[0]), False
    else:
        chosen = await _ask_model(state, runtime, bill, role, offered, weighed)
        decisive = False
    named = [weighed[n - 1].url for n in dict.fromkeys(chosen.pages) if 0 < n <= len(weighed)]
    urls = named or [one.url for one in weighed[:DEFAULT_PAGES]]
    cost = bill.to_budget()
    choice = Choice(
        action=chosen.action,
        why=chosen.why,
        decisive=decisive,
        needs=chosen.needs,
        pages=urls[: min(READ_AT_ONCE, left["pages"])],
        questions=chosen.questions,
        tokens=cost["tokens"],
        seconds=cost["seconds"],
    )
    return {**bill.to_update(), "choice": choice}


def _collect_means(state: DeepSearchState, left: Budget, weighed: list[RankedUrl]) -> Resources:
    question, found = state["task_queue"]["questions"][0], len(state["evidence"])
    return Resources(
        searches=left["searches"],
        pages=left["pages"],
        open_pages=len(weighed),
        evidence=found,
        questions=len(state["asked"]),
        searchable=question not in state["exhausted"],
        rejected={"question": question, "known_count": count_known(state)} in state["rejected"],
    )


def _count_rejections(state: DeepSearchState) -> int:
    return sum(one["question"] == state["question"] for one in state["rejected"])


async def _rank_open_pages(
    state: DeepSearchState, question: str, context: Context, bill: StepCost
) -> list[RankedUrl]:
    """The open pages, ranked for the question at hand."""
    held = state["pages"]
    asked = "\n".join(dict.fromkeys([question, state["question"]]))
    ranking = await rerank_texts(asked, [page["words"] for page in held], context.rerank_model)
    bill.failures += ranking.degraded
    fresh = Criteria.model_validate(state["criteria"]).max_age_days is not None
    today = datetime.now(UTC).date()
    return rank_pages(held, scale_relevance(ranking.scores), today, wants_fresh=fresh)


async def _ask_model(
    state: DeepSearchState,
    runtime: Runtime[Context],
    bill: StepCost,
    role: Role,
    offered: list[Action],
    weighed: list[RankedUrl],
) -> Decision:
    context, question = get_context(runtime), state["task_queue"]["questions"][0]
    shown = await select_evidence(state, runtime, question, bill, SHOWN_TOKENS)
    words = {page["url"]: page["words"] for page in state["pages"]}
    prompt = ChooseActionPrompt(
        language=state["language"],
        goal=state["question"],
        question=question,
        offered=offered,
        known=list_findings(state),
        diary=state["diary"][-SHOWN_STEPS:],
        tried=state["queries"],
        requirements=state["improvements"],
        # no model is shown more of a weight than two digits
        pages=[PageText(one.url, round(one.weight, 2), words[one.url]) for one in weighed],
        sources=shown,
    )

    def impossible(made: Decision) -> str | None:
        if made.action in offered:
            return None
        return f"the action {made.action} makes no sense now: choose {' or '.join(offered)}"

    seconds = compute_research_budget(state, context)["seconds"]
    return await decide(bill, role, prompt, Decision, seconds, impossible)
