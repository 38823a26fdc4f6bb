"""Answers of deep search for the members of a server: within their limits, in a conversation."""

from collections.abc import Sequence

from schema.access import Member
from schema.context import Context
from schema.deep_search import DeepAnswer
from serving.conversation import Turn, restate_question
from serving.runs import OnEvent, run_deep_search
from team.limits import check_limits
from team.store import open_team
from team.usage import note_run


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
    team = await open_team()
    await check_limits(team, member, 0)
    await note_run(team, member.identity)
    alone = await restate_question(question, conversation, context)
    return await run_deep_search(alone, context, on_event, member)
