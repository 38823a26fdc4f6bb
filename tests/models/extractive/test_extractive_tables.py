"""Tables, dated entries, figures and speech of the sources in a section."""

from dataclasses import replace

from extractive_prompts import written

from prompts.template import SourceText

FARES = "| Fare | Price in euro |\n| --- | ---: |\n| day | 4.20 |\n| month | 38 |\n"
TRAM = SourceText(
    1, "Fares of the tram", (f"The tram has fares for a day and a month.\n\n{FARES}",)
)


def test_a_table_that_answers_is_taken_over_with_every_row_cited() -> None:
    text = written([TRAM], ["What are the fares of the tram?"])
    assert text.endswith(
        "| Fare | Price in euro |\n| --- | --- |\n| day | 4.20 [1] |\n| month | 38 [1] |"
    )


def test_a_table_on_something_else_is_left_out() -> None:
    birds = replace(TRAM, title="Birds", passages=(f"The tram runs to the park.\n\n{FARES}",))
    assert "|" not in written([birds], ["Where does the tram run to?"])


def test_an_entry_of_a_chronicle_keeps_its_year() -> None:
    told = SourceText(
        1, "Chronicle of the mill", ("**1931.** Fire destroys the mill and the bridge on 3 May.",)
    )
    text = written([told], ["What is the history of the mill?"])
    assert text == "1931: Fire destroys the mill and the bridge on 3 May [1]."


def test_a_sentence_with_a_price_answers_what_something_costs() -> None:
    told = SourceText(
        1,
        "The mill",
        (
            "The mill has a new wheel of oak. The mill stands on the river Aa. "
            "A visitor of the mill gives 12 euro at the door.",
        ),
    )
    assert "12 euro" in written([told], ["What does the mill cost?"], words=18)


def test_speech_without_its_speaker_is_left_out() -> None:
    whole = '"We expect a million visitors at the mill in the next year."'
    told = SourceText(1, "The mill", (f"The mill is open to visitors on two days a week. {whole}",))
    assert "million" not in written([told], ["How many visitors has the mill?"])


def test_an_old_source_stands_back_where_the_present_is_asked_for() -> None:
    old = SourceText(1, "Rule", ("The mill may take 90 litres of water a day.",), published="2009")
    new = SourceText(2, "Rule", ("The mill may take 40 litres of water daily, by the county's "
                                 "decree.",), published="2025")  # fmt: skip
    asked = "How much water may the mill take at present?"
    assert "90 litres" not in written([old, new], [asked])
    assert "90 litres" in written([old, new], ["How much water may the mill take?"])
