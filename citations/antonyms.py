"""Words that negate, and words that say the opposite of each other, by language."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain

from text.tokens import tokenise

_NEGATIONS = {
    "de": "nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts niemand "
    "kaum fehlt fehlen",
    "en": "not no never without neither nor cannot none nobody nothing hardly barely lack lacks "
    "lacking lacked fail fails failed failing refuse refuses refused refusing absence absent "
    "unable isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't "
    "won't wouldn't shouldn't",
    "es": "no nunca jamás sin ni ningún ninguna ninguno nada nadie tampoco",
    "fr": "ne pas jamais sans aucun aucune ni non rien",
    "it": "non mai senza né nessun nessuno nessuna nulla",
    "ja": "ない なか ませ",
    "nl": "niet geen nooit zonder noch niets niemand",
    "pt": "não nunca jamais sem nem nenhum nenhuma nada ninguém",
    "ru": "не нет без ни никогда",
}
_NEGATING_CHARACTERS = {"zh": "不没沒无無未非", "ja": "不無未非"}
"""Signs that begin a term that negates, where words are not parted."""

_NON_NEGATIONS = {
    "不仅",
    "不但",
    "不只",
    "不同",
    "不断",
    "不过",
    "无论",
    "非常",
    "未来",
    "無料",
    "無論",
}
_CANCELLING_TERMS = {
    "de": {"nur", "zuletzt"}, "en": {"onli", "least", "doubt"}, "es": {"sol", "obstant"},
    "fr": {"seul", "dout"}, "it": {"sol"}, "nl": {"alleen"}, "pt": {"só"},
}  # fmt: skip
"""Terms that make a negation before them negate nothing."""

_BOUNDS = {
    "en": ("less more fewer later earlier sooner longer", "than"),
    "de": ("weniger mehr später früher länger", "als"), "fr": ("moins plus", "de que"),
    "es": ("menos más", "de que"), "it": ("meno più", "di"), "pt": ("menos mais", "de do"),
    "nl": ("minder meer later eerder langer", "dan"),
}  # fmt: skip
"""Words between a negation and a word of comparison with which it says "at least" or "at most"."""

_EXCEPTING = {"noth", "none", "nobodi"}
"""Terms that "but" behind them makes mean "only"."""

_ELLIPTIC_VERBS, _RELATIVE = {"is", "are", "was", "were"}, {"which", "who", "whose"}

_UP_AND_DOWN = {
    "de": "steigen steigt stieg gestiegen erhöhen erhöht erhöhte zunehmen zunimmt wachsen "
    "wächst wuchs mehr höher höhere größer größere länger verbessern verbessert besser "
    "fördern fördert gewinnen | sinken sinkt sank gesunken senken senkt verringern verringert "
    "reduzieren reduziert abnehmen abnimmt fallen fällt fiel weniger geringer geringere niedriger "
    "kleiner kürzer verschlechtern schlechter hemmen hemmt verlieren",
    "en": "increase increased rise rose raise elevate elevation high higher highest more greater "
    "enhance enhanced enhancement promote promotion improve improvement upregulate upregulation "
    "gain grow grew growth activate activation induce induction stimulate accelerate strengthen "
    "facilitate longer better larger faster stronger positive positively above exceed | decrease "
    "decreased reduce reduction fall fell decline drop low lower lowest less fewer inhibit "
    "inhibition inhibitor suppress suppression impair impairment downregulate downregulation loss "
    "lose lost attenuate prevent prevention protect diminish weaken shorter worse smaller "
    "slower weaker negative negatively below deplete depletion abolish",
    "es": "aumentar aumenta aumentó aumento subir sube subió crecer crece creció más mayor mejor "
    "mejorar elevar superior | disminuir disminuye disminuyó reducir reduce redujo bajar baja bajó "
    "caer cae cayó menos menor peor empeorar inferior descenso",
    "fr": "augmenter augmente augmenté augmentation hausse monter croître croissance plus "
    "supérieur supérieure meilleur améliorer élevé | diminuer diminue diminué diminution réduire "
    "réduit réduction baisse baisser chuter moins inférieur inférieure pire aggraver faible",
    "ja": "増加 上昇 増大 向上 拡大 高い 多い | 減少 低下 下落 縮小 低い 少な",
    "zh": "增加 上升 提高 增长 升高 上涨 扩大 高于 多于 大于 促进 | 减少 下降 降低 下跌 减小 缩小 "
    "低于 少于 小于 抑制",
}
"""Words of going or being up, a bar, words of down."""

_ANTONYM_PAIRS = {
    "de": "vor nach|annehmen ablehnen|angenommen abgelehnt|gewinnen verlieren|gewann verlor|"
    "öffnen schließen|erlauben verbieten|erlaubt verboten|kaufen verkaufen|früher später",
    "en": "before after|accept reject|win lose|won lost|open close|allow ban|permit forbid|"
    "permit prohibit|buy sell|import export|include exclude|early late|earlier later|"
    "sensitive resistant|agonist antagonist|success failure|succeed fail|necessary dispensable|"
    "required dispensable|true false|same different|minimum maximum|"
    "independent dependent|insufficient sufficient|inactive active|ineffective effective|"
    "inactivate activate|approve deny|confirm deny|support oppose|majority minority|"
    "first last|north south|east west|most least|strong weak|rich poor|safe dangerous|"
    "start stop|begin end|enter leave|arrive depart|legal illegal|possible impossible|"
    "acquire sell|hire fire|profit loss|victory defeat|present absent|common rare",
    "es": "antes después|aceptar rechazar|aceptó rechazó|ganar perder|ganó perdió|abrir cerrar|"
    "permitir prohibir|comprar vender",
    "fr": "avant après|accepter rejeter|accepté rejeté|gagner perdre|gagné perdu|ouvrir fermer|"
    "permettre interdire|acheter vendre",
    "zh": "之前 之后|接受 拒绝|允许 禁止|胜利 失败|赢得 输掉|进口 出口|买入 卖出|支持 反对|"
    "最高 最低|最大 最小|有效 无效",
}
"""Two words each, one against the other."""


def find_negations(terms_of_sentence: Sequence[str], language: str) -> list[int]:
    """Places of the terms that negate; none in a language that is not known here.

    Args:
        terms_of_sentence: see `text.tokens.tokenise`; "not only", "no. 5", "no less than 5",
            "failed jobs" and "nothing but" negate nothing ("fails to start" and "has not failed"
            do), nor does "nor is A, which ..." where what is denied stands before.
        language: theirs.
    """
    known, characters = _load_negations(language), _NEGATING_CHARACTERS.get(language, "")
    if not characters and known.isdisjoint(terms_of_sentence):
        return []
    harmless = _CANCELLING_TERMS.get(language, set())
    preceding, following = chain([""], terms_of_sentence), chain(terms_of_sentence[1:], [""])
    neighbours = zip(preceding, terms_of_sentence, following, strict=False)
    return [
        position
        for position, (before, term, after) in enumerate(neighbours)
        if (term in known and after not in harmless and not (term == "no" and after.isdecimal()))
        or (term[0] in characters and term not in _NON_NEGATIONS)
        if not (position == 0 and _is_elliptic(terms_of_sentence))
        and not _is_bound(terms_of_sentence[position + 1 : position + 3], language)
        and not (term == "fail" and after != "to" and before not in known)
        and not (term in _EXCEPTING and after == "but")
    ]


def _is_elliptic(terms: Sequence[str]) -> bool:
    """Whether a sentence says "nor is A, which does B": that A does B is not denied."""
    first, second = (*terms[:2], "", "")[:2]
    return first == "nor" and second in _ELLIPTIC_VERBS and not _RELATIVE.isdisjoint(terms)


def _is_bound(behind: Sequence[str], language: str) -> bool:
    """Whether the two terms behind a negation make it "no less than"."""
    compared, than = _load_bounds(language)
    return len(behind) == 2 and behind[0] in compared and behind[1] in than


@cache
def _load_bounds(language: str) -> tuple[frozenset[str], frozenset[str]]:
    compared, than = _BOUNDS.get(language, ("", ""))
    return frozenset(tokenise(compared, language)), frozenset(tokenise(than, language))


@cache
def _load_negations(language: str) -> frozenset[str]:
    return frozenset(tokenise(_NEGATIONS.get(language, ""), language))


@cache
def load_antonyms(language: str) -> dict[str, dict[str, int]]:
    """Terms that have an opposite: for each its oppositions, and its side in them, 1 or -1."""
    pairs = _ANTONYM_PAIRS.get(language, "").split("|")
    oppositions = [_UP_AND_DOWN.get(language, "").partition(" | ")]
    oppositions += [pair.partition(" ") for pair in pairs]
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for one, _, other in oppositions:
        for words, side in ((one, 1), (other, -1)):
            for term in tokenise(words, language):
                found[term].setdefault(one, side)
    return dict(found)
