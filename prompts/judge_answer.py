"""One criterion, one judgement, by somebody who did not write the answer."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, SourceText


class JudgeAnswerPrompt(Prompt):
    """One criterion, one judgement, by somebody who did not write the answer."""

    name = "judge_answer"
    version = 3
    answer_tokens = 500
    ceiling_share = 0.45
    gives_way = (GivesWay("sources", least=1),)
    system = (
        """
Review <answer>, which somebody else wrote to <question>, by one criterion alone:

{explanation}

passed: whether the answer meets the criterion.
reason: one sentence that says why, with the words of the answer that decide it.
improve: where it does not, one or two sentences on what has to be found or written; else empty.
"""
        + DATA_RULE
    )
    user = """
<settings>
<criterion>{criterion}</criterion>
</settings>
<data>
<question>{question}</question>
<aspects>
{aspects}
</aspects>
<count>{count}</count>
<answer>
{answer}
</answer>
<sources>
{sources}
</sources>
</data>
"""

    criterion: str
    question: str
    aspects: Sequence[str]
    count: int | None
    answer: str
    sources: Sequence[SourceText]

    @property
    def explanation(self) -> str:
        """The criterion in words."""
        return CRITERIA[self.criterion]


CRITERIA = {
    "definitive": "Definitive: it says clearly what the question asks for. An answer that hedges, "
    "speaks of something else or leaves the very thing open is not. Doubt that the sources "
    "themselves have, said once and cited, is no hedging.",
    "completeness": "Completeness: it speaks of each of <aspects>, in whatever words.",
    "plurality": "Plurality: it names at least <count> things of the kind that the question asks "
    "for, each different from the others.",
    "strict": "Strictness: try to refute it from <sources>. It fails where a source says otherwise "
    "and the answer is silent on that, where a step of its reasoning rests on nothing in them, "
    "where it answers another reading of the question, or where a figure, date or condition is not "
    "theirs. It passes where none of these holds, however short or plain it is.\n"
    'Passes: "The ferry takes 40 minutes [2]." with source 2 "crossing time: 40 min". Fails: the '
    "same, where a newer source has a winter timetable of 55 minutes that the answer leaves out.",
}
"""What a reviewer is told of each criterion."""
