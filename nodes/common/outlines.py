"""What the steps that plan have in common: the limits of an outline, and the run's wishes."""

from collections.abc import Sequence

from nodes.common.ceiling import fit_section_limits
from schema.context import Context
from schema.plan import Outline, SectionPlan

MOST_SECTION_WORDS = 2_000


BRIEF_WORDS = 150
"""Most words of the one section that answers a question for one fact, in any research mode."""


def find_miscount(sections: Sequence[object], context: Context) -> str | None:
    """What is wrong with the number of sections, or None."""
    fewest, most = fit_section_limits(context)
    if fewest <= len(sections) <= most or is_brief(sections, context):
        return None
    return f"it has {len(sections)} sections instead of {fewest} to {most}"


def is_brief(sections: Sequence[object], context: Context) -> bool:
    """Whether the planner found that one short section answers, where the mode would have more."""
    if len(sections) != 1 or context.words or context.shape or context.section_limits[0] == 1:
        return False
    return 0 < getattr(sections[0], "words", 0) <= BRIEF_WORDS


def fit_outline(made: Outline, context: Context) -> Outline:
    """The outline with the shape and the length that the run asks for, where it asks."""
    lengths = {"sections": _share_words(made.sections, context.words)} if context.words else {}
    shape = {"shape": context.shape} if context.shape else {}
    return made.model_copy(update={**lengths, **shape})


def _share_words(sections: Sequence[SectionPlan], words: int) -> list[SectionPlan]:
    """The sections with `words` shared out as planned; one without a length gets the mean."""
    planned = [one.words for one in sections if one.words]
    usual = sum(planned) / len(planned) if planned else 1
    weights = [one.words or usual for one in sections]
    return [
        one.model_copy(
            update={"words": min(MOST_SECTION_WORDS, round(words * weight / sum(weights)))}
        )
        for one, weight in zip(sections, weights, strict=True)
    ]
