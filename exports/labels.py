"""Headings and notes that Quire sets itself, by language of the report."""

from typing import NamedTuple


class Labels(NamedTuple):
    """The words around a report."""

    references: str
    further: str
    about: str
    accessed: str
    excerpt: str
    dead: str
    degraded: str
    counted: str
    extractive: str


_EN = Labels(
    references="References",
    further="Further questions",
    about="About this report",
    accessed="accessed",
    excerpt="search excerpt, page not read",
    dead="link did not answer on {day}",
    degraded="What made it less than it could be:",
    counted="{sentences} sentences, {cited} of them cited; {citations} citations of "
    "{used} sources, out of {found} found. {dropped} citations of unknown sources were dropped.",
    extractive="No language model was used: every sentence is taken from the source it cites.",
)
_ALL = {
    "en": _EN,
    "de": Labels(
        "Quellen",
        "Weiterführende Fragen",
        "Über diesen Bericht",
        "abgerufen",
        "Suchauszug, Seite nicht gelesen",
        "Link antwortete am {day} nicht",
        "Was ihn schmälert:",
        "{sentences} Sätze, davon {cited} belegt; {citations} Belege aus {used} von {found} "
        "gefundenen Quellen. {dropped} Verweise auf unbekannte Quellen wurden entfernt.",
        "Ohne Sprachmodell erstellt: Jeder Satz ist der Quelle entnommen, die er nennt.",
    ),
    "fr": Labels(
        "Références",
        "Autres questions",
        "À propos de ce rapport",
        "consulté le",
        "extrait de recherche, page non lue",
        "lien sans réponse le {day}",
        "Ce qui le limite :",
        "{sentences} phrases, dont {cited} sourcées ; {citations} citations de {used} sources "
        "sur {found} trouvées. {dropped} renvois à des sources inconnues ont été retirés.",
        "Sans modèle de langue : chaque phrase est tirée de la source qu'elle cite.",
    ),
    "es": Labels(
        "Referencias",
        "Otras preguntas",
        "Sobre este informe",
        "consultado el",
        "extracto de búsqueda, página no leída",
        "el enlace no respondió el {day}",
        "Lo que lo limita:",
        "{sentences} frases, {cited} de ellas con cita; {citations} citas de {used} fuentes, de "
        "{found} encontradas. Se eliminaron {dropped} citas de fuentes desconocidas.",
        "Sin modelo de lenguaje: cada frase procede de la fuente que cita.",
    ),
    "zh": Labels(
        "参考文献",
        "延伸问题",
        "关于本报告",
        "访问日期",
        "搜索摘要，未读原页",
        "{day} 链接无响应",
        "以下情况影响了本报告：",
        "共 {sentences} 句，其中 {cited} 句有引文；引用 {citations} 处，来自 {found} 个来源中的 "
        "{used} 个。删除了 {dropped} 处指向未知来源的引文。",
        "未使用语言模型：每句话都摘自所引来源。",
    ),
}


def labels(language: str) -> Labels:
    """The labels in a language, or in English."""
    return _ALL.get(language, _EN)
