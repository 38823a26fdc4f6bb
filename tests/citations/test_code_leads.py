"""Sentences that lead to code out of the source that they cite."""

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.grounds import Grounds
from schema.documents import Passage

PAGE = "Look at the ages:\n\n```\nSELECT datname, age(datfrozenxid) FROM pg_database;\n```"
SOURCE = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(PAGE), text=PAGE)], "en")
LEAD = "The query of the manual shows what is oldest once it is sorted [1]:"


@pytest.mark.parametrize(
    ("code", "stands"),
    [
        ("SELECT datname, age(datfrozenxid) FROM pg_database ORDER BY 2;", True),
        ("SELECT slot_name, restart_lsn FROM pg_replication_slots;", False),
        ("", False),
    ],
)
def test_a_lead_stands_on_code_that_its_source_has(code: str, *, stands: bool) -> None:
    text = f"{LEAD}\n\n```sql\n{code}\n```" if code else LEAD
    assert check_sentences(text, {1: SOURCE}, "en")[0].fails is not stands
    named = text.replace("the manual", "Ida Lund")
    kept = Grounds(given=frozenset([LEAD.replace("the manual", "Ida Lund")]))
    assert check_sentences(named, {1: SOURCE}, "en")[0].fails
    assert check_sentences(named, {1: SOURCE}, "en", "", kept)[0].fails is not stands


def test_a_lead_may_name_a_figure_of_the_code_below_it() -> None:
    lead = "The query of the manual shows the 20 oldest [1]:"
    code = "SELECT datname, age(datfrozenxid) FROM pg_database LIMIT {};"
    cut = f"{lead}\n\n```sql\n{code}\n```"
    for limit, stands in ((20, True), (30, False)):
        found = check_sentences(cut.format(limit), {1: SOURCE}, "en")[0]
        assert found.fails is not stands


def test_a_figure_that_the_source_lacks_fails_all_the_same() -> None:
    lead = f"{LEAD[:-1]} at 1,834:"
    kept = Grounds(given=frozenset([lead]))
    text = f"{lead}\n\n{PAGE.partition(chr(10) * 2)[2]}"
    assert check_sentences(text, {1: SOURCE}, "en", "", kept)[0].lacking_numbers
