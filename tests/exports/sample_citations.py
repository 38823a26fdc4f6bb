"""The citations of the sample report: verdicts of all four kinds."""

from schema.report import CheckStep, Citation, VerdictKind


def _citation(
    section: int,
    sentence: str,
    number: int,
    quote: str,
    verdict: VerdictKind = "supported",
    reasons: tuple[str, ...] = (),
    step: CheckStep = "words",
) -> Citation:
    return Citation(
        section=section,
        sentence=sentence,
        number=number,
        document=f"https://otters.example/{number}",
        start=120,
        end=120 + len(quote),
        quote=quote,
        before="In the bays of the north Pacific they are seen all year. ",
        after=" The survey went on through the winter, in three bays.",
        verdict=verdict,
        confidence=0.91 if verdict == "supported" else 0.55,
        reasons=list(reasons),
        step=step,
    )


KELP = "Where\nthey hold the urchins down, kelp grows back within two years [1][2]."
COUNTED = "1,940 in 2014, 2,431 in 2019 and 2,962 in 2024."

CITATIONS = [
    _citation(
        0, "Sea otters (*Enhydra lutris*) eat about **25 % of their body weight** a day [1].", 1,
        "Adults eat about 25 % of their body weight each day."),
    _citation(0, KELP, 1, "Kelp came back within two years where otters held the urchins down."),
    _citation(0, KELP, 2, "Kelp returns, though in our plots it took up to five years.", "partial",
              ("number: two",)),
    _citation(
        0, "Their fur is the densest of all mammals, with a million hairs to the square inch [3].",
        3, "No mammal has denser fur: up to one million hairs per square inch."),
    _citation(
        0, "They cannot\ndive deeper than ten metres [2] ⚠.", 2,
        'They dive to "97 metres" <and deeper>, & stay under for five minutes.', "contradicted",
        ("negation: cannot", "number: ten metres"), "model"),
    _citation(0, "Some say that otters pay for fish with coins [4] ⚠.", 4,
              "Otters were seen near the market.", "absent", ("words: pay, coins",), "checker"),
    _citation(0, "| urchins | 41 % [1] | 3 |", 1, "Urchins made up 41 % of what was brought up."),
    _citation(1, "[Otters counted, by year](chart:0) [1][3]", 1, COUNTED),
    _citation(1, "The count rose from 1,940 in 2014 to 2,962 in 2024 [1].", 1, COUNTED),
    _citation(2, "海獭每天大约吃掉自身体重四分之一的食物 [5]。", 5,
              "成年海獭每天进食约为体重的 25%。"),
    _citation(2, "ثعالب البحر تعيش في شمال المحيط الهادئ [6].", 6,
              "تعيش ثعالب البحر على سواحل شمال المحيط الهادئ."),
]  # fmt: skip
