"""How many independent origins stand behind a claim."""

from dataclasses import replace

import pytest

from citations.origins.credits import find_credits
from citations.origins.fold import Origins, SourceText
from schema.report import ClaimOrigin

STORY = (
    "The dam above the valley gave way on Friday after two days of rain, and the water reached "
    "the market square within an hour. Four hundred houses were damaged, among them the school. "
    "Volunteers carried the archive of the town hall to the upper floor before the lights failed."
)
OTHER = (
    "When the sirens went off, Ada Cole was baking. Four hundred houses suffered damage in the "
    "flood. Her own stands on a hill, and by noon she had thirty guests and no more flour."
)


def source(number: int, text: str, site: str, **told: str) -> SourceText:
    url = f"https://{site.lower().replace(' ', '')}.example/{number}"
    return SourceText(number=number, text=text, site=site, url=url, uri=url, **told)


def count(*sources: SourceText, said: str = "our hundred houses") -> list[ClaimOrigin]:
    places = {one.number: one.text.rfind(". ", 0, one.text.index(said)) + 1 for one in sources}
    ends = {one.number: one.text.index(". ", one.text.index(said)) + 1 for one in sources}
    return Origins(sources).count({n: (places[n], ends[n]) for n in places})


def test_two_stories_in_their_own_words_are_two_origins() -> None:
    found = count(source(1, STORY, "Gazette"), source(2, OTHER, "Herald"))
    assert [(one["number"], one["copies"]) for one in found] == [(1, []), (2, [])]


def test_a_shortened_copy_is_folded_into_the_older_one() -> None:
    shortened = f"Our town.\n\n{STORY[:190]} A bus will run on Sunday."
    first = source(2, STORY, "Gazette", published="2024-05-01")
    [one] = count(source(1, shortened, "Herald", published="2024-05-02"), first)
    assert one["number"] == 2
    assert one["copies"] == [{"number": 1, "reason": "text"}]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("BERLIN (Reuters) - ", "PARIS, May 3 (Reuters) – "),
        ("Berlin (dpa/ap) - ", "Köln (dpa) – "),
        ("新华社北京5月3日电 ", "（新华社）"),
        ("МОСКВА, 3 мая. /ТАСС/. ", "САРАТОВ /ТАСС/ "),
    ],
)
def test_two_reports_of_one_agency_are_one_origin(mine: str, theirs: str) -> None:
    [one] = count(source(1, mine + STORY, "Gazette"), source(2, theirs + OTHER, "Herald"))
    assert [copy["reason"] for copy in one["copies"]] == ["agency"]
    assert one["name"]


def test_an_agency_that_is_mentioned_is_none_that_is_copied() -> None:
    told = OTHER + " A spokesman told Reuters that he was tired."
    assert (
        len(count(source(1, f"X (Reuters) - {STORY}", "Gazette"), source(2, told, "Herald"))) == 2
    )


@pytest.mark.parametrize(
    "said",
    [
        "According to the Gazette, f",
        "The Gazette reported that f",
        "Wie die Gazette: laut Gazette f",
    ],
)
def test_a_page_that_names_another_as_its_source_is_folded_into_it(said: str) -> None:
    quoting = source(1, OTHER.replace("Four hundred", f"{said}our hundred"), "Herald")
    [one] = count(quoting, source(2, STORY, "Gazette"))
    assert one["number"] == 2
    assert one["copies"] == [{"number": 1, "reason": "cites"}]


def test_an_address_behind_a_sentence_names_its_source() -> None:
    first = source(2, STORY, "Gazette")
    linking = OTHER.replace("in the flood.", f"in the flood ({first.url}).")
    [one] = count(source(1, linking, "Herald"), first)
    assert one["number"] == 2


def test_the_address_that_a_page_calls_its_original_s_counts() -> None:
    first = source(2, STORY, "Gazette")
    [one] = count(source(1, OTHER, "Herald", canonical=first.url + "?x=1"), first)
    assert (one["number"], one["copies"]) == (2, [{"number": 1, "reason": "canonical"}])


def test_two_that_name_one_office_are_one_origin() -> None:
    told = "According to the Ministry of Works, f"
    [one] = count(
        source(1, STORY.replace("Four hundred", f"{told}our hundred"), "Gazette"),
        source(2, OTHER.replace("Four hundred", f"{told}our hundred"), "Herald"),
    )
    assert [copy["reason"] for copy in one["copies"]] == ["cites"]


def test_what_somebody_said_is_no_sign_of_a_copy() -> None:
    said = f"“{STORY[:300]}” "
    one, other = (source(n, said + text, site) for n, text, site in
                  ((1, "We lost four hundred houses here.", "Gazette"),
                   (2, "So four hundred houses are gone now.", "Herald")))  # fmt: skip
    assert len(count(one, other, said="our hundred houses")) == 2


def test_a_page_alone_is_one_origin_whatever_it_credits() -> None:
    [one] = count(replace(source(1, STORY, "Gazette"), author="Reuters"))
    assert (one["number"], one["name"], one["copies"]) == (1, "", [])


def test_material_of_an_agency_beside_one_s_own_is_told_apart() -> None:
    found = find_credits(STORY + "\n\nMit Material von dpa", "Ada Cole")
    assert (found.agencies, found.mixed) == (frozenset(), frozenset({"dpa"}))
