"""A chat that goes on about the report in it: a question to that, or a change of it.

A client of chat completions keeps its conversation itself, so each message that gives a report ends
with the report's id, and is known again by that.
"""

import re
from collections.abc import Awaitable, Callable, Sequence

from exports.formats import export
from exports.markdown import render_answer
from library.saved_reports import SavedReport
from nodes.common.follow_up import describe_follow_up, describe_reach
from schema.access import Member, name_space
from schema.errors import InputError
from schema.follow_up import FollowUp
from serving.conversation import Turn
from serving.follow_ups import do_follow_up, route_follow_up
from serving.stored_reports import check_finished, load_report
from team.audit import record
from web.openai_answer import Written, count_tokens
from web.openai_request import ChatRequest
from web.progress_text import Tell, make_teller

_SIGNATURE = (
    "*Saved as report {}. Ask about it, say what to change, or ask for “a new report on …”.*"
)
_SIGNED = re.compile(re.escape(_SIGNATURE).replace(r"\{\}", r"(\w{1,40})"))


def sign(text: str, identity: str) -> str:
    """A message with the id of the report that it gives or speaks of."""
    return f"{text.rstrip()}\n\n{_SIGNATURE.format(identity)}\n"


async def begin_follow_up(
    asked: ChatRequest, member: Member
) -> Callable[[Tell], Awaitable[Written]] | None:
    """What does a message to the conversation's report; None where it wants one of its own.

    None, too, where the report was removed or stands in another space than is asked in, and with a
    webhook, which is told of reports.

    Raises:
        AccessError: the member may not write in the group whose report it is, or has used what
            they may.
        InputError: the report has no room for another answer.
    """
    kept = await _find_report(asked.conversation, member)
    if not kept or not kept.report or asked.webhook:
        return None
    if name_space(kept.owner, kept.space) != asked.context.space:
        return None
    wanted = await route_follow_up(kept, asked.question, member)
    if wanted.kind == "report":
        return None
    await record(member, "report.asked_further", kept.id, question=asked.question)

    async def work(tell: Tell) -> Written:
        return await _do(kept, asked.question, wanted, member, tell)

    return work


async def _find_report(conversation: Sequence[Turn], member: Member) -> SavedReport | None:
    """The report that the conversation came to last."""
    for speaker, text in reversed(conversation):
        signed = _SIGNED.fullmatch(text.rpartition("\n")[2]) if speaker == "assistant" else None
        if signed:
            try:
                return await load_report(signed[1], member=member)
            except InputError:  # removed since, or another one's
                return None
    return None


async def _do(
    kept: SavedReport, message: str, wanted: FollowUp, member: Member, tell: Tell
) -> Written:
    taken_as = describe_follow_up(wanted)
    tell(taken_as)
    done = await do_follow_up(kept.id, message, wanted, make_teller(tell), member)
    if answer := done.answer:
        said = f"*{taken_as} {describe_reach(answer)}*\n\n{render_answer(answer)}"
        return Written(sign(said, kept.id), tokens=count_tokens(answer["usage"]))
    assert done.report  # noqa: S101  (a revision that fails raises)
    before = count_tokens(check_finished(kept)["usage"])
    now = count_tokens(done.report["usage"])
    said = f"*{taken_as}*\n\n{export(done.report, 'markdown').decode()}"
    return Written(sign(said, kept.id), kept.id, (now[0] - before[0], now[1] - before[1]))
