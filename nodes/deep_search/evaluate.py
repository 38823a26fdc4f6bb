"""Judge a draft: what can be counted is counted, the rest is judged, one criterion at a time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime

from langgraph.runtime import Runtime

from citations.check import check_sentences
from citations.failure_reasons import explain_failure
from citations.markers import find_markers
from models.calls import Role
from nodes.common.citations import load_support
from nodes.common.run import get_context, get_library, is_extractive, make_role
from nodes.deep_search.evidence import StepCost, count_known, decide, record_step, select_evidence
from nodes.deep_search.task_queue import advance_queue
from prompts.judge_answer import JudgeAnswerPrompt
from prompts.template import SourceText
from schema.context import Context
from schema.deep_search import (
    Criteria,
    Criterion,
    DeepSearchState,
    DeepSearchUpdate,
    Draft,
    Finding,
    Judgement,
    Rejection,
    Verdict,
)
from schema.error_text import join_sentences

MAX_REJECTIONS_OF_PART = 2
"""Answers to a part of the question that may be rejected before it is given up."""

SHOWN_TOKENS = 4_000
"""Of sources that the strict reviewer sees."""

MAX_IMPROVEMENTS = 4


async def evaluate(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Accept the draft, or send it back with what to improve; the last one is only judged."""
    bill, draft = StepCost(), state["draft"]
    decisive, improve = state["choice"]["decisive"], ""
    verdicts: list[Verdict] = []
    if draft["found"]:
        async for verdict, advice in _judge_draft(state, runtime, bill, draft):
            verdicts.append(verdict)
            if not verdict["passed"]:
                improve = improve or advice or verdict["reason"]
                if not decisive:
                    break
    else:
        improve = draft["text"][:500]
    passed = draft["found"] and all(verdict["passed"] for verdict in verdicts)
    update: DeepSearchUpdate = {
        **record_step(
            runtime, state, bill, "evaluate", _describe_outcome(draft, verdicts, improve)
        ),
        "verdicts": verdicts,
    }
    if decisive:
        return update
    queue = state["task_queue"]
    if passed:
        finding = Finding(question=draft["question"], text=draft["text"])
        return {
            **update,
            "task_queue": advance_queue(queue, "answer", gained=True, settled=True),
            "findings": [*state["findings"], finding],
        }
    rejected = [
        *state["rejected"],
        Rejection(question=draft["question"], known_count=count_known(state)),
    ]
    times = sum(one["question"] == draft["question"] for one in rejected)
    part = draft["question"] != state["question"]
    given_up = part and times >= MAX_REJECTIONS_OF_PART
    return {
        **update,
        "task_queue": advance_queue(queue, "answer", gained=False, settled=given_up),
        "rejected": rejected,
        "improvements": [*state["improvements"], improve][-MAX_IMPROVEMENTS:],
    }


async def _judge_draft(
    state: DeepSearchState, runtime: Runtime[Context], bill: StepCost, draft: Draft
) -> AsyncIterator[tuple[Verdict, str]]:
    """Verdicts with advice, the cheap ones first; a part is asked for less than the whole."""
    yield await _check_attribution(state, runtime, draft)
    context = get_context(runtime)
    role = make_role(state, runtime, "reviewer", context.planner_model)
    criteria = Criteria.model_validate(state["criteria"])
    wanted: list[Criterion] = ["definitive"]
    if draft["question"] == state["question"]:
        if criteria.max_age_days is not None:
            yield await _check_freshness(state, runtime, draft, criteria.max_age_days)
        asked: dict[Criterion, bool] = {
            "definitive": criteria.definitive,
            "completeness": bool(criteria.aspects),
            "plurality": criteria.count is not None and not criteria.aspects,
            "strict": not is_extractive(role.model),
        }
        wanted = [criterion for criterion, counts in asked.items() if counts]
    budget = state.get("budget") or context.deep_budget
    for criterion in wanted:
        spent = {
            name: state["spent"][name] + bill.to_budget()[name] for name in ("tokens", "seconds")
        }
        if spent["tokens"] >= budget["tokens"] or spent["seconds"] >= budget["seconds"]:
            reason = "The budget ended before it was judged."
            yield Verdict(criterion=criterion, passed=False, reason=reason), ""
            continue
        yield await _judge_criterion(state, runtime, bill, draft, criterion, role)


async def _judge_criterion(
    state: DeepSearchState,
    runtime: Runtime[Context],
    bill: StepCost,
    draft: Draft,
    criterion: Criterion,
    role: Role,
) -> tuple[Verdict, str]:
    criteria = Criteria.model_validate(state["criteria"])
    shown: list[SourceText] = []
    if criterion == "strict":
        shown = await select_evidence(state, runtime, draft["question"], bill, SHOWN_TOKENS)
    budget = state.get("budget") or get_context(runtime).deep_budget
    made = await decide(
        bill,
        role,
        JudgeAnswerPrompt(
            criterion=criterion,
            question=draft["question"],
            aspects=criteria.aspects,
            count=criteria.count,
            answer=draft["text"],
            sources=shown,
        ),
        Judgement,
        max(1.0, budget["seconds"] - state["spent"]["seconds"]),
    )
    return Verdict(criterion=criterion, passed=made.passed, reason=made.reason), made.improve


async def _check_attribution(
    state: DeepSearchState, runtime: Runtime[Context], draft: Draft
) -> tuple[Verdict, str]:
    """Whether a source supports each sentence, by words and figures."""
    cited = set(find_markers(draft["text"]))
    library = await get_library(runtime)
    evidence = [one for one in state["evidence"] if one["number"] in cited]
    read = await load_support(library, evidence, state["language"])
    found = await asyncio.to_thread(check_sentences, draft["text"], read, state["language"])
    lacking = [one for one in found if not one.is_supported]
    if not cited:
        reason = "It cites no source."
    elif lacking:
        why = explain_failure(lacking[0], state["language"])
        reason = f"Its sources do not support “{lacking[0].claim[:200]}”: {why}."
    else:
        reason = "A source supports each of its sentences."
    verdict = Verdict(criterion="attribution", passed=bool(cited) and not lacking, reason=reason)
    return verdict, "Cite a source for each sentence, and leave out what none says."


async def _check_freshness(
    state: DeepSearchState, runtime: Runtime[Context], draft: Draft, most: int
) -> tuple[Verdict, str]:
    """Whether a source that is cited is new enough, by its day of publication or last change."""
    cited = set(find_markers(draft["text"]))
    documents = [one["document"] for one in state["sources"] if one["number"] in cited]
    described = await (await get_library(runtime)).load_documents(documents)
    changed = {page["url"]: page["updated"] for page in state["pages"]}
    days = [max(info.published[:10], changed.get(info.url, "")[:10]) for info in described.values()]
    newest = max(filter(None, map(_parse_date, days)), default=None)
    age = (datetime.now(UTC).date() - newest).days if newest else None
    reason = (
        "None of its sources says when it was published."
        if age is None
        else f"Its newest source is of {newest}, {age} days old; {most} are allowed."
    )
    verdict = Verdict(criterion="freshness", passed=age is not None and age <= most, reason=reason)
    return verdict, f"Find a source that is at most {most} days old."


def _parse_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _describe_outcome(draft: Draft, verdicts: Sequence[Verdict], improve: str) -> str:
    if not draft["found"]:
        return "The sources do not hold the answer yet."
    failed = [verdict for verdict in verdicts if not verdict["passed"]]
    if not failed:
        passed = ", ".join(verdict["criterion"] for verdict in verdicts)
        return f"I judged the answer: it passes ({passed})."
    named = join_sentences(f"{verdict['criterion']}: {verdict['reason']}" for verdict in failed)
    return f"I judged the answer, and it falls short ({named}). To do: {improve}"
