"""What pages say that nobody asks for, and the words that facts are chosen from."""

FILLER: dict[str, tuple[str, ...]] = {
    "en": (
        "In {year} the {who} asked for a new {what}, and {number} signatures were handed in.",
        "A {what} of the time is kept in a {place}, where it can be seen on request.",
        "The winter of {year} was so hard that the {who} had to close the {place} for weeks.",
        "Letters in the {place} tell of a quarrel about a {what} that lasted {number} days.",
        "Every second year the {who} invite their friends to the {place} and talk until late.",
        "The {what} was repaired in {year} after a storm had torn off part of the roof.",
        "Nobody knows any more why the {place} was painted green, but the {who} insist on it.",
        "A fire in {year} spared the {place}; {number} volumes were carried out in time.",
        "Those who come by train are met by the {who} with a {what} and a warm drink.",
        "Of the {number} pictures in the {place} only a few show a {what}.",
        "The {who} publish a small paper four times a year, in which the {what} has its column.",
        "For the jubilee in {year} the {who} gave away {number} copies of a booklet.",
    ),
    "de": (
        "Im Jahr {year} baten die {who} um eine neue {what} und sammelten {number} Unterschriften.",
        "Der Winter {year} war so hart, dass die {who} den {place} wochenlang schließen mussten.",
        "Alle zwei Jahre laden die {who} ihre Freunde in den {place} ein.",
        "Von der alten {what} sind {number} Teile erhalten, die im {place} gezeigt werden.",
    ),
    "zh": (
        "{year}年，{who}提出要一个新的{what}，并收集了{number}个签名。",
        "{year}年的冬天很冷，{who}把{place}关了好几个星期。",
        "每隔两年，{who}都会邀请朋友到{place}聚会。",
        "旧的{what}还留下{number}个零件，存放在{place}里。",
    ),
}  # fmt: skip
WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "who": ("neighbours", "clerks", "choir", "gardeners", "apprentices", "volunteers"),
        "what": ("clock", "signboard", "staircase", "ferry", "fountain", "lantern", "ledger"),
        "place": ("attic", "reading room", "orchard", "cellar", "boathouse", "archive"),
    },
    "de": {
        "who": ("Nachbarn", "Lehrlinge", "Gärtner", "Sänger"),
        "what": ("Uhr", "Treppe", "Fähre", "Laterne"),
        "place": ("Keller", "Lesesaal", "Obstgarten", "Speicher"),
    },
    "zh": {
        "who": ("邻居们", "学徒们", "园丁们", "志愿者"),
        "what": ("钟", "楼梯", "渡船", "灯笼"),
        "place": ("阅览室", "果园", "地下室", "档案室"),
    },
}

CHOICES: dict[tuple[str, str], tuple[str, ...]] = {
    ("en", "goods"): ("lenses", "ropes", "kilns", "sails", "bicycle bells", "weighing scales"),
    ("en", "job"): ("an engineer and a collector of maps", "an architect", "a glass maker",
                    "a member of the council", "a draughtsman and a rower"),
    ("en", "studied"): ("hydraulics", "botany", "metallurgy", "astronomy", "land surveying"),
    ("en", "known"): ("its apple fair", "its grey stone", "its early springs", "its trout"),
    ("en", "thing"): ("a drill", "a lamp", "a kettle", "a sewing machine", "a radio"),
    ("en", "shows"): ("old looms", "ship models", "stuffed birds", "clocks", "printed maps"),
    ("de", "goods"): ("Linsen", "Seile", "Waagen", "Fahrradklingeln"),
    ("de", "job"): ("Ingenieur", "Glasmacher", "Mitglied des Rates"),
    ("de", "studied"): ("Wasserbau", "Botanik", "Metallkunde", "Sternkunde"),
    ("de", "known"): ("ihren Apfelmarkt", "ihren grauen Stein", "ihre Forellen"),
    ("zh", "goods"): ("镜片", "绳索", "天平", "自行车铃"),
    ("zh", "job"): ("工程师", "玻璃工匠", "市议员"),
    ("zh", "studied"): ("水利", "植物学", "冶金", "天文学"),
    ("zh", "known"): ("苹果集市", "灰色石头", "鳟鱼"),
}  # fmt: skip
"""What a fact is chosen from, by language."""
