"""The next step of a deep search."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE
from prompts.template import GivesWay, PageText, Prompt, SourceText


class ChooseActionPrompt(Prompt):
    """The next step of a deep search."""

    name = "choose_action"
    version = 3
    answer_tokens = 500
    ceiling_share = 0.4
    gives_way = (
        GivesWay("diary", newest=True),
        GivesWay("requirements"),
        GivesWay("tried", newest=True),
        GivesWay("pages", least=1),
        GivesWay("known", newest=True),
        GivesWay("sources"),
    )
    system = (
        """
Lead a search for the answer to a question, one step after the other, until what was read answers
it. Choose the next step; write in <language>.

<goal> is what the reader asked. <question> is what this step works on: the goal itself, or a part
of it that has to be known first. <known> holds what was answered on the way, <sources> what was
found and speaks of it, <diary> what was done, <tried> the queries that were made.

The steps that make sense now; choose one of them:
{actions}

why: in one sentence, what you expect of the step.

See that the next answer meets <requirements>, which reviewers asked of earlier ones.
"""
        + DATA_RULE
    )
    user = """
<settings>
<language>{language_name}</language>
<actions>
{offered}
</actions>
</settings>
<data>
<goal>{goal}</goal>
<question>{question}</question>
<known>
{known}
</known>
<diary>
{diary}
</diary>
<tried>
{tried}
</tried>
<requirements>
{requirements}
</requirements>
<pages>
{pages}
</pages>
<sources>
{sources}
</sources>
</data>
"""

    language: str
    goal: str
    question: str
    offered: Sequence[str]
    known: Sequence[str]
    diary: Sequence[str]
    tried: Sequence[str]
    requirements: Sequence[str]
    pages: Sequence[PageText]
    sources: Sequence[SourceText]

    @property
    def actions(self) -> str:
        """What is offered, explained."""
        return "\n".join(ACTIONS[action] for action in self.offered)


ACTIONS = {
    "search": "search: ask the search engines and the library. needs: one to three things to find, "
    "each in a few words, none of them among <tried>.",
    "visit": "visit: read pages. pages: the numbers of one to five of <pages>. A higher weight "
    "says that a page is more likely to hold the answer; prefer different hosts.",
    "reflect": "reflect: break the question up. questions: one to three smaller questions whose "
    "answers are missing and lead to this one. Each stands alone and asks for one thing.",
    "answer": "answer: write the answer to <question>. Only if <sources> and <known> hold it.",
}
"""What a model is told of each step."""
