"""The question on its own feet: references resolved, needs typed, what its answer should tell."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, Turn


class ReformulatePrompt(Prompt):
    """The question on its own feet; `points` is how many expected points are wanted at most."""

    name = "reformulate"
    version = 5
    answer_tokens = 1_200
    ceiling_share = 0.6
    gives_way = (GivesWay("conversation", newest=True),)
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
knowledge: a quantity and how it is counted or measured, what it is made of and what it leaves out;
a step, a limit, a warning sign, what shows how far it has got, what makes it faster, an exception,
a cost, a date; why something was set or changed, by whom, and what was recommended instead; whom a
choice fails or shuts out. As many as <points> says, fewer where the question has no more, none
where there is nothing to research; in the language of the question. First come those that the
reader's decision or next action hangs on. Each names one thing, so exactly that two readers would
agree on whether an answer tells it, and leaves its value open: the sources will give it. Variants
of one thing are one point.
For "How do I repot an orchid?"
Good: "days without water after repotting", "signs that the pot is too small".
Bad: "no water for ten days" (gives the answer), "watering" (too wide to check), "days in summer"
beside "days in winter" (one point).
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
