"""The answer to one question, from numbered sources."""

from collections.abc import Sequence

from prompts.fragments import CITE_RULE, DATA_RULE
from prompts.template import GivesWay, Prompt, SourceText

NOT_FOUND = "NOT FOUND"
"""The first line of an answer that could not be given."""


class AnswerQuestionPrompt(Prompt):
    """The answer to one question, from numbered sources."""

    name = "answer_question"
    version = 5
    answer_tokens = 1_000
    ceiling_share = 0.45
    gives_way = (
        GivesWay("requirements"),
        GivesWay("known", newest=True),
        GivesWay("sources", least=1),
    )
    system = (
        f"""
Answer <question> from <sources> and nothing else, in <language>.

Begin with the answer itself. Then say what it rests on, and no more than helps, in at most as many
words as <words> says. <known> holds parts that were answered before, with their numbers: use them
where they help. Where sources disagree, say so and cite both sides, with their dates.
{CITE_RULE}
{{mode}}

Where the sources do not hold the answer, write the line
{NOT_FOUND}
and below it, in one to three sentences, what is missing and what the sources do say of it, cited.
An honest {NOT_FOUND} is better than a guess: never fill a gap from memory.

Meet <requirements>, which reviewers asked of earlier answers, as far as the sources allow.
<goal> is what the question serves; answer the question.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
<words>{words}</words>
</settings>
<data>
<goal>{goal}</goal>
<question>{question}</question>
<known>
{known}
</known>
<requirements>
{requirements}
</requirements>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    words: int
    mode: str
    goal: str
    question: str
    known: Sequence[str]
    requirements: Sequence[str]
    sources: Sequence[SourceText]


MODES = {
    "open": "If something is missing that could still be looked up, write NOT FOUND and name it.",
    "decisive": "Nothing more can be looked up. Decide by what is there: give the best answer that "
    "the sources support, and say in one sentence what remains unknown.",
}
"""What an answer is told of the state of the search."""
