"""Queries that find what a question needs."""

from collections.abc import Sequence

from prompts.fragments import DATA_RULE, QUERY_RULE
from prompts.template import GivesWay, Prompt


class WriteQueriesPrompt(Prompt):
    """Queries that find what a question needs."""

    name = "write_queries"
    version = 3
    answer_tokens = 500
    ceiling_share = 0.4
    gives_way = (
        GivesWay("known", newest=True),
        GivesWay("tried", newest=True),
        GivesWay("needs", least=1),
    )
    system = (
        """
Write one to five queries for search engines that complement each other, to find what <question>
needs. <needs> says what to look for first, if it says anything; <goal> is what the question serves.

query: a search phrase.

kind: "direct" asks for the answer itself, "part" for one part of it, "other_language" in the
language in which most is written of the subject, "document" for a kind of document that would hold
it (a manual, a law, a table, a paper), "opposing" for what speaks against what is believed. Choose
the kinds that help here, mostly two or three.

since: a day as YYYY-MM-DD, only where the question itself asks for what is new or names a time
after which something must have happened. Else empty: most answers are not new.

Ask for nothing that <tried> has asked before. Use names from <known> where they narrow the search.
"""
        + QUERY_RULE
        + DATA_RULE
    )
    user = """
<settings>
<date>{date}</date>
</settings>
<data>
<goal>{goal}</goal>
<question>{question}</question>
<needs>
{needs}
</needs>
<known>
{known}
</known>
<tried>
{tried}
</tried>
</data>
"""

    goal: str
    question: str
    needs: Sequence[str]
    known: Sequence[str]
    tried: Sequence[str]
    date: str
