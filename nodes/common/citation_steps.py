"""The steps of the citation check behind the words: who is asked about what is left open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citations.checked_sentence import CheckedSentence, is_undecided
from models.calls import Role
from models.citation_judge import judge_citations, name_step
from nodes.common.citations import hash_claim
from nodes.common.run import make_degradation
from schema.editing import CitationJudgement
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.gather import run_concurrently
from schema.report import Degradation, ModelCall

Key = tuple[str, int]
"""A sentence and a number that it cites, as in `CitationJudgement`."""


@dataclass
class Judged:
    """What models said of citations, the later verdict on one in place of the earlier."""

    judgements: dict[Key, CitationJudgement] = field(default_factory=dict)
    calls: list[ModelCall] = field(default_factory=list)
    failures: list[Degradation] = field(default_factory=list)


async def judge_in_steps(
    found: Sequence[Sequence[CheckedSentence]],
    before: Sequence[CitationJudgement],
    roles: Sequence[Role],
) -> tuple[list[CitationJudgement], list[ModelCall], list[Degradation]]:
    """Ask each role in turn about what those before it leave open, one call a section.

    Args:
        found: the sentences of each section, as words judge them.
        before: what was said of them earlier in the run.
        roles: the cheapest first. The last one decides what it is in doubt about.

    Returns:
        All judgements; the calls; and what went wrong. Where a role fails, what was said before
        it stands.
    """
    known = {(one["key"], one["number"]): one for one in before}
    results = await run_concurrently(_judge_section(roles, section, known) for section in found)
    judged = known | {key: one for result in results for key, one in result.judgements.items()}
    calls = [call for result in results for call in result.calls]
    return [*judged.values()], calls, [entry for result in results for entry in result.failures]


async def _judge_section(
    roles: Sequence[Role],
    section: Sequence[CheckedSentence],
    known: Mapping[Key, CitationJudgement],
) -> Judged:
    open_ones = {
        (hash_claim(one.claim), number): (one.claim, verdict.span.quote if verdict.span else "")
        for one in section
        for number, verdict in one.verdicts.items()
        if is_undecided(verdict)
    }
    result = Judged()
    for role in roles:
        asked = {
            key: pair
            for key, pair in open_ones.items()
            if not (key in known and known[key]["is_final"])
            and not (key in result.judgements and result.judgements[key]["is_final"])
        }
        if asked:
            await _ask_role(role, asked, result, is_last=role is roles[-1])
    return result


async def _ask_role(
    role: Role, asked: Mapping[Key, tuple[str, str]], result: Judged, *, is_last: bool
) -> None:
    try:
        opinions, calls = await judge_citations(role, [*asked.values()])
    except (ModelOutputError, ModelUnavailableError) as error:
        result.calls += get_error_calls(error)
        result.failures.append(make_degradation("citations_not_judged", error))
        return
    result.calls += calls
    for (key, number), opinion in zip(asked, opinions, strict=True):
        if opinion:
            result.judgements[key, number] = CitationJudgement(
                key=key,
                number=number,
                verdict=opinion.decision.kind,
                confidence=opinion.decision.confidence,
                step=name_step(role),
                is_final=is_last or opinion.decision.is_sure,
            )
