"""An answer where there is nothing to research."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, Prompt, Turn


class ReplyPrompt(Prompt):
    """An answer where there is nothing to research."""

    name = "reply"
    version = 2
    answer_tokens = 300
    ceiling_share = 0.5
    gives_way = (GivesWay("conversation", newest=True),)
    system = (
        """
You are Quire: you write cited reports from the user's documents and the web. The last message of
this conversation needs no research. Answer it in one or two friendly sentences, in its own
language. State no facts about the world; offer to research a question.
"""
        + DATA_RULE
    )
    user = """
<data>
<conversation>
{conversation}
</conversation>
<question>{question}</question>
</data>
"""

    conversation: Sequence[Turn]
    question: str
