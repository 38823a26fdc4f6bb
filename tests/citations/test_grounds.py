"""What a writer says on behalf of a sentence: words of its source, and sums that come out."""

from decimal import Decimal

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.grounds import Grounds, reckon_sums, shows_quote, split_sums
from schema.documents import Passage

PAGE = (
    "Producers do not have to be stopped by hand: the valve is held by a spring. The load takes 43 "
    "GiB in three days. Forty million jobs fit, three million of them are kept back."
)
SOURCE = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(PAGE), text=PAGE)], "en")


@pytest.mark.parametrize(
    ("keep", "shown"),
    [
        ("the page has it: “Producers do not have to be stopped by hand”", True),
        ('source 1: "producers do not have to be  stopped by hand."', True),
        ("Producers do not have to be stopped by hand", False),  # no quote
        ("it says “producers never have to be stopped by hand”", False),  # not its words
        ("“The load takes 43 GiB in three days”", False),  # on another thing
        ("“by hand”", False),
    ],
)
def test_a_quote_is_of_the_source_and_on_the_sentence(keep: str, shown: bool) -> None:
    assert shows_quote(keep, "Nobody stops producers by hand.", [SOURCE], "en") is shown


def test_a_quoted_sentence_stands_but_for_figures_that_its_source_lacks() -> None:
    said = "Whoever wants to halt a producer never needs to lay hands on valves [1]."
    quoted = Grounds(quoted=frozenset([said]))
    assert check_sentences(said, {1: SOURCE}, "en")[0].fails
    assert not check_sentences(said, {1: SOURCE}, "en", "", quoted)[0].fails
    figure = said.replace("valves", "9 valves")
    assert check_sentences(figure, {1: SOURCE}, "en", "", Grounds(quoted=frozenset([figure])))[
        0
    ].fails


@pytest.mark.parametrize(
    ("sums", "figure", "comes"),
    [
        (["43 / 3 = 14.3"], "14.3", True),
        (["43 / 3 = 14.3", "14.3 × 11 × 0.01 = 1.6"], "1.6", True),
        (["14.3 × 11 × 0.01 = 1.6"], "1.6", False),  # nothing says 14.3
        (["40 million - 3 million = 37 million", "37 million / 1,000 = 37,000"], "37000", True),
        (["40 - 3 = 37"], "37000000", True),
        (["40 - 3 = 37", "37 / 2 = 18.5"], "18500000", True),  # of a result that left them out
        (["3 / 40 = 7.5 %"], "7.5", True),
        (["3 / 40 = 7.6 %"], "7.6", False),
        (["7 × (43 - 4) = 273"], "273", True),
        (["(43 - 3) / 2 = 20"], "20", True),
        (["1.6 × 43 / 3 = 22.93", "43 - 23 = 20"], "20", False),  # 1.6 stands nowhere
        (["43 / 3 = 14.33", "43 - 14 = 29"], "29", True),  # 14 rounds what came before
        (["2.5 × 43 = 107.5", "0.75 × 107.5 = 80.6"], "80.6", True),  # a start that is chosen
        (["43 × 2.4 = 103.2"], "103.2", False),
        (["43 / 3 = 19"], "19", False),
        (["86 / 3 = 28.7"], "28.7", False),
        (["(43 - 3 / 2 = 20"], "20", False),
        (["43 ** 3 = 79507"], "79507", False),
        (["43 GiB in three days", "= 5", "43 = 43", "43 - = 5", ""], "5", False),
    ],
)
def test_a_sum_comes_out_of_known_numbers(sums: list[str], figure: str, comes: bool) -> None:
    known = {Decimal(43), Decimal(40_000_000), Decimal(3_000_000)}
    assert (Decimal(figure) in reckon_sums(sums, known, "en")) is comes


def test_a_figure_stands_whose_sum_comes_out() -> None:
    said = "The load takes 43 GiB in three days, so each percent more adds 1.6 GiB in all [1]."
    sums = ("43 / 3 = 14.3", "14.3 × 11 × 0.01 = 1.6")
    assert check_sentences(said, {1: SOURCE}, "en", "", Grounds(frozenset([said])))[0].fails
    grounds = Grounds(given=frozenset([said]), sums=sums)
    assert not check_sentences(said, {1: SOURCE}, "en", "", grounds)[0].fails
    other = said.replace("1.6", "2.6")
    wrong = Grounds(given=frozenset([other]), sums=sums)
    assert check_sentences(other, {1: SOURCE}, "en", "", wrong)[0].fails


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("In a week the load takes about 100 GiB of the disk in all [1].", False),
        ("In a week the load takes 100 GiB of the disk in all [1].", False),
        ("In a week the load takes about 90 GiB of the disk in all [1].", True),
        ("In a week the load takes 40 GiB of the disk in all [1].", True),  # not its 43 roughly
    ],
)
def test_a_result_may_be_rounded_as_the_sentence_says(said: str, fails: bool) -> None:
    grounds = Grounds(given=frozenset([said]), sums=("43 × 7 / 3 = 100.3",))
    assert check_sentences(said, {1: SOURCE}, "en", "", grounds)[0].fails is fails


@pytest.mark.parametrize(
    ("said", "fails"),
    [
        ("Five workers would cut each share of the limit to 40 (200 divided by five).", False),
        ("Up to 190 (200 divided by 1.05) the share of a worker stays as it is.", True),
        ("Five workers would cut each share of the limit to 50 (200 divided by five).", True),
        ("Five workers would cut each share of the limit to 60 (300 divided by five).", True),
    ],
)
def test_a_sum_that_a_sentence_writes_out_of_cited_numbers_is_reckoned(
    said: str, fails: bool
) -> None:
    page = "The limit of 200 is shared among the workers."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=45, text=page)], "en")
    found = check_sentences(f"{page[:-1]} [1]. {said}", {1: source}, "en")
    assert found[-1].fails == fails


def test_sums_stand_behind_the_text_and_are_no_part_of_it() -> None:
    text = (
        "It takes 14.3 GiB a day.\n\n```sums\n- 43 / 3 = 14.3\nmuch\n```\n```open\nIts cost.\n```"
    )
    assert split_sums(text) == (
        "It takes 14.3 GiB a day.\n\n\n```open\nIts cost.\n```",
        ["43 / 3 = 14.3"],
    )


@pytest.mark.parametrize(
    ("said", "sums", "fails"),
    [
        ("So it fills 100.3 GiB a week.", ["43 / 3 × 7 = 100.3"], False),
        ("It fills 100.3 GiB a week [1].", ["43 / 3 × 7 = 100.3"], False),
        ("So it fills 100.3 GiB a week.", ["86 + 14.3 = 100.3"], True),  # nothing gives 86
        ("So it fills 190 GiB a week.", ["43 / 3 × 7 = 190"], True),  # it does not come out
        ("So it fills 190 GiB a week.", ["43 / 3 × 7 = 100.3"], True),  # it has no sum
        ("So 37 million more fit in.", ["40 - 3 = 37"], False),
        ("So 38 million more fit in.", ["40 - 3 = 37"], True),
    ],
)
def test_a_figure_whose_sum_its_writer_gives_needs_no_other_grounds(
    said: str, sums: list[str], *, fails: bool
) -> None:
    kept = "Forty million jobs fit, three million of them are kept back [1]."
    text = f"The load takes 43 GiB in three days [1]. {kept} {said}"
    found = check_sentences(text, {1: SOURCE}, "en", "", Grounds(sums=tuple(sums)))
    assert (found[-1].fails or bool(found[-1].lacking_numbers)) is fails


def test_an_assignment_whose_sides_are_told_apart_may_be_reckoned_with() -> None:
    page = "The level `release_at` is 0.8 of a limit. The limit `soft_depth` is 20,000 jobs."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(page), text=page)], "en")
    text = (
        "The limit `soft_depth` is 20,000 jobs [1]. At `release_at = 0.8` it is thus lifted at "
        "16,000 jobs."
    )
    sums = ("0.8 × 20,000 = 16,000",)
    assert check_sentences(text, {1: source}, "en")[1].fails
    assert not check_sentences(text, {1: source}, "en", "", Grounds(sums=sums))[1].fails


def test_a_query_made_of_names_that_were_read_stands_where_its_writer_keeps_it() -> None:
    page = "The view `pg_slots` lists a `slot_name` and the age of its `catalog_xmin`."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(page), text=page)], "en")
    lead = "Slots hold back the age of `catalog_xmin` [1]."
    for query, stands in (
        ("Find them with `SELECT slot_name, catalog_xmin FROM pg_slots`.", True),
        ("Find them with `SELECT slot_name, restart_lsn FROM pg_slots`.", False),
    ):
        kept = Grounds(given=frozenset([query]))
        assert check_sentences(f"{lead} {query}", {1: source}, "en")[1].fails
        found = check_sentences(f"{lead} {query}", {1: source}, "en", "", kept)
        assert found[1].fails is not stands


def test_advice_that_its_writer_keeps_need_not_be_what_the_cited_do() -> None:
    page = "The maker lowers `keep` where failed jobs fill the space."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(page), text=page)], "en")
    advice = "Raise `keep` where failed jobs do not fill the space."
    text = f"The maker lowers `keep` where failed jobs fill the space [1]. {advice}"
    assert check_sentences(text, {1: source}, "en")[1].fails
    kept = Grounds(given=frozenset([advice]))
    assert not check_sentences(text, {1: source}, "en", "", kept)[1].fails


def test_a_known_share_on_top_of_the_whole_may_be_reckoned_with() -> None:
    known = {Decimal(40), Decimal(30)}
    assert Decimal(52) in reckon_sums(["40 × 1.3 = 52"], known, "en")
    assert Decimal(54) not in reckon_sums(["40 × 1.35 = 54"], known, "en")


ROWS = "| load | jobs | share |\n| --- | ---: | ---: |\n| none | 35 | 2 % |\n| full | 40 | 3 % |"


@pytest.mark.parametrize(
    ("keep", "shown"),
    [
        ("“| none | 35 | 2 % |”", True),
        ("“| full | 40 | 3 % |”", False),  # on other figures
        ("“| none | 36 | 2 % |”", False),  # not its figures
        ("“35”", False),
    ],
)
def test_a_quoted_row_speaks_of_a_sentence_by_its_figures(keep: str, *, shown: bool) -> None:
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=99, text=ROWS)], "en")
    assert shows_quote(keep, "An idle server takes 35 in.", [source], "en") is shown


def test_what_its_writer_works_out_is_not_denied_by_what_another_sentence_says_of_it() -> None:
    page = "Rye costs 1,150 euro. Wheat costs 1,900 euro. The lead of rye over wheat shrinks."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=99, text=page)], "en")
    said = "Wheat costs 750 euro more than rye."
    text = (
        f"Rye costs 1,150 euro, wheat costs 1,900 euro [1]. {said} Rye costs less than wheat [1]."
    )
    sums = Grounds(given=frozenset([said]), sums=("1,900 - 1,150 = 750",))
    assert not check_sentences(text, {1: source}, "en", "", sums)[1].fails


def test_code_has_its_units_right_behind_the_figures() -> None:
    page = "The delay is 1 ms at the start."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=30, text=page)], "en")
    said = "The delay must then read `1ms`."
    for wording, fails in ((said, False), (said.replace("1ms", "3ms"), True)):
        kept = Grounds(given=frozenset([wording]))
        text = f"The delay is 1 ms at the start [1]. {wording}"
        assert check_sentences(text, {1: source}, "en", "", kept)[1].fails is fails


@pytest.mark.parametrize(
    ("said", "sums", "fails"),
    [
        ("almost two thirds", ["30 / 43 * 100 = 69.8"], False),
        ("almost two thirds", ["30 / 43 = 0.698"], False),
        ("almost two thirds", ["20 / 43 = 0.465"], True),
        ("two thirds", ["30 / 43 = 0.698"], True),  # it does not say that it is rough
    ],
)
def test_a_rough_fraction_is_what_its_writer_works_out(
    said: str, sums: list[str], *, fails: bool
) -> None:
    pages = ("The load takes 43 GiB in three days.", "Of these images need 30 and text needs 20.")
    passages = [
        Passage(chunk=n, document=1, start=99 * n, end=99 * n + 60, text=page)
        for n, page in enumerate(pages)
    ]
    source = SourcePassages(passages, "en")
    text = f"The load takes 43 GiB in three days [1], and {said} of it are images."
    found = check_sentences(text, {1: source}, "en", "", Grounds(sums=tuple(sums)))[0]
    assert bool(found.lacking_numbers) is fails
