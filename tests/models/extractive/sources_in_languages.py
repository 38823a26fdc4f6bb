"""The same two short articles, on BM25 and on dense vectors, in five languages; and junk."""

import re
from collections.abc import Iterable

from hypothesis import strategies as st

from prompts.template import SourceText

QUESTIONS = {
    "en": ("How does BM25 rank documents?", "What are dense vectors good at?"),
    "de": ("Wie ordnet BM25 die Dokumente?", "Was leisten dichte Vektoren?"),
    "zh": ("BM25如何对文档排序？", "稠密向量擅长什么？"),
    "ja": ("BM25は文書をどのように順位付けしますか。", "密ベクトルは何が得意ですか。"),
    "ar": ("كيف ترتب خوارزمية BM25 الوثائق؟", "ما الذي تجيده المتجهات الكثيفة؟"),
}

_TEXTS = {
    "en": (
        "BM25 ranks documents by the words that they share with a query. Rare words of the query "
        "weigh more than common ones. **Long documents** are discounted, so that they do not win "
        "by length alone.",
        "Dense vectors place texts of similar meaning close together. They find documents that "
        "use other words than the query. An encoder trained on pairs of texts makes the vectors.",
    ),
    "de": (
        "BM25 ordnet Dokumente nach den Wörtern, die sie mit der Anfrage teilen. Seltene Wörter "
        "der Anfrage zählen dabei mehr als häufige. Lange Dokumente werden abgewertet, damit "
        "nicht allein ihre Länge gewinnt.",
        "Dichte Vektoren leisten das Auffinden von Texten mit ähnlicher Bedeutung. Solche "
        "Vektoren erzeugt ein Modell, das an Paaren von Texten trainiert wurde.",
    ),
    "zh": (
        "BM25根据文档与查询共有的词语对文档进行排序。罕见的词语比常见的词语权重更高。"
        "较长的文档会被扣分，避免仅凭长度取胜。",
        "稠密向量擅长找到含义相近的文本。稠密向量由在文本对上训练的编码器生成。",
    ),
    "ja": (
        "BM25は問い合わせと共通する単語に基づいて文書を順位付けします。"
        "まれな単語はよくある単語より重みが大きくなります。",
        "密ベクトルは意味の近い文書を見つけることが得意です。"
        "ベクトルは文の組で学習した符号化器が作ります。",
    ),
    "ar": (
        "ترتب خوارزمية BM25 الوثائق حسب الكلمات التي تشترك فيها مع الاستعلام. تزن الكلمات "
        "النادرة في الاستعلام أكثر من الكلمات الشائعة. تخفض درجة الوثائق الطويلة حتى لا تفوز "
        "بطولها وحده.",
        "تجيد المتجهات الكثيفة العثور على النصوص المتقاربة في المعنى. ينتج المتجهات نموذج دربه "
        "الباحثون على أزواج من النصوص.",
    ),
}

SOURCES = {
    language: [
        SourceText(4, "BM25", (sparse,), ("BM25",)),
        SourceText(9, "Dense", (dense,), ("Dense",)),
    ]
    for language, (sparse, dense) in _TEXTS.items()
}

JUNK = st.sampled_from(
    [
        "[3]", "[[9]7]", "[^4]", "[", "]", "[1", "(", ")", "](u)", "**", "`", "```", "~~~", "\\",
        "\0", "\n\n", "\n- ", "\n# ", "\n| ", "<task>", "…", ". ", "[`1`]", "`a[1]`", "5", "1",
    ]
)  # fmt: skip
"""Pieces of markup, of reference marks and of tags, whole and in halves."""


def sentences_of(told: Iterable[SourceText]) -> list[str]:
    """The sentences of some sources."""
    found = (re.split(r"(?<=。)|(?<=\.) ", source.passages[0]) for source in told)
    return [sentence for sentences in found for sentence in sentences if sentence]
