"""The question on its own feet: references resolved, needs typed, what its answer should tell."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import Prompt, Turn


class ReformulatePrompt(Prompt):
    """The question on its own feet; `points` is how many expected points are wanted at most."""

    name = "reformulate"
    version = 2
    system = (
        """
Prepare research: work out what has to be found to answer the last question of a conversation.

question: the last question, rewritten so that it can be understood without the conversation.
Resolve pronouns, omitted subjects and relative dates by <date>. Keep every name, number and
condition. Add no topic and no assumption of your own. Write it in the language of the last
question.

language: the two-letter code of that language.

queries: up to five things to find, each one need, stated as a declarative phrase dense in names
and concepts. No words about searching. type is "memory" for what this user said, decided or
prefers, "resource" for documents and the web, "skill" for how something is to be done. intent says
in a few words why it is needed. priority is 1 for indispensable to 5 for nice to have.
Give no query at all where there is nothing to research: a greeting, thanks, small talk.

points: what an expert in the field would miss if the answer did not tell it, from your own
knowledge, before anything is found. Ten to fifteen, in the language of the question; none where
<points> is 0 or there is nothing to research. Each is one short statement of what must be told,
not the answer itself: name the quantity, the step, the limit, the exception, the cost, the date.
For "How do I repot an orchid?" good points are "season to repot in", "signs that the pot is too
small", "mix of bark and moss by species", "days without water afterwards". "General background"
and "advantages and disadvantages" are none: nobody could check whether they were told.
"""
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
<points>{points}</points>
</settings>
<data>
<conversation>
{conversation}
</conversation>
<question>{question}</question>
</data>
"""

    conversation: Sequence[Turn]
    question: str
    date: str
    points: int
