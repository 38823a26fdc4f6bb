"""What happens in the made world: events with facts in several wordings, and what else is said.

`seen` are the kinds that were looked at while origins and positions were built, `unseen` those that
were not.
"""

from typing import Literal, NamedTuple

Change = Literal["number", "date", "negation"]


class Fact(NamedTuple):
    """A fact: how independent writers put it, and how it is turned round.

    `{n}`, `{day}`, `{place}` and `{who}` are filled by the world. Where it can be denied, `denied`
    are wordings that say the opposite.
    """

    wordings: tuple[str, ...]
    change: Change
    denied: tuple[str, ...] = ()


class Event(NamedTuple):
    """A kind of event: its facts, what is said beside them, what somebody said, and headlines."""

    facts: tuple[Fact, ...]
    beside: tuple[str, ...]
    near: tuple[str, ...]
    """Sentences much like facts, about another place or year: no position against any."""
    said: str
    titles: tuple[str, ...]


FLOOD = Event(
    (
        Fact(
            (
                "The flood damaged {n} houses in {place}.",
                "In {place} {n} houses were damaged by the flood.",
                "Some {n} houses in {place} suffered damage when the flood came.",
                "Damage to {n} houses in {place} was counted after the flood.",
            ),
            "number",
        ),
        Fact(
            (
                "The dam upstream of {place} broke on {day}.",
                "On {day} the dam above {place} gave way.",
                "It was on {day} that the dam near {place} broke.",
                "The dam near {place} failed on {day} after hours of rain.",
            ),
            "date",
        ),
        Fact(
            (
                "The water rose to {n} centimetres at the gauge of {place}.",
                "At {place} the gauge showed {n} centimetres of water.",
                "The gauge in {place} reached {n} centimetres, the water covering the quay.",
                "Water stood at {n} centimetres at the {place} gauge.",
            ),
            "number",
        ),
        Fact(
            (
                "Residents of {place} were warned before the dam broke.",
                "The residents of {place} had been warned before the dam gave way.",
                "Before the dam broke, residents in {place} were warned by siren.",
                "A warning reached residents of {place} before the dam broke.",
            ),
            "negation",
            (
                "Residents of {place} were not warned before the dam broke.",
                "The residents of {place} were never warned before the dam gave way.",
                "Before the dam broke, no residents in {place} were warned.",
                "No warning reached residents of {place} before the dam broke.",
            ),
        ),
        Fact(
            (
                "Repairs in {place} will cost {n} million euros, {who} said.",
                "The repairs in {place} are to cost {n} million euros.",
                "{who} put the cost of repairs in {place} at {n} million euros.",
                "It will cost {n} million euros to repair {place}.",
            ),
            "number",
        ),
        Fact(
            (
                "The school in {place} stays closed until {day}.",
                "Until {day} the school in {place} will stay closed.",
                "Pupils in {place} have no lessons, as the school is closed until {day}.",
                "The school of {place} will reopen its doors after it stays closed until {day}.",
            ),
            "date",
        ),
    ),
    (
        "Volunteers filled {x} sandbags through the night near the {thing}.",
        "The smell of heating oil hung over the {thing} for days.",
        "A baker gave away {x} loaves to helpers beside the {thing}.",
        "Soldiers cleared mud from the {thing} with borrowed machines.",
        "Insurers have opened a desk in the {thing}, where people queue from morning.",
        "The priest rang the bells of the {thing} when the water came.",
        "Two cows were found alive behind the {thing}, to general delight.",
        "Electricity returned to the streets around the {thing} after {x} hours.",
        "Families slept on camp beds in the {thing} and shared one kettle.",
        "The council wants to move the {thing} to higher ground within {x} years.",
        "Engineers had asked for a new overflow at the {thing} long ago.",
        "Photographs of the {thing} under water went round the country.",
        "Shopkeepers dried their goods on lines strung across the {thing}.",
        "Divers inspected the foundations of the {thing} in poor light.",
        "Children drew the river on the walls of the {thing}.",
    ),
    (
        "In the flood of 1997, {n} houses in {other} were damaged.",
        "In {other} the gauge showed {n} centimetres of water.",
        "The school in {other} stays closed until {day}.",
        "Repairs in {other} will cost {n} million euros.",
    ),
    "We lost our tables and our floors, but nobody in this valley lost a neighbour",
    ("Flood leaves {place} in mud", "After the dam, {place} counts its losses", "{place} digs out",
     "Water takes {place} by night", "What the river did to {place}"),
)  # fmt: skip

FACTORY = Event(
    (
        Fact(
            (
                "The battery plant in {place} employs {n} people.",
                "{n} people work at the battery plant in {place}.",
                "At the battery plant in {place}, {n} people are employed.",
                "The plant in {place}, which makes batteries, has {n} people on its payroll.",
            ),
            "number",
        ),
        Fact(
            (
                "Production at the {place} plant began on {day}.",
                "The plant in {place} began production on {day}.",
                "On {day}, production began at the plant in {place}.",
                "Since {day} the {place} plant has been in production.",
            ),
            "date",
        ),
        Fact(
            (
                "The company invested {n} million dollars in the {place} plant.",
                "{n} million dollars were invested by the company in its plant in {place}.",
                "The plant in {place} is an investment of {n} million dollars by the company.",
                "Investment in the {place} plant by the company came to {n} million dollars.",
            ),
            "number",
        ),
        Fact(
            (
                "The state approved the subsidy for the {place} plant.",
                "The subsidy for the plant in {place} was approved by the state.",
                "State officials approved the subsidy for the plant in {place}.",
                "A subsidy for the {place} plant has been approved by the state.",
            ),
            "negation",
            (
                "The state denied the subsidy for the {place} plant.",
                "The subsidy for the plant in {place} was not approved by the state.",
                "State officials denied the subsidy for the plant in {place}.",
                "A subsidy for the {place} plant has never been approved by the state.",
            ),
        ),
        Fact(
            (
                "The plant in {place} draws {n} megawatts of power.",
                "{n} megawatts of power are drawn by the plant in {place}.",
                "Power use at the {place} plant stands at {n} megawatts.",
                "The {place} plant needs {n} megawatts of power.",
            ),
            "number",
        ),
        Fact(
            (
                "A third production line opens in {place} on {day}.",
                "On {day} a third production line is to open in {place}.",
                "The third production line in {place} will open on {day}.",
                "{place} gets its third production line when it opens on {day}.",
            ),
            "date",
        ),
    ),
    (
        "Trucks now pass the {thing} every {x} minutes.",
        "Rents near the {thing} have doubled, tenants complain.",
        "The canteen at the {thing} serves {x} meals at noon.",
        "Apprentices train in the {thing} on machines from the old mill.",
        "Environmental groups keep watch over the wells by the {thing}.",
        "A cycle path to the {thing} is promised for the spring after next.",
        "Welders from abroad live in containers behind the {thing}.",
        "The fire brigade held {x} drills at the {thing} in the past months.",
        "A mural of a lithium atom decorates the {thing}.",
        "Union officials collected signatures outside the {thing} for better shifts.",
        "The owner of the {thing} sold {x} acres for the car park.",
        "Suppliers moved into the halls around the {thing}.",
        "Tram drivers learned a new stop, named after the {thing}.",
    ),
    (
        "The battery plant in {other} employs {n} people.",
        "Production at the {other} plant began on {day}.",
        "The company invested {n} million dollars in the {other} plant.",
        "The plant in {other} draws {n} megawatts of power.",
    ),
    "We build what moves this country and we want to be paid like people who do",
    ("Batteries from {place}", "{place} bets on its plant", "A plant changes {place}",
     "Inside the works at {place}", "The new jobs of {place}"),
)  # fmt: skip

FERRY = Event(
    (
        Fact(
            (
                "The ferry to {place} carried {n} passengers last summer.",
                "Last summer {n} passengers took the ferry to {place}.",
                "{n} passengers were carried by the {place} ferry last summer.",
                "Passengers on the ferry to {place} numbered {n} last summer.",
            ),
            "number",
        ),
        Fact(
            (
                "The ferry company raised fares to {place} by {n} percent.",
                "Fares to {place} were raised by {n} percent by the ferry company.",
                "The company that runs the ferry to {place} put up fares by {n} percent.",
                "Fares for the {place} ferry went up by {n} percent, the company said.",
            ),
            "number",
        ),
        Fact(
            (
                "The new ferry to {place} makes its first crossing on {day}.",
                "On {day} the new ferry makes its first crossing to {place}.",
                "The first crossing of the new ferry to {place} is set for {day}.",
                "{place} expects the first crossing of the new ferry on {day}.",
            ),
            "date",
        ),
        Fact(
            (
                "The islanders of {place} support the bridge.",
                "Support for the bridge is strong among the islanders of {place}.",
                "Islanders in {place} support the plan for a bridge.",
                "The bridge has the support of the islanders of {place}.",
            ),
            "negation",
            (
                "The islanders of {place} do not support the bridge.",
                "Among the islanders of {place} the bridge has no support.",
                "Islanders in {place} oppose the plan for a bridge.",
                "The bridge lacks the support of the islanders of {place}.",
            ),
        ),
        Fact(
            (
                "The crossing to {place} takes {n} minutes.",
                "It takes {n} minutes to make the crossing to {place}.",
                "A crossing to {place} lasts {n} minutes in calm weather.",
                "The ship needs {n} minutes for the crossing to {place}.",
            ),
            "number",
        ),
        Fact(
            (
                "The pier at {place} was closed on {day}.",
                "On {day} inspectors closed the pier at {place}.",
                "Inspectors had the pier at {place} closed on {day}.",
                "The {place} pier has been closed since {day}.",
            ),
            "date",
        ),
    ),
    (
        "Seals doze on the rocks below the {thing}.",
        "The captain keeps {x} old charts in the {thing}.",
        "Tea costs {x} pence in the {thing}, and nobody minds.",
        "A storm took the roof of the {thing} two winters ago.",
        "Letters wait in the {thing} until the wind drops.",
        "The shop beside the {thing} sells rope, jam and batteries.",
        "Students count seabirds from the {thing} at dawn.",
        "Mobile phones work only on the hill above the {thing}.",
        "The doctor flies in and lands behind the {thing}.",
        "Sheep are led past the {thing} to the winter pasture.",
        "A film crew rented the {thing} for {x} weeks.",
        "The lighthouse blinks every {x} seconds over the {thing}.",
    ),
    (
        "The ferry to {other} carried {n} passengers last summer.",
        "The crossing to {other} takes {n} minutes.",
        "The pier at {other} was closed on {day}.",
        "The new ferry to {other} makes its first crossing on {day}.",
    ),
    "A boat is our road, and a road that sails only in fine weather is no road at all",
    ("The boat to {place}", "{place} waits for its ferry", "An island asks for a road",
     "All at sea in {place}", "How {place} travels"),
)  # fmt: skip

STUDY = Event(
    (
        Fact(
            (
                "The survey in {place} questioned {n} nurses.",
                "{n} nurses were questioned for the survey in {place}.",
                "For the survey, {n} nurses in {place} were questioned.",
                "The {place} survey is based on answers of {n} nurses.",
            ),
            "number",
        ),
        Fact(
            (
                "Of the nurses in {place}, {n} percent work nights.",
                "{n} percent of nurses in {place} work nights.",
                "In {place}, {n} percent of the nurses work at night.",
                "Night work is done by {n} percent of nurses in {place}.",
            ),
            "number",
        ),
        Fact(
            (
                "The clinic in {place} closes its children's ward on {day}.",
                "On {day} the clinic in {place} closes the children's ward.",
                "The children's ward of the clinic in {place} is to close on {day}.",
                "{place} loses the children's ward of its clinic, which closes on {day}.",
            ),
            "date",
        ),
        Fact(
            (
                "Shorter shifts improved the health of nurses in {place}.",
                "The health of nurses in {place} improved with shorter shifts.",
                "Nurses in {place} saw their health improve under shorter shifts.",
                "With shorter shifts the nurses of {place} were in better health.",
            ),
            "negation",
            (
                "Shorter shifts did not improve the health of nurses in {place}.",
                "The health of nurses in {place} has not improved with shorter shifts.",
                "Nurses in {place} saw no improvement of their health under shorter shifts.",
                "With shorter shifts the nurses of {place} were in worse health.",
            ),
        ),
        Fact(
            (
                "The clinic in {place} lacks {n} beds.",
                "{n} beds are lacking at the clinic in {place}.",
                "There are {n} beds too few at the {place} clinic.",
                "The {place} clinic is short of {n} beds.",
            ),
            "number",
        ),
        Fact(
            (
                "The strike at the clinic in {place} ended on {day}.",
                "On {day} the strike at the clinic in {place} ended.",
                "Staff at the clinic in {place} ended their strike on {day}.",
                "The {place} clinic's strike came to an end on {day}.",
            ),
            "date",
        ),
    ),
    (
        "Visitors park on the lawn behind the {thing}.",
        "A choir sings in the {thing} every {x} weeks.",
        "The lift of the {thing} has been out of order since autumn.",
        "Laundry is now washed {x} miles away from the {thing}.",
        "Retired doctors lend a hand in the {thing}.",
        "A painter donated {x} pictures to brighten the {thing}.",
        "The pharmacist keeps a garden on the roof of the {thing}.",
        "Cleaners in the {thing} have had a new contract for {x} months.",
        "Soup is served in the {thing} until midnight.",
        "Screens in the {thing} tell who is next, though seldom rightly.",
        "The archive under the {thing} holds files of {x} decades.",
        "A robot fetches blood samples from the {thing}.",
    ),
    (
        "The survey in {other} questioned {n} nurses.",
        "{n} percent of nurses in {other} work nights.",
        "The clinic in {other} lacks {n} beds.",
        "The strike at the clinic in {other} ended on {day}.",
    ),
    "I have held more hands at four in the morning than I can count and I am tired",
    ("Night falls on the wards of {place}", "{place} and its nurses", "A clinic in need",
     "Who cares for {place}?", "Behind the doors of the {place} clinic"),
)  # fmt: skip

EVENTS = {"seen": (FLOOD, FACTORY), "unseen": (FERRY, STUDY)}
