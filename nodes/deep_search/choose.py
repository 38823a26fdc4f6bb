"""Choose the next step of a deep search among those that make sense."""

from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from models.calls import Role
from models.rerank import rerank
from nodes.deep_search.desk import (
    Bill,
    best_evidence,
    decided,
    is_over,
    known_so_far,
    left_for_research,
)
from nodes.run import context_of, is_extractive, role_of
from prompts.choose_action import ACTIONS, CHOOSE_ACTION
from prompts.template import fence, items, pages, sources
from retrieval.agenda import Means, is_stuck, sensible
from retrieval.leads import ranked, shares
from retrieval.url_ranking import Weighed
from schema.context import Context
from schema.deep_search import Action, Budget, Choice, Criteria, Decision, DeepSearchState

SHOWN_PAGES = 20
READ_AT_ONCE = 5
"""Pages of one step."""

UNASKED_PAGES = 3
"""Pages that are read where nobody chose."""

SHOWN_TOKENS = 4_000
"""Of the evidence that the choice is made from."""

SHOWN_STEPS = 12
MOST_REJECTIONS = 3
"""Answers to the original question that may be rejected before the last one is written."""


async def choose(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Take the only step that makes sense, or let the model choose.

    Research ends, with the last answer, where the budget but for what writing takes is spent,
    where two rounds brought nothing, where answers were rejected often enough, or where no step
    makes sense any more.
    """
    context, bill = context_of(runtime), Bill()
    question, left = state["agenda"]["queue"][0], left_for_research(state, context)
    weighed = await _weighed(state, question, context, bill)
    offered = sensible(state["agenda"], _means(state, left, weighed))
    weighed = weighed[:SHOWN_PAGES]
    role = role_of(state, runtime, "searcher", context.planner_model)
    if is_extractive(role.model):  # it has no words of its own to ask with
        offered = [action for action in offered if action != "reflect"]
    ends = is_over(left) or is_stuck(state["agenda"]) or _rejections(state) >= MOST_REJECTIONS
    if ends or not offered:
        chosen, decisive = Decision(action="answer"), True
    elif len(offered) == 1 and offered[0] != "reflect":
        chosen, decisive = Decision(action=offered[0]), False
    else:
        chosen = await _asked(state, runtime, bill, role, offered, weighed)
        decisive = False
    named = [weighed[n - 1].url for n in dict.fromkeys(chosen.pages) if 0 < n <= len(weighed)]
    urls = named or [one.url for one in weighed[:UNASKED_PAGES]]
    cost = bill.budget()
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
    return {**bill.update(), "choice": choice}


def _means(state: DeepSearchState, left: Budget, weighed: list[Weighed]) -> Means:
    question, found = state["agenda"]["queue"][0], len(state["evidence"])
    return Means(
        searches=left["searches"],
        pages=left["pages"],
        open_pages=len(weighed),
        evidence=found,
        questions=len(state["asked"]),
        searchable=question not in state["exhausted"],
        rejected={"question": question, "evidence": known_so_far(state)} in state["rejected"],
    )


def _rejections(state: DeepSearchState) -> int:
    return sum(one["question"] == state["question"] for one in state["rejected"])


async def _weighed(
    state: DeepSearchState, question: str, context: Context, bill: Bill
) -> list[Weighed]:
    """The open pages, ranked for the question at hand."""
    held = state["pages"]
    asked = "\n".join(dict.fromkeys([question, state["question"]]))
    ranking = await rerank(asked, [page["words"] for page in held], context.rerank_model)
    bill.lost += ranking.degraded
    fresh = Criteria.model_validate(state["criteria"]).max_age_days is not None
    today = datetime.now(UTC).date()
    return ranked(held, shares(ranking.scores), today, wants_fresh=fresh)


async def _asked(
    state: DeepSearchState,
    runtime: Runtime[Context],
    bill: Bill,
    role: Role,
    offered: list[Action],
    weighed: list[Weighed],
) -> Decision:
    context, question = context_of(runtime), state["agenda"]["queue"][0]
    shown = await best_evidence(state, runtime, question, bill, SHOWN_TOKENS)
    said = {page["url"]: page["words"] for page in state["pages"]}
    messages = CHOOSE_ACTION.render(
        language=state["language"],
        goal=fence(state["question"]),
        question=fence(question),
        actions="\n".join(ACTIONS[action] for action in offered),
        offered=items(offered),
        known=items(f"{one['question']} {one['text']}" for one in state["findings"]),
        diary=items(state["diary"][-SHOWN_STEPS:]),
        tried=items(state["queries"]),
        requirements=items(state["improvements"]),
        pages=pages((one.url, one.weight, said[one.url]) for one in weighed),
        sources=sources(shown),
    )

    def impossible(made: Decision) -> str | None:
        if made.action in offered:
            return None
        return f"the action {made.action} makes no sense now: choose {' or '.join(offered)}"

    return await decided(
        bill,
        role,
        CHOOSE_ACTION.name,
        messages,
        Decision,
        left_for_research(state, context)["seconds"],
        impossible,
    )
