"""Answers of deep search for the members of a server: within their limits, in a conversation."""

from collections.abc import Sequence

from nodes.common.ceiling import list_unpriced
from nodes.common.run import check_question
from schema.access import Member, find_owner
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.events import Event
from serving.conversation import Turn, restate_question
from serving.run_records import record_answer_asked, record_answer_ended
from serving.runs import OnEvent, run_deep_search
from team.limits import check_limits
from team.store import open_team
from team.usage import note_run


async def check_may_ask(question: str, context: Context, member: Member) -> None:
    """Raise what `answer_question` would before it begins."""
    check_question(question)
    find_owner(context.space, member, "writer")
    await check_limits(await open_team(), member, 0, list_unpriced(context))


async def answer_question(
    question: str,
    context: Context,
    on_event: OnEvent,
    member: Member,
    conversation: Sequence[Turn] = (),
) -> DeepAnswer:
    """Answer one question, which may speak of what was said before.

    Raises:
        InputError: there is no question, or the space is not the member's.
        LimitError: the member has used what they may.
        QuireError: the search failed.
    """
    await check_may_ask(question, context, member)
    await note_run(await open_team(), member.identity)
    await record_answer_asked(question, context, member)
    events: list[Event] = []

    def show(event: Event) -> None:
        events.append(event)
        on_event(event)

    alone = await restate_question(question, conversation, context)
    answer = await run_deep_search(alone, context, show, member)
    await record_answer_ended(context, member, events, answer)
    return answer
