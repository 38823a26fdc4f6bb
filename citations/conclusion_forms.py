"""Sentences that advise or value, by their form, in nine languages: views that follow from facts.

"Therefore insurers refuse damp houses" has the word of a conclusion and is a finding all the same:
only what says what to do, or what is good enough for whom, is a view by its form.
"""

import re
from functools import cache

_ADVISING = {
    "en": r"should|ought to|had better|does well to|do well to|need not|can (?:safely )?(?:do "
    r"without|skip|ignore|wait|stay)|pays? off|makes? sense|(?:is|are) (?:not )?(?:worth|enough|"
    r"best|preferable|advisable)|(?:is|are) the (?:\w+er|best|right|obvious|natural) \w+|suits?|"
    r"(?:is|are) (?:most likely|most probably|likely|probably) (?:the|a) (?:likely )?"
    r"(?:slip|mistake|misprint|error)|is the likely (?:slip|mistake|misprint|error)|"
    r"(?:better|best|safer|cheaper) for|fits? best|wins?|gains? (?:most|more|little|nothing)|"
    r"(?:this|that|which) (?:makes|leaves) (?:it|them|the)|better (?:served|off)|"
    r"that (?:decides|counts|matters)|is what (?:decides|counts|matters)|"
    r"(?:^|; |, so |: )(?:(?:so|then|therefore|otherwise|(?:to|where|if|when|once|before|after|"
    r"for|at|with) \w[^.;:]{2,80}?),? )?(?:then )?(?:do not |never )?(?:adopt|spread|ask|"
    r"raise|measure|alert|warn|treat|tune|look|read|record|allow|"
    r"prefer|pick|clear|restart|order|count|rely|lower|set|shorten|reduce|"
    r"increase|add|remove|drop|run|use|take|give|leave|let|move|split|limit|watch|monitor|check|"
    r"test|try|stop|end|begin|start|turn|switch|keep|avoid|choose|plan|subtract|divide|multiply|"
    r"compare|schedule|repeat|confirm|verify|adjust) (?:the|a|an|this|that|these|those|its|their|"
    r"it|them|each|every|all|both|any|only|one|no|more|less|up|down|on|off|to|as|at|with|by|from|"
    r"before|"
    r"after|until|when|if|once|`)|your \w[\w ]{1,40} (?:must|needs? to)|you (?:must|need)",
    "de": r"sollten?|lohnt|lohnen|genügt|reicht|empfiehlt sich|ratsam|fährt besser|fahren besser|"
    r"tut gut daran|tun gut daran|(?:bleib|lieg|bedien)\w+ besser|eignet|eignen|passt besser|"
    r"spricht für|gehör(?:t|en) (?:deutlich |weit )?(?:unter|über|vor|neben)|"
    r"(?:ist|sind) (?:erledigt|fertig|abgeschlossen), (?:wenn|sobald)|"
    r"^(?:dann |also |deshalb |daher )?\w+n Sie|"
    r"die (?:bessere|beste|sicherere|sicherste|günstigere|richtige|einfachere) \w+",
    "fr": r"devrai(?:t|ent)|mieux vaut|vaut mieux|il faut|convient|(?:a|ont) (?:donc )?intérêt à|"
    r"^(?:puis |alors |donc )?\w{3,}ez|"
    r"(?:meilleure?|bon|bonne) (?:choix|option|solution)|peu(?:t|vent) (?:donc )?se "
    r"(?:passer|contenter)|suffit|l['’]emporte|préférable",
    "es": r"debería(?:n)?|conviene|hay que|(?:la|el) mejor \w+|(?:vale|merece) la pena|basta|"
    r"prescindir|preferible|compensa",
    "it": r"dovrebbe(?:ro)?|conviene|(?:la|il) (?:scelta |soluzione )?migliore?|basta|"
    r"scelta migliore|vale la pena|fare a meno|preferibile|farebbe(?:ro)? bene",
    "pt": r"deveria(?:m)?|dever(?:á|ão)|convém|compensa|valem? a pena|basta|"
    r"(?:a|o) melhor \w+|preferível|pode(?:m)? (?:pois )?dispensar|"
    r"devem?,? (?:pois|portanto|assim|por isso)",
    "nl": r"zou(?:den)?\b.{1,40}\bmoeten|(?:kan|kunnen) (?:dus )?beter|moet(?:en)? (?:dus|daarom)|"
    r"do(?:et|en) er goed aan|de (?:beste|betere|veiligste) \w+|loont|volstaat|geschikt|"
    r"verdient de voorkeur",
    "zh": r"应|宜|最好|适合|合适|值得|不必|足够|更好|优先",
    "ja": r"べき|(?:方|ほう)が(?:よい|良い|いい)|望ましい|適して|向いて|十分|勧め|必要はない",
}  # fmt: skip

_INFERRING = {
    "en": r"therefore|thus|hence|so|consequently|accordingly|in (?:short|sum|brief|practice)|"
    r"overall|(?:this|that|which) (?:means|makes|leaves)|all in all|"
    r"the (?:better|best|right|safer|simpler|cheaper|natural) (?:choice|option|way|pick|bet|fit)|"
    r"better (?:served|off)|that (?:decides|counts|matters)",
    "de": r"daher|deshalb|darum|also|somit|folglich|demnach|damit|kurz|insgesamt|unterm Strich|"
    r"das (?:heißt|bedeutet)|die (?:bessere|beste|richtige|sicherere|günstigere) (?:Wahl|Lösung|"
    r"Option)",
    "fr": r"donc|ainsi|par conséquent|dès lors|en (?:somme|bref|résumé)|bref|au total|"
    r"autrement dit|c['’]est pourquoi|(?:meilleure?|bon|bonne) (?:choix|option|solution)",
    "es": r"por (?:lo )?tanto|por eso|por ello|así que|en consecuencia|por consiguiente|pues|"
    r"en (?:resumen|suma|definitiva)|la mejor (?:opción|elección|solución)",
    "it": r"quindi|dunque|perciò|pertanto|di conseguenza|in (?:breve|sintesi)|insomma|"
    r"la (?:scelta|soluzione) migliore",
    "pt": r"portanto|por isso|assim|logo|pois|por conseguinte|em (?:suma|resumo)|"
    r"a melhor (?:escolha|opção|solução)",
    "nl": r"dus|daarom|daardoor|derhalve|kortom|al met al|dat betekent|"
    r"de (?:beste|betere) (?:keu[sz]e?|optie|oplossing)",
    "zh": r"因此|所以|总之|可见|也就是说|换言之|意味着",
    "ja": r"したがって|従って|つまり|そのため|このため|よって|ゆえに|要するに|"
    r"(?:方|ほう)が(?:よい|良い|いい)",
}  # fmt: skip

_REFERRING_BACK = {
    "en": r"^(?:this|that|these|those|such)",
    "de": r"^(?:dies(?:e[rsn]?)?|das|solche[rsn]?)",
    "fr": r"^(?:cela|ceci|ce (?:\w+)|cette|ces|c['’]est)",
    "es": r"^(?:est[aeo]s?|es[aeo]s?|tal(?:es)?)",
    "it": r"^(?:quest[aeio]|tal[ei]|ciò)",
    "pt": r"^(?:ist?so|isto|est[ae]s?|ess[ae]s?|tal|tais)",
    "nl": r"^(?:dit|dat|deze|die|zulke?|zo['’]n)",
    "zh": r"^(?:这|此|该)",
    "ja": r"^(?:これ|この|その|それ)",
}  # fmt: skip

_PRONOUNS = {
    "en": r"^(?:it|its|they|their|both|he|she)",
    "de": r"^(?:er|sie|es|ihre?|beide)",
    "fr": r"^(?:ils?|elles?|son|sa|ses|leurs?)",
    "es": r"^(?:él|ellas?|ellos|sus?|amb[ao]s)",
    "it": r"^(?:ess[aieo]|suo|sua|loro|entramb[ei])",
    "pt": r"^(?:eles?|elas?|seus?|suas?|amb[ao]s)",
    "nl": r"^(?:hij|zij|ze|het|hun|beide)",
    "zh": r"^(?:它|他|她|其|两者)",
    "ja": r"^(?:それ|これ|両方)",
}

_OPENING_ON_IT = {
    "en": r"^(?:above|after|at|before|below|by|during|for|from|in|of|on|over|to|under|with) "
    r"(?:this|that|these|those|such)",
    "de": r"^(?:ab|an|auf|aus|bei|durch|für|gegen|in|mit|nach|ohne|über|unter|von|vor|zu) "
    r"(?:diese[rsnm]?|jene[rsnm]?|solche[rsnm]?)",
    "fr": r"^(?:à|après|avant|avec|dans|de|en|pour|sans|sous|sur) (?:cet(?:te)?|ces?|tel(?:le)?s?)",
    "es": r"^(?:a|ante|bajo|con|de|desde|en|para|por|sin|sobre|tras) (?:est[aeo]s?|es[aeo]s?)",
    "it": r"^(?:a|con|da|di|dopo|in|per|senza|sopra|sotto|su) quest[aeio]",
    "pt": r"^(?:(?:com|para|por|sem|sob|sobre) |d|n)(?:est|ess)[ae]s?",
    "nl": r"^(?:bij|boven|door|in|met|na|onder|op|over|tegen|van|voor|zonder) (?:dit|dat|deze|die)",
}
"""How a sentence begins that goes on from what the one before it named: "below this level"."""


_POINTING_BACK = {
    "en": r"such|the (?:other|latter|former|rest)|both|instead|likewise|however",
    "de": r"solche[rsnm]?|letztere[rsnm]?|erstere[rsnm]?|beide[rsn]?|stattdessen|dagegen|jedoch",
    "fr": r"tel(?:le)?s?|ce(?:lui|lle|ux)-(?:ci|là)|tous deux|toutes deux|en revanche|cependant",
    "es": r"tal(?:es)?|est[ea] últim[oa]|amb[oa]s|en cambio|sin embargo",
    "it": r"tal[ei]|quest[oa] ultim[oa]|entramb[ie]|invece|tuttavia",
    "pt": r"tal|tais|est[ea] últim[oa]|amb[oa]s|porém|contudo",
    "nl": r"zulke?|laatstgenoemde|beide|daarentegen|echter",
}


_NAMED_BEFORE = {
    "en": r"(?:that|this|these|those|such) (\w+)",
    "de": r"(?:diese[rsnm]?|jene[rsnm]?|solche[rsnm]?) (\w+)",
    "fr": r"(?:cet(?:te)?|ces?|telles?|tels?) (\w+)",
    "es": r"(?:est[ae]s?|es[ae]s?|tal(?:es)?) (\w+)",
    "it": r"(?:quest[aeio]|quel(?:la|le|li|lo)?|tal[ei]) (\w+)",
    "pt": r"(?:est[ae]s?|ess[ae]s?|tal|tais) (\w+)",
    "nl": r"(?:dit|dat|deze|die|zulke?) (\w+)",
}
"""A word that stands for what was named by it before: "that stop"."""


@cache
def _compile(words: str, *, spaced: bool) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b" if spaced else words, re.IGNORECASE)


def _has_form(forms: dict[str, str], sentence: str, language: str) -> bool:
    words = forms.get(language)
    return bool(words and _compile(words, spaced=language not in ("zh", "ja")).search(sentence))


def gives_view(sentence: str, language: str) -> bool:
    """Whether a sentence says what to do, or what is better or enough; False in other languages."""
    return _has_form(_ADVISING, sentence, language)


def infers(sentence: str, language: str) -> bool:
    """Whether a sentence says that it follows from others: therefore, so, in short."""
    return _has_form(_INFERRING, sentence, language)


def refers_back(sentence: str, language: str) -> bool:
    """Whether a sentence begins with what the one before it spoke of: this, that, such a run."""
    return _has_form(_REFERRING_BACK, sentence, language)


def opens_leaning(sentence: str, language: str) -> bool:
    """Whether a sentence opens with what stands for words of another: it, they, at this rate."""
    forms = (_REFERRING_BACK, _PRONOUNS, _OPENING_ON_IT)
    return any(_has_form(form, sentence, language) for form in forms)


def list_named_before(sentence: str, language: str) -> list[str]:
    """The words of a sentence that stand for what one before it named: that stop, these two."""
    words = _NAMED_BEFORE.get(language)
    return _compile(words, spaced=True).findall(sentence) if words else []


def leans_back(sentence: str, language: str) -> bool:
    """Whether a sentence cannot be read without the one before it: it, they, no such harm."""
    return opens_leaning(sentence, language) or _has_form(_POINTING_BACK, sentence, language)
