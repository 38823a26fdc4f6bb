"""What the pages say: a beginning, facts in two wordings, and much that nobody asked for.

`{maker}` names another thing and links to its page, `{maker.name}` names it without a link.
"""

from typing import NamedTuple


class Text(NamedTuple):
    """The page of a kind: what a search engine sees of it, and its facts, one paragraph each."""

    beginning: str
    facts: tuple[tuple[str, ...], ...]


TEXTS: dict[tuple[str, str], Text] = {
    ("en", "company"): Text(
        "{name} makes {goods} for customers on three continents.",
        (
            (
                "The firm was set up in {founded} by {founder}, until then foreman of a mill.",
                "It was {founder} who founded {name} in {founded}, with a loan from an aunt.",
            ),
            (
                "Its headquarters stand in {seat}, next to the old customs yard.",
                "{name} has its headquarters in {seat}.",
            ),
            (
                "At the last count {staff} people worked for the firm.",
                "The company employs {staff} people.",
            ),
        ),
    ),
    ("en", "person"): Text(
        "{name} is {job}.",
        (
            (
                "{last} was born in {birthplace} in {born}, the third of five children.",
                "Born in {born} in {birthplace}, {name} grew up with an uncle who mended clocks.",
            ),
            (
                "After school {last} studied {studied} and graduated with honours.",
                "{name} studied {studied}, against the advice of the family.",
            ),
            (
                "Today {name} lives in {home}.",
                "{last} has lived in {home} for many years.",
            ),
        ),
    ),
    ("en", "town"): Text(
        "{name} is a town known for {known}.",
        (
            (
                "The town lies on the {river}, which once drove its mills.",
                "{name} lies on the river {river}.",
            ),
            (
                "Its mayor is {mayor}, who was elected for a second term.",
                "Since the last election {mayor} has been mayor of {name}.",
            ),
            ("{name} was first mentioned in {founded}, in a list of tolls.",),
            (
                "About {people:,} people live in {name}.",
                "The population of the town was {people:,} at the last census.",
            ),
            (
                "It has been twinned with {twin} for decades.",
                "The twin town of {name} is {twin}.",
            ),
        ),
    ),
    ("en", "river"): Text(
        "The {name} is a river that anglers praise for {known}.",
        (
            (
                "The {name} rises on Mount {mountain} and is {length} kilometres long.",
                "From its source on Mount {mountain} the river runs for {length} kilometres.",
            ),
            (
                "The only bridge over the {name} is the {bridge}.",
                "The {bridge} crosses the river above the last weir.",
            ),
        ),
    ),
    ("en", "product"): Text(
        "The {name} is {thing} for the workshop and the home.",
        (
            (
                "The {name} is made by {maker.name}.",
                "{maker.name} makes it in two colours.",
            ),
            (
                "The {name} was launched in {launched}.",
                "It came on the market in {launched}.",
            ),
            (
                "It weighs {weight} grams without its battery.",
                "The weight of the {name} is {weight} grams.",
            ),
        ),
    ),
    ("en", "museum"): Text(
        "The {name} shows {shows}.",
        (
            (
                "The building was designed by {architect}.",
                "Its architect was {architect}, chosen among forty.",
            ),
            (
                "The museum opened in {opened}.",
                "The {name} has been open to the public since {opened}.",
            ),
            (
                "The {name} stands in {town}.",
                "Visitors find the museum in {town}, by the weir.",
            ),
        ),
    ),
    ("en", "bridge"): Text(
        "The {name} is a bridge that painters like for its colour.",
        (
            ("It crosses the {river} near {town}.", "The {name} spans the {river}."),
            ("The bridge is {length} metres long.", "Its length is {length} metres."),
            (
                "The engineer of the bridge was {engineer}.",
                "It was built in {built} to the plans of the engineer {engineer}.",
            ),
        ),
    ),
    ("en", "release"): Text(
        "Version {version} of {of} is here.",
        (
            (
                "The makers of {of} published version {version} today.",
                "Version {version} of {of} can be had from today on.",
            ),
        ),
    ),
    ("de", "company"): Text(
        "Die {name} stellt {goods} her und liefert sie in viele Länder.",
        (
            (
                "Gegründet wurde die {name} im Jahr {founded} von {founder}.",
                "{founder} hat die Firma {founded} mit zwei Gesellen gegründet.",
            ),
            (
                "Die {name} hat ihren Sitz in {seat}.",
                "Der Sitz der Firma ist {seat}, gleich neben dem alten Zollhof.",
            ),
            (
                "Bei der {name} arbeiten {staff} Menschen.",
                "Die Firma beschäftigt {staff} Menschen.",
            ),
        ),
    ),
    ("de", "person"): Text(
        "{name} ist {job}.",
        (
            (
                "{last} wurde {born} in {birthplace} geboren, als drittes von fünf Kindern.",
                "Geboren wurde {name} im Jahr {born} in {birthplace}.",
            ),
            ("Nach der Schule hat {last} {studied} studiert.",),
        ),
    ),
    ("de", "town"): Text(
        "{name} ist eine Stadt, die für {known} bekannt ist.",
        (
            (
                "{name} liegt am Fluss {river.name}.",
                "Die Stadt liegt am Fluss {river.name}, der früher die Mühlen trieb.",
            ),
            (
                "Bürgermeister von {name} ist {mayor}.",
                "Seit der letzten Wahl ist {mayor} Bürgermeister der Stadt.",
            ),
            ("In {name} leben etwa {people} Menschen.",),
        ),
    ),
    ("zh", "company"): Text(
        "{name}生产{goods}，产品销往许多国家。",
        (
            (
                "{name}由{founder}于{founded}年创立。",
                "{founder}在{founded}年向亲戚借钱，创立了{name}。",
            ),
            (
                "{name}的总部设在{seat}。",
                "公司总部位于{seat}的旧海关旁边。",
            ),
            ("{name}目前有{staff}名员工。",),
        ),
    ),
    ("zh", "person"): Text(
        "{name}是一位{job}。",
        (
            (
                "{name}于{born}年出生在{birthplace}。",
                "{name}出生在{birthplace}，是家里的第三个孩子。",
            ),
            ("{name}在大学里学习{studied}。",),
        ),
    ),
    ("zh", "town"): Text(
        "{name}是一座以{known}闻名的城市。",
        (
            (
                "{name}位于{river.name}河畔。",
                "这座城市坐落在{river.name}河畔，从前靠它推动水磨。",
            ),
            (
                "{name}现任市长是{mayor}。",
                "自上次选举以来，{mayor}担任{name}的市长。",
            ),
            ("{name}大约有{people}人。",),
        ),
    ),
}
"""By language and kind."""
