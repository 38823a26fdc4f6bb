"""When a page was last changed: who is believed, how much, and what cannot mislead."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.web.last_modified import find_last_modified

TODAY = date(2026, 11, 21)
DAY = date(2024, 5, 3)
SERVED = {"date": "Sat, 21 Nov 2026 10:00:00 GMT"}


LINKED = '<script type="application/ld+json">{}</script>'.format
CHANGED = '<meta property="article:modified_time" content="2024-05-03{}">'.format


@pytest.mark.parametrize(
    ("html", "confidence"),
    [
        (CHANGED("T10:00:00+02:00"), 0.85),
        ("<meta content='2024-05-03' name='DCTERMS.modified'/>", 0.85),
        ('<meta name="date" content="2024-05-03">', 0.65),
        ('<meta name="generator" content="WordPress 6.5">' + CHANGED(""), 0.9),
        (LINKED('{"dateModified":"2024-05-03T01:00:00Z"}'), 0.9),
        (LINKED('{"@graph":[{"a":{"datePublished":"2024-05-03"}}]}'), 0.7),
        ("<p>Last updated: 3 May 2024</p>", 0.75),
        ("<p>Last updated on May 3rd, 2024 by Ada</p>", 0.75),
        ("<p>Last modified <b>2024-05-03</b></p>", 0.75),
        ("<p>最后更新：2024年5月3日</p>", 0.75),
        ('<time class="x" datetime="2024-05-03T10:00">May</time>', 0.4),
    ],
)
def test_a_page_says_when_it_was_changed(html: str, confidence: float) -> None:
    assert find_last_modified(html, SERVED, TODAY) == (DAY, confidence)


def test_who_is_surer_is_believed() -> None:
    html = "<time datetime='2024-05-03'>May</time><p>Updated on 3 Sept. 2024</p>"
    assert find_last_modified(html, SERVED, TODAY) == (date(2024, 9, 3), 0.75)


def test_openings_that_nobody_closes_cost_one_look() -> None:
    html = '<script type="application/ld+json">' * 20_000
    assert find_last_modified(html, SERVED, TODAY) is None


def test_a_server_is_believed_unless_it_names_the_moment_of_its_answer() -> None:
    old = {**SERVED, "last-modified": "Fri, 03 May 2024 10:00:00 GMT"}
    assert find_last_modified("", old, TODAY) == (DAY, 0.5)
    now = {**SERVED, "last-modified": "Sat, 21 Nov 2026 09:59:30 GMT"}
    assert find_last_modified("", now, TODAY) == (TODAY, 0.1)
    assert find_last_modified("", now, TODAY, searched="2024-05-03") == (DAY, 0.65)


def test_sayings_of_one_day_confirm_each_other() -> None:
    html = '<meta name="date" content="2024-05-03"><p>Last updated: May 3, 2024</p>'
    assert find_last_modified(html, SERVED, TODAY) == (DAY, round(1 - 0.35 * 0.25, 3))


@pytest.mark.parametrize(
    "html",
    [
        "",
        '<meta name="date" content="2027-01-01">',
        '<meta name="date" content="2024-13-45">',
        '<meta name="date" content="yesterday">',
        '<script type="application/ld+json">{"dateModified": 7}</script>',
        '<script type="application/ld+json">{broken</script>',
        "<p>Last updated: soon</p>",
        "<p>Last updated: 31 Foo 2024</p>",
        "<p>Last updated: 31 remark 2024</p>",
    ],
)
def test_what_is_no_day_or_lies_ahead_says_nothing(html: str) -> None:
    assert find_last_modified(html, {"last-modified": "never", "date": "now"}, TODAY) is None


@given(
    st.text(max_size=300), st.dictionaries(st.sampled_from(["date", "last-modified"]), st.text())
)
def test_no_text_breaks_it(text: str, headers: dict[str, str]) -> None:
    found = find_last_modified(
        f'<meta name="date" content="{text}">{text}', headers, TODAY, searched=text
    )
    assert found is None or (found[0] <= TODAY and 0 < found[1] <= 1)
