"""Words that weigh, conclude and lead over without a subject of their own, by language."""

import re
from functools import cache

from text.tokens import tokenise

_GENERAL = {
    "en": "act almost roughly disagree even figure source misprint mistake moment reading sign "
    "slip year "
    "also already always become budget carry cause certain common convenience demand "
    "different directly fewer frequent further help here home however investment largest latest "
    "least line likewise mention merely mostly money nearly never note often once outside own "
    "paid rarely remain replaced save sum sums table seldom slightly status still therefore "
    "though twice typical unlikely whether yet durability able accept acceptable accordingly "
    "add address advantage afford afterwards agree allow "
    "alone alternative amount answer apart appear apply approach argument ask aspect balance bar "
    "base basic begin benefit better best big both brief bring call careful case caution cheap "
    "cheaper choice choose chosen clarify clear combine come compare comparison complement complex "
    "compromise concern conclude conclusion condition consider contrast cost count criterion "
    "criteria "
    "decide decision default depend derive detail determine differ difference different direction "
    "disadvantage drawback early easy effect effort either enough equal especially essential "
    "example "
    "expect expensive extent factor fall favour favor few find first fit five follow four gain "
    "general "
    "get give given go good great half hand hard hence high higher hinge hold hurt ideal imply "
    "important "
    "in individual instead issue justify keep kind large larger last latter lead leave less lesson "
    "level light lighter likely limit link list little long look loss lose low lower main make "
    "manage many matter mean measure meet merely method middle mind model more move much narrow "
    "need "
    "neither new next none number observation offer one only open opposite option order other "
    "otherwise "
    "outcome outweigh overall own part particular pattern pay perform performance picture place "
    "plan "
    "play point poor position possible practice prefer preference price principle priority problem "
    "proceed prove provide pull purpose put quality question quick quickly raise range rather "
    "reach "
    "reason recommend relate reliable rely remain remedy replace require requirement rest "
    "result right "
    "risk role room rule run safe safer same say scale second see seem separate serve set "
    "setting short "
    "should show side significant similar simple simpler single situation size slow slower "
    "small smaller "
    "solution solve sort spare spend start step stick still strength strict strong suggest suit "
    "suitable "
    "sum summary support sure take tell term test than thing third thus time together total trade "
    "tradeoff trial try turn two type understand unless use useful usual valid value vary wait "
    "way weak "
    "weakness weigh weight well whoever whole work worse worst worth would wrong yes three",
    "de": "ab kommt abhängt abhängig ab also alter auch außerdem bedarf bereich besonders bloß "
    "dabei dafür dagegen daher damit dann darauf daran denn deshalb doch ebenfalls erneut fast "
    "folglich gegen genauer hängt häufig heißt immer indem jedoch kaum lediglich manchmal meist "
    "meistens messen nämlich nicht noch nur oft rückt schon selten sogar somit sonst sowie "
    "stets trotzdem vielmehr wann wer wieder wohl ziemlich zudem zunächst zwar geld haus "
    "abhängen abwägen alle allein alternative andere anders angewiesen ansatz antwort arbeit "
    "argument art aufwand ausreichen bedeuten bedeutet bedingung beginnen beide beides beispiel "
    "bereich besser beste bestimmen bleiben brauchen bringen darum dauer demnach eher eignen "
    "eignet "
    "eignung ein einfach einfacher einzeln einzelnen entscheidend entscheiden entscheidet "
    "entscheidung entweder oder ergebnis erst erste fall folge folgen frage führen geeignet "
    "genügen "
    "genug gering grenze groß größer grund gut günstig günstiger gleich heißen heißt hoch höher "
    "insgesamt kaufen kern klein kleiner kommen kosten kriterium kurz lage lang lassen lohnen "
    "lohnt "
    "lösung messbar messen mittel möglich möglichkeit müssen nachteil nächste nötig notwendig "
    "nutzen "
    "ordnung preis problem prüfen punkt rahmen reichen reihenfolge richtig risiko rücken sache "
    "schlecht schließlich schluss schritt schwach schwer seite sicher sinnvoll sollen spielen "
    "sprechen spricht stark stärke statt stellen tauschen teil teuer teurer überblick umgekehrt "
    "unterschied unterschiedlich variante vergleich vergleichen verschieden viel vieles "
    "voraussetzung "
    "vorher vorteil wahl wählen ware weg weise wenig weniger wer wert wichtig wirkung zahl zahlen "
    "zeigen zeit ziel zuerst zusammen zweck zweite",
    "fr": "ainsi alors après argent aussi cependant certes chargement contre dit dire également "
    "enfin ensuite ici jamais là mais moment néanmoins parfois presque puis quand rarement "
    "relief seulement suffit surtout toujours toutefois très ville aboutir adapté aider "
    "ailleurs aller alternative ampleur approche argument autant autre "
    "avantage avant besoin bien bon bref cas cause changer chercher cher choisir choix clair "
    "combiner commencer comparaison comparer compromis compter conclure conclusion condition "
    "convenir "
    "coût critère dépendre dépend décider décision dernier différence différent difficile donc "
    "donner effet effort égal ensemble essayer essentiel exemple facile facteur faible faire "
    "falloir "
    "faut favorable fin fois fort grand gros idéal important inconvénient inverse large largement "
    "leçon lent limite long majeur mal meilleur même mesurer méthode mettre mieux moindre moins "
    "moyen "
    "nécessaire option ordre part partie payer perdre petit plutôt point possible pratique "
    "préférable "
    "premier prendre prix problème question raison rapide reste résultat revenir risque rôle sens "
    "servir seul simple situation solution sorte souvent suffire suffit suffisant suivre sûr temps "
    "tenir tout trop usage utile valeur valoir vaut voie vrai",
    "es": "ahorro así aún aunque casi contrario después dinero entonces incluso limpio mientras "
    "nunca pues raras sólo también tampoco tanto todavía través vez adecuado alternativa antes "
    "aspecto ayudar bajo bien bueno buscar cada cambio camino caro "
    "caso clave claro combinar comparación comparar compensar conclusión condición conveniente "
    "conviene coste costo criterio cuestión decidir decisión depende depender desventaja "
    "diferencia "
    "diferente difícil distinto efecto ejemplo elección elegir empezar esencial factor fácil favor "
    "forma fuerte general grande hacer imprescindible importante límite largo lugar mayor "
    "medida medir "
    "mejor menor menos método mismo momento necesario necesitar opción orden parte pensar peor "
    "pequeño pesar pesa poder posible práctica precio preferible primero problema pregunta punto "
    "razón resultado resumen riesgo seguir seguro servir simple situación solución suficiente "
    "tener "
    "tiempo tipo tomar único útil valer valor ventaja vez",
    "it": "allora ancora anche chi così denaro dopo dunque infatti invece mai mentre però "
    "perciò poi pure quasi quindi rispetto sempre solo soltanto spazio spesso tuttavia adatta "
    "adatto aiutare alternativa alto aspetto basso bene bisogno breve buono cambiare caro "
    "caso chiaro confronto confrontare contare conto conviene convenire costo criterio decidere "
    "decisione differenza difficile dipende dipendere diverso effetto esempio essenziale facile "
    "fattore forte generale grande importante insieme limite lungo lavoro maggiore meglio meno "
    "metodo "
    "migliore minore misura modo momento necessario occorre opzione ordine parte peggio piccolo "
    "possibile pratica preferire prendere prezzo prima primo problema prossimo punto ragione "
    "regolare "
    "richiede richiedere rischio risultato scegliere scelta semplice sicuro situazione soluzione "
    "sufficiente tempo tipo trovare unico utile valere valore vantaggio volta",
    "pt": "ainda apenas assim contrário depois dinheiro enquanto então logo mesmo muito nunca "
    "pelo pois porém portanto quase sempre só também telhado todavia adequado alternativa antes "
    "aspecto bem bom caro caso cada claro combinar cómodo comparação "
    "comparar compensar conclusão condição convém critério custo decidir decisão dependem depende "
    "depender desvantagem diferença diferente difícil efeito escolha escolher essencial exemplo "
    "facto "
    "fácil factor fator favor forma forte geral grande importante limite longo lugar maior medida "
    "medir melhor menor menos método necessário opção ordem parte pena pequeno pior possível "
    "prática "
    "preço preferível primeiro problema pergunta ponto questão razão resultado risco seguro "
    "simples "
    "situação solução suficiente tempo tipo trazer único útil valem valer valor vantagem vez",
    "nl": "altijd dan daarbij daardoor daarmee daarentegen daarvoor dus echter evenals geld "
    "huis immers kortom maar nauwelijks nog ook slechts soms steeds toch vaak verder wel zelden "
    "zelfs aanpak ander antwoord afhangen afhankelijk afwegen alleen alternatief begin "
    "belangrijk best "
    "beter beide bepaalt bepalen betekenen bijvoorbeeld blijven daarom deel denken dingen "
    "duidelijk "
    "duur eerst eenvoudig effect enige genoeg geschikt geval gevolg gewoon goed goedkoop grens "
    "groot "
    "hangt houden kiezen klein komen kort kosten kunnen kwestie laag lang last maken manier meer "
    "methode meten minder moeten mogelijk nadeel nagaan nagegaan nemen nodig nut oplossing "
    "optie orde "
    "plaats praktijk prijs probleem punt reden resultaat risico samen situatie slecht soort "
    "stap sterk "
    "tijd veel verschil verschillend vergelijken volgen voordeel voorwaarde vraag waarde weinig "
    "werken "
    "zaak zwak",
    "zh": "因此 所以 总之 可见 也就是说 换言之 综上 总体而言 这意味着 意味着 方案 选择 选用 选 "
    "适合 更合适 合适 适用 "
    "取决于 决定 需要 应该 应当 应 必须 可以 不足 足够 优先 首先 其次 最后 优点 缺点 优势 劣势 "
    "代价 权衡 平衡 考虑 再谈 "
    "先看 关键 问题 方面 情况 条件 结果 结论 简单 困难 重要 必要 更好 较好 更 较 之间 二者 两者 "
    "前者 后者 分别 不同 "
    "区别 差异 比较 高 低 大 小 多 少 成本 价格 风险 先 再 与 对 如果 否则 则 以下 以上 如下 "
    "采取 措施 步骤 主要 而言",
    "ja": "したがって つまり 要するに そのため このため よって 以上 方法 選択 場合 必要 重要 "
    "可能性 可能 考える 考え "
    "決める 決まる 確かめる 合わせて 比較 違い 差 利点 欠点 費用 効果 適して 適する 向いて "
    "役に立つ 役立つ 基本 まず "
    "次に 最後 どちら 両方 両者 前者 後者 問題 条件 結果 結論 簡単 難しい 高い 低い 大きい "
    "小さい 多い 少ない 抑えられる "
    "望ましい よい 良い べき 優先 判断 検討 目安 点 時 際 順 主な 以下 手順",
}  # fmt: skip

_CONCLUDING = {
    "en": r"therefore|thus|hence|so|consequently|accordingly|overall|together|in (?:short|sum|"
    r"brief|"
    r"practice|other words|total)|(?:this|that|which|it|these) (?:means?|makes?|leaves?|suggests?|"
    r"implies|points?|is why)|by contrast|conversely|in turn|should|depends?|hinges?|matters?|"
    r"better|safer|simpler|cheaper|favou?rs?|worth|trade[- ]?offs?|traded|rather than|instead|"
    r"whether|"
    r"whoever|if|unless|as long as|before you|neither|both|per|proves?|enough|alone|complement|"
    r"start|"
    r"keep|check|prefer|choose|plan|strong where|where",
    "de": r"daher|deshalb|also|somit|folglich|demnach|damit|insgesamt|zusammen|kurz|"
    r"das (?:heißt|bedeutet)|"
    r"dies (?:heißt|bedeutet)|entscheidend|hängt|sollten?|lohnt|spricht|sprechen|statt|wer|wenn|ob|"
    r"umgekehrt|dagegen|beides?|nötig|sinnvoll|je nach|im vergleich|messbar|kommt es",
    "fr": r"donc|ainsi|par conséquent|en (?:somme|bref|résumé|pratique|conclusion)|"
    r"autrement dit|dépend|"
    r"mieux vaut|il faut|convient|si|plutôt|suffit|au total|c['’]est pourquoi|en revanche|"
    r"à l['’]inverse",
    "es": r"por (?:lo )?tanto|por consiguiente|por eso|así|pues|en (?:resumen|suma|definitiva|"
    r"cambio)|"
    r"depende|conviene|hay que|si|es decir|al contrario|imprescindible|más bien",
    "it": r"quindi|dunque|perciò|così|in (?:breve|sintesi|conclusione|pratica)|dipende|conviene|"
    r"se|chi|"
    r"occorre|invece|al contrario|ossia",
    "pt": r"portanto|por isso|assim|logo|em (?:resumo|suma|contrapartida)|depende|convém|se|"
    r"pelo contrário|"
    r"ou seja|vale(?:m)? .{0,12}a pena",
    "nl": r"daarom|dus|daardoor|kortom|samen|hangt|moet|als|wie|of|dat betekent|bepaalt|beter|"
    r"liever|"
    r"daarentegen",
    "zh": r"因此|所以|总之|可见|也就是说|换言之|综上|意味着|取决于|应|需要|如果|适合|更|权衡",
    "ja": r"したがって|つまり|要するに|そのため|よって|必要|べき|よい|望ましい|可能性|場合|"
    r"役に立つ|適",
}  # fmt: skip

_DECIDING = {
    "en": r"depends? (?:on|upon)|question of|matter of|whether|whoever|the (?:price|cost) of|"
    r"pulls?|"
    r"trade[- ]?offs?|trad(?:ed|ing) .{0,20}against|should|weigh\w*|"
    r"(?:better|best|right|simpler|safer|cheaper) (?:choice|option|place|way|method|approach|"
    r"fit|off)|"
    r"(?:the )?order matters|which (?:one|method|option|way) (?:fits|suits|is)|worth|"
    r"proves? (?:little|"
    r"nothing)|gains? (?:little|nothing)|leaves? .{0,40}with a|different causes|"
    r"^(?:so |then |in practice,? |therefore,? |if .{1,60}, )?(?:start|check|choose|keep|"
    r"measure|test|"
    r"clarify|plan|prefer|avoid|begin|ask|compare|consider|decide)\b",
    "de": r"hängt|abhäng\w*|entscheidend|entscheidet|kommt es|spricht|sprechen|sollten?|lohnt|"
    r"abwäg\w*|"
    r"wer|je nach|das (?:heißt|bedeutet)|geeignet|eignet|Eignung|nötig|sinnvoll",
    "fr": r"dépend|mieux vaut|il faut|convient|question de|se paie|au prix|suffit|préférable|vaut",
    "es": r"depende|conviene|hay que|cuestión de|a costa|preferible|vale la pena|imprescindible",
    "it": r"dipende|conviene|occorre|bisogna|questione di|preferibile|adatt[aoie]|richiede",
    "pt": r"depende|convém|é preciso|questão de|preferível|valem? .{0,12}a pena|vantagem",
    "nl": r"hangt|bepaalt|moet|moeten|kwestie van|loont|geschikt",
    "zh": r"取决于|决定|应|需要|如果|适合|更|权衡|先看|再谈|必要",
    "ja": r"必要|べき|よい|望ましい|可能性|役に立つ|適|次第|基本",
}  # fmt: skip

_POINTING = {
    "en": r"\b(?:the |this )?(?:following|next|previous|preceding|last|remaining|"
    r"remainder of this|rest of "
    r"this)? ?(?:sections?|tables?(?: \d+)?|lists?|charts?|figures?(?: \d+)?|steps?|points?|report|"
    r"paragraphs?|overview)(?: (?:below|above))? (?:then )?(?:compares?|lists?|shows?|sums?|"
    r"summari[sz]es?|"
    r"looks?|covers?|turns?|names?|describes?|explains?|deals?|answers?|gives?|follows?|"
    r"sets? out)\b|"
    r"\bsee (?:the )?(?:table|list|section|chart|figure|above|below)|"
    r"^(?:now|first|next|then|finally|lastly|turning|back),? (?:to|the|for|with)\b",
    "de": r"\b(?:folgende|nächste|vorige|obige|untenstehende)\w* (?:Tabelle|Liste|Abschnitt|"
    r"Übersicht|"
    r"Abbildung)\w*|\b(?:dieser|der vorliegende) Abschnitt\b|\bsiehe (?:Tabelle|oben|unten|"
    r"Abschnitt)|"
    r"^(?:zunächst|nun|dann|zuletzt|abschließend|erstens|zuerst) zu[mr]?\b",
    "fr": r"\b(?:tableau|liste|section|figure|graphique)s? (?:suivante?|ci-dessous|ci-après|"
    r"ci-dessus)|"
    r"\bcette section\b|\bvoir (?:le tableau|la liste|ci-dessous)|^(?:d['’]abord|ensuite|enfin|"
    r"passons)",
    "es": r"\b(?:siguiente|próxima|anterior) (?:tabla|lista|sección|cuadro)|\b(?:tabla|lista|"
    r"sección) "
    r"(?:siguiente|anterior)|\besta sección\b|\bvéase\b",
    "it": r"\b(?:seguente|prossima|precedente) (?:tabella|lista|sezione)|\b(?:tabella|lista|"
    r"sezione) "
    r"(?:seguente|successiva|precedente)|\bquesta sezione\b|\bsi veda\b",
    "pt": r"\b(?:seguinte|próxima|anterior) (?:tabela|lista|secção|seção)|\b(?:tabela|lista|"
    r"secção|seção) "
    r"(?:seguinte|anterior|abaixo)|\besta (?:secção|seção)\b|\bvejamos\b|\bveja-se\b",
    "nl": r"\b(?:volgende|vorige|onderstaande|bovenstaande) (?:tabel|lijst|paragraaf|sectie|"
    r"afbeelding)|"
    r"\bdeze paragraaf\b|\bzie (?:de )?(?:tabel|lijst|onder|boven)",
    "zh": r"下表|上表|下图|上图|下一节|本节|如下|见下|见上|以下(?:表格|列表|部分)",
    "ja": r"次の(?:表|節|図|一覧)|上の(?:表|図)|下の(?:表|図)|本節|以下の(?:表|図|一覧)|(?:表|"
    r"図)\d",
}  # fmt: skip

_SAYING_THAT = {
    "en": "that", "de": "dass|daß", "fr": "que|qu['’]", "es": "que", "it": "che", "pt": "que",
    "nl": "dat",
}  # fmt: skip


def has_general_words(language: str) -> bool:
    """Whether the words of a language are listed here."""
    return language in _GENERAL


@cache
def load_general_terms(language: str) -> frozenset[str]:
    """The terms of words that say nothing of a subject; see `text.tokens.tokenise`."""
    return frozenset(tokenise(_GENERAL.get(language, ""), language))


@cache
def compile_general_words(language: str) -> re.Pattern[str] | None:
    """The same words, longest first, of languages that write without spaces; None of others."""
    if language not in ("zh", "ja"):
        return None
    words = sorted(_GENERAL[language].split(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


@cache
def _compile(words: str, *, spaced: bool) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b" if spaced else words, re.IGNORECASE)


def draws_conclusion(sentence: str, language: str) -> bool:
    """Whether a sentence says that it follows from others, weighs them, or advises."""
    words = _CONCLUDING.get(language)
    return bool(words and _compile(words, spaced=language not in ("zh", "ja")).search(sentence))


def weighs_decision(sentence: str, language: str) -> bool:
    """Whether a sentence says what a choice depends on, or what to do: a view, no finding."""
    words = _DECIDING.get(language)
    return bool(words and _compile(words, spaced=language not in ("zh", "ja")).search(sentence))


def points_elsewhere(sentence: str, language: str) -> bool:
    """Whether a sentence leads to a table, a list or another section and says no more."""
    words = _POINTING.get(language)
    if not words or not _compile(words, spaced=False).search(sentence):
        return False
    saying = _SAYING_THAT.get(language)
    return not (saying and _compile(saying, spaced=True).search(sentence))
