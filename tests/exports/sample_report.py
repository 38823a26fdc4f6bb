"""One report with everything that a format must show: scripts, tables, code, charts, verdicts."""

from sample_citations import CITATIONS

from schema.report import (
    Audit,
    Chart,
    Conflict,
    Degradation,
    Reference,
    Report,
    ReportSection,
    RoleUsage,
)

DIET = """Sea otters (*Enhydra lutris*) eat about **25 % of their body weight** a day [1]. Where
they hold the urchins down, kelp grows back within two years [1][2].

Their fur is the densest of all mammals, with a million hairs to the square inch [3]. They cannot
dive deeper than ten metres [2] ⚠. Some say that otters pay for fish with coins [4] ⚠.

### What a day's catch looks like

| prey | share | hours |
| :--- | ---: | :---: |
| urchins | 41 % [1] | 3 |
| crabs \\| shrimp | 22 % [2] | 2 |

1. They float on their backs [3].
2. They use stones as tools [1]:
   - to break shells [2],
   - to ~~scare~~ wake each other.

> A raft of otters holds hands while it sleeps [2].
"""

NUMBERS = """![Otters counted, by year](chart:0) [1][3]

The count rose from 1,940 in 2014 to 2,962 in 2024 [1]. The change can be computed in one line:

```python
change = counts[1] / counts[0]  # [1] is an index here, and <b>no mark</b>
```

Inline code such as `counts[2]` is left alone, and so is [99], which is no source. See also
[the survey](https://otters.example/survey?a=1&b=2) [3].

![Prey by share](chart:1) [2]
"""

SCRIPTS = """海獭每天大约吃掉自身体重四分之一的食物 [5]。它们的毛皮是所有哺乳动物中最密的 [3]。

ثعالب البحر تعيش في شمال المحيط الهادئ [6]. يبلغ عددها نحو 3000 في كاليفورنيا [1].

לוטרות ים ישנות כשהן אוחזות ידיים [2]. ラッコは道具を使う [5]。 Emoji stay whole: 🦦🌊👩🏽‍🔬 [1].
"""

FORMULAS = """Signs that some format reads as markup stay signs: 50 % & 3 $ # _under_score_ {braces}
^caret ~tilde \\backslash @at "quotes" 'single' <angle> [bracket] -- --- ... x < y > z [2].

A line\\
broken in two, an address <https://otters.example/a_b%20c>, and a formula: $E = mc^2$ [1].

#### A deeper heading

---

##### Deeper still

The last sentence cites three sources at once [1][3][5].
"""


def reference(
    number: int, title: str = "", author: str = "", site: str = "", url: str = "",
    published: str = "", *, excerpt: bool = False, reachable: bool | None = None,
) -> Reference:  # fmt: skip
    """A reference that knows this and nothing else."""
    return Reference(
        number=number, title=title, author=author, site=site, url=url, published=published,
        accessed="2026-01-02", excerpt=excerpt, reachable=reachable,
        checked="" if reachable is None else "2026-01-02T10:00:00+00:00",
    )  # fmt: skip


def audit(**counts: float) -> Audit:
    """What was counted of a report; what is not given is 0."""
    return Audit(**{**dict.fromkeys(Audit.__annotations__, 0), **counts})  # type: ignore[typeddict-item]


def _chart(title: str, mark: str, rows: list[list[str]], numbers: list[int]) -> Chart:
    name, value = rows[0][0], rows[0][1]
    x, y = {"field": name, "type": "nominal"}, {"field": value, "type": "quantitative"}
    values = [{name: row[0], value: float(row[1]), "source": int(row[2][1])} for row in rows[1:]]
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": title,
        "mark": mark,
        "encoding": {"x": x, "y": y},
        "data": {"values": values},
        "width": 480,
        "height": 280,
    }
    return Chart(section=1, title=title, spec=spec, rows=rows, numbers=numbers)


REPORT = Report(
    question="What do sea otters eat, and how many are there?",
    title="Sea otters: food, numbers & habits",
    language="en",
    sections=[
        ReportSection(title="Food and habits", text=DIET.strip()),
        ReportSection(title="How many there are", text=NUMBERS.strip()),
        ReportSection(title="In other scripts: 海獭, ثعلب البحر", text=SCRIPTS.strip()),
        ReportSection(title='Signs <that> "formats" & people use', text=FORMULAS.strip()),
    ],
    references=[
        reference(1, "Sea otter survey 2024", "Anna Holm; Bo Li", "otters.example",
                  "https://otters.example/survey-2024?lang=en&page=1", "2024-05-01",
                  reachable=True),
        reference(2, "Kelp & urchins", "Holm, Anna", "kelp.example", "https://kelp.example/a_b",
                  "2019", reachable=False),
        reference(3, "Fur of mammals", url="file:///home/reader/fur.pdf", reachable=True),
        reference(4, excerpt=True),
        reference(5, "海獭的饮食", "李雷", "百科", "https://baike.example/海獭", "2022-11"),
        reference(6, "ثعالب البحر", "مؤسسة البحار", "bihar.example",
                  "http://bihar.example/otters#top", "2023-02-03", reachable=True),
    ],
    citations=CITATIONS,
    conflicts=[
        Conflict(
            section=1,
            sentence="The count rose from 1,940 in 2014 to 2,962 in 2024 [1].",
            cited=[1],
            number=6,
            published="2023-02-03",
            quote="The count fell to 1,800 <by 2023>.",
        )
    ],
    charts=[
        _chart("Otters counted, by year", "bar",
               [["year", "otters", ""], ["2014", "1940", "[1]"], ["2019", "2431", "[1]"],
                ["2024", "2962", "[3]"]], [1, 3]),
        _chart("Prey by share", "point",
               [["prey", "share", ""], ["sea urchins 海胆", "41", "[2]"], ["crabs", "22", "[2]"]],
               [2]),
    ],
    audit=audit(
        sections=4, sentences=24, sentences_cited=21, facts=24, facts_unsupported=2,
        citations=11, citations_supported=8,
        citations_partial=1, citations_contradicted=1, citations_absent=1, precision=0.727,
        citations_by_words=9, citations_by_checker=1, citations_by_model=1,
        coverage=0.875, unknown_numbers_dropped=1, repeated_sentences_dropped=2,
        sentences_revised=3, sentences_repaired=1, sentences_cut=1, sources_found=19,
        sources_read=12, sources_cited=6, passages_found=80, searches=7, pages_read=12,
        tokens=48211, seconds=73.4,
    ),
    degraded=[
        Degradation(code="connector_timeout", detail="tavily did not answer within 20 seconds."),
        Degradation(code="links_not_checked", detail="No web server answered <at all> & so on."),
    ],
    further_questions=["How deep do otters dive?", "What do pups eat?", "海獭会迁徙吗？"],
    usage={
        "writer": RoleUsage(
            model="openai:gpt", calls=4, input_tokens=40000, output_tokens=8211, seconds=61.5
        )
    },
)  # fmt: skip
