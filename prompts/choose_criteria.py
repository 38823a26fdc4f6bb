"""What an answer to a question has to meet."""

from prompts.fragments import DATA_RULE
from prompts.template import Prompt


class ChooseCriteriaPrompt(Prompt):
    """What an answer to a question has to meet."""

    name = "choose_criteria"
    version = 2
    answer_tokens = 300
    ceiling_share = 0.4
    system = (
        """
Say what an answer to <question> will be judged by. Ask for nothing that the question does not.

definitive: true where it asks for something that can be answered clearly; false where it asks for
views, possibilities or a survey.

max_age_days: how many days old the newest source may be for the answer to still hold, where the
answer changes with time: prices and weather 1, news 3, releases and versions 30, statistics 365.
Null where it does not change.

count: how many things are asked for, where the question wants several of a kind ("three reasons",
"examples of"). Null otherwise.

aspects: what the question names and an answer has to speak of each, where it names two or more. In
the words of the question. Empty otherwise.
"""
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
</settings>
<data>
<question>{question}</question>
</data>
"""

    question: str
    date: str
