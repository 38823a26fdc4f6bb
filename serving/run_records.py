"""What the audit keeps of a report: who asked what of which sources, and what left the house."""

from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from connectors.registry import make_connector
from library.saved_reports import SavedReport
from models.extractive.chat_model import EXTRACTIVE
from schema.access import Member, name_space
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.events import Event
from schema.report import Report, RoleUsage
from schema.settings import get_settings
from team.audit import record


async def record_asked(begun: SavedReport, context: Context, member: Member) -> None:
    """Note that a report was asked for, of whom, and which models will read its sources.

    Raises:
        LibraryError: it cannot be noted.
    """
    space = name_space(begun.owner, begun.space)
    await record(
        member, "report.asked", begun.id, **_describe_question(begun.question, space, context)
    )


async def record_answer_asked(question: str, context: Context, member: Member) -> None:
    """Note that an answer was asked for.

    Raises:
        LibraryError: it cannot be noted.
    """
    asked = _describe_question(question, context.space, context)
    await record(member, "answer.asked", context.space, **asked)


async def record_answer_ended(
    context: Context, member: Member, events: Sequence[Event], answer: DeepAnswer
) -> None:
    """Note what an answer took of whom outside of the house.

    Raises:
        LibraryError: it cannot be noted.
    """
    asked = _describe_searches(events, answer["usage"])
    await record(member, "answer.finished", context.space, **asked)


def _describe_question(question: str, space: str, context: Context) -> dict[str, object]:
    default = get_settings().default_model
    chosen = {context.planner_model, context.writer_model, context.checker_model}
    models = sorted({one or default for one in chosen})
    return {
        "question": question,
        "space": space,
        "sources": context.connectors or ["all"],
        "models": models,
        "model_hosts": sorted({_find_host(one) for one in models} - {""}),
    }


async def record_ended(
    identity: str, member: Member, state: str, events: Sequence[Event], report: Report | None
) -> None:
    """Note how a run ended, and what it asked of whom outside of the house.

    Raises:
        LibraryError: it cannot be noted.
    """
    asked = _describe_searches(events, report["usage"] if report else {})
    await record(member, f"report.{state}", identity, **asked)


def _describe_searches(
    events: Sequence[Event], usage: Mapping[str, RoleUsage]
) -> dict[str, object]:
    asked = Counter(one["connector"] for one in events if one["type"] == "searched")
    live = {name: count for name, count in asked.items() if make_connector(name).kind == "live"}
    return {
        "searched": [f"{name}: {count}" for name, count in sorted(asked.items())],
        "asked_outside": [f"{name}: {count}" for name, count in sorted(live.items())],
        "pages_read": sum(one["read"] for one in events if one["type"] == "pages"),
        "models": sorted({one["model"] for one in usage.values()}),
    }


def _find_host(model: str) -> str:
    """The host that a model's prompts go to, or its provider; "" where none leaves this process."""
    if model == EXTRACTIVE:
        return ""
    own = get_settings().openai_base_url if model.startswith("openai:") else None
    return (urlsplit(own).hostname or "") if own else model.partition(":")[0]
