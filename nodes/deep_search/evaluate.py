"""Judge a draft: what can be counted is counted, the rest is judged, one criterion at a time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

from langgraph.runtime import Runtime

from models.calls import Role
from nodes.citing import supports
from nodes.deep_search.desk import Bill, best_evidence, decided, known_so_far, told
from nodes.run import context_of, is_extractive, library_of, role_of
from prompts.judge_answer import CRITERIA, JUDGE_ANSWER
from prompts.template import SourceText, fence, items, sources
from retrieval.agenda import after
from retrieval.citations import marks
from retrieval.proof import proven
from schema.context import Context
from schema.deep_search import (
    Criteria,
    Criterion,
    DeepSearchState,
    Draft,
    Finding,
    Judgement,
    Rejection,
    Verdict,
)
from schema.faults import joined

MOST_REJECTIONS_OF_PART = 2
"""Answers to a part of the question that may be rejected before it is given up."""

SHOWN_TOKENS = 4_000
"""Of sources that the strict reviewer sees."""

KEPT_IMPROVEMENTS = 4


async def evaluate(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Accept the draft, or send it back with what has to be mended; the last one is only judged."""
    bill, draft = Bill(), state["draft"]
    assert draft is not None  # noqa: S101  (`answer` wrote it)
    decisive, improve = state["choice"]["decisive"], ""
    verdicts: list[Verdict] = []
    if draft["found"]:
        async for verdict, advice in _verdicts(state, runtime, bill, draft):
            verdicts.append(verdict)
            if not verdict["passed"]:
                improve = improve or advice or verdict["reason"]
                if not decisive:
                    break
    else:
        improve = draft["text"][:500]
    passed = draft["found"] and all(verdict["passed"] for verdict in verdicts)
    update = {
        **told(runtime, state, bill, "evaluate", _outcome(draft, verdicts, improve)),
        "verdicts": verdicts,
    }
    if decisive:
        return update
    agenda = state["agenda"]
    if passed:
        finding = Finding(question=draft["question"], text=draft["text"])
        return {
            **update,
            "agenda": after(agenda, "answer", gained=True, settled=True),
            "findings": [*state["findings"], finding],
        }
    rejected = [
        *state["rejected"],
        Rejection(question=draft["question"], evidence=known_so_far(state)),
    ]
    times = sum(one["question"] == draft["question"] for one in rejected)
    part = draft["question"] != state["question"]
    given_up = part and times >= MOST_REJECTIONS_OF_PART
    return {
        **update,
        "agenda": after(agenda, "answer", gained=False, settled=given_up),
        "rejected": rejected,
        "improvements": [*state["improvements"], improve][-KEPT_IMPROVEMENTS:],
    }


async def _verdicts(
    state: DeepSearchState, runtime: Runtime[Context], bill: Bill, draft: Draft
) -> AsyncIterator[tuple[Verdict, str]]:
    """Verdicts with advice, the cheap ones first; a part is asked for less than the whole."""
    yield await _attribution(state, runtime, draft)
    context = context_of(runtime)
    role = role_of(state, runtime, "reviewer", context.planner_model)
    criteria = Criteria.model_validate(state["criteria"])
    wanted: list[Criterion] = ["definitive"]
    if draft["question"] == state["question"]:
        if criteria.max_age_days is not None:
            yield await _freshness(state, runtime, draft, criteria.max_age_days)
        asked: dict[Criterion, bool] = {
            "definitive": criteria.definitive,
            "completeness": bool(criteria.aspects),
            "plurality": criteria.count is not None and not criteria.aspects,
            "strict": not is_extractive(role.model),
        }
        wanted = [criterion for criterion, counts in asked.items() if counts]
    budget = state.get("budget") or context.deep_budget
    for criterion in wanted:
        spent = {name: state["spent"][name] + bill.budget()[name] for name in ("tokens", "seconds")}
        if spent["tokens"] >= budget["tokens"] or spent["seconds"] >= budget["seconds"]:
            reason = "The budget ended before it was judged."
            yield Verdict(criterion=criterion, passed=False, reason=reason), ""
            continue
        yield await _judged(state, runtime, bill, draft, criterion, role)


async def _judged(
    state: DeepSearchState,
    runtime: Runtime[Context],
    bill: Bill,
    draft: Draft,
    criterion: Criterion,
    role: Role,
) -> tuple[Verdict, str]:
    criteria = Criteria.model_validate(state["criteria"])
    shown: list[SourceText] = []
    if criterion == "strict":
        shown = await best_evidence(state, runtime, draft["question"], bill, SHOWN_TOKENS)
    budget = state.get("budget") or context_of(runtime).deep_budget
    made = await decided(
        bill,
        role,
        JUDGE_ANSWER.name,
        JUDGE_ANSWER.render(
            criterion=CRITERIA[criterion],
            name=criterion,
            question=fence(draft["question"]),
            aspects=items(criteria.aspects),
            count=str(criteria.count or ""),
            answer=fence(draft["text"]),
            sources=sources(shown),
        ),
        Judgement,
        max(1.0, budget["seconds"] - state["spent"]["seconds"]),
    )
    return Verdict(criterion=criterion, passed=made.passed, reason=made.reason), made.improve


async def _attribution(
    state: DeepSearchState, runtime: Runtime[Context], draft: Draft
) -> tuple[Verdict, str]:
    """Whether a source bears out each sentence, by words and figures."""
    cited = set(marks(draft["text"]))
    library = await library_of(runtime)
    evidence = [one for one in state["evidence"] if one["number"] in cited]
    read = await supports(library, evidence, state["language"])
    found = await asyncio.to_thread(proven, draft["text"], read, state["language"])
    lacking = [one for one in found if not one.stands]
    if not cited:
        reason = "It cites no source."
    elif lacking:
        reason = f"Its sources do not bear out “{lacking[0].claim[:200]}”: {lacking[0].worst}."
    else:
        reason = "A source bears out each of its sentences."
    verdict = Verdict(criterion="attribution", passed=bool(cited) and not lacking, reason=reason)
    return verdict, "Cite a source for each sentence, and leave out what none says."


async def _freshness(
    state: DeepSearchState, runtime: Runtime[Context], draft: Draft, most: int
) -> tuple[Verdict, str]:
    """Whether a source that is cited is new enough, by its day of publication or last change."""
    cited = set(marks(draft["text"]))
    documents = [one["document"] for one in state["sources"] if one["number"] in cited]
    described = await (await library_of(runtime)).documents(documents)
    changed = {page["url"]: page["updated"] for page in state["pages"]}
    days = [max(info.published[:10], changed.get(info.url, "")[:10]) for info in described.values()]
    newest = max(filter(None, map(_day, days)), default=None)
    age = (datetime.now(UTC).date() - newest).days if newest else None
    reason = (
        "None of its sources says when it was published."
        if age is None
        else f"Its newest source is of {newest}, {age} days old; {most} are allowed."
    )
    verdict = Verdict(criterion="freshness", passed=age is not None and age <= most, reason=reason)
    return verdict, f"Find a source that is at most {most} days old."


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _outcome(draft: Draft, verdicts: Sequence[Verdict], improve: str) -> str:
    if not draft["found"]:
        return "The sources do not hold the answer yet."
    failed = [verdict for verdict in verdicts if not verdict["passed"]]
    if not failed:
        passed = ", ".join(verdict["criterion"] for verdict in verdicts)
        return f"I judged the answer: it passes ({passed})."
    named = joined(f"{verdict['criterion']}: {verdict['reason']}" for verdict in failed)
    return f"I judged the answer, and it falls short ({named}). To do: {improve}"
