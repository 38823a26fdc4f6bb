"""The local models that Quire knows by name: where they are, and how each wants to be asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Kind = Literal["embedder", "reranker", "checker"]
Pooling = Literal["mean", "cls", "last"]


@dataclass(frozen=True)
class Traits:
    """How a model is asked, and what its answer is made of.

    Args:
        pooling: which token's vector stands for a text; `mean` of all.
        query_prefix: stands before each query.
        passage_prefix: stands before each text that is searched.
        normalise: whether vectors are brought to length 1.
        max_tokens: of a text or a pair; the rest of a longer one is not read.
        template: the one text that a checker reads, with `{passage}` and `{sentence}` in it; a
            pair of texts where it is "".
        languages: two-letter codes of those it was trained on; any where there are none.
    """

    pooling: Pooling = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    normalise: bool = True
    max_tokens: int = 512
    template: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class LocalModel:
    """A model of the table.

    Args:
        name: as settings give it, behind `onnx:`.
        repository: on the model hub.
        file: the ONNX graph in it; "" where it publishes none, and one has to be exported.
        megabytes: of what is fetched, approximately.
        revision: the commit that is fetched; the newest, once, where it is "".
        hashes: SHA-256 by file, of those that are known.
    """

    name: str
    kind: Kind
    repository: str
    file: str
    traits: Traits
    licence: str
    megabytes: int
    revision: str = ""
    hashes: Mapping[str, str] = field(default_factory=dict, hash=False)


MODELS = (
    LocalModel(
        name="granite-embedding-97m-multilingual-r2",
        kind="embedder",
        repository="ibm-granite/granite-embedding-97m-multilingual-r2",
        file="onnx/model_quint8_avx2.onnx",
        traits=Traits(pooling="cls", max_tokens=1024),
        licence="Apache-2.0",
        megabytes=115,
    ),
    LocalModel(
        name="mdbr-leaf-ir",
        kind="embedder",
        repository="MongoDB/mdbr-leaf-ir",
        file="onnx/model.onnx",
        traits=Traits(
            query_prefix="Represent this sentence for searching relevant passages: ",
            languages=("en",),
        ),
        licence="Apache-2.0",
        megabytes=95,
    ),
    LocalModel(
        name="ettin-reranker-32m",
        kind="reranker",
        repository="cross-encoder/ettin-reranker-32m-v1",
        file="onnx/model.onnx",
        traits=Traits(max_tokens=1024, languages=("en",)),
        licence="Apache-2.0",
        megabytes=135,
    ),
    LocalModel(
        name="nli-deberta-v3-small",
        kind="checker",
        repository="Xenova/nli-deberta-v3-small",
        file="onnx/model.onnx",
        traits=Traits(languages=("en",)),
        licence="Apache-2.0",
        megabytes=575,
    ),
    LocalModel(
        name="mdeberta-v3-base-xnli",
        kind="checker",
        repository="Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
        file="onnx/model.onnx",
        traits=Traits(),
        licence="MIT",
        megabytes=1130,
    ),
    LocalModel(
        name="factcg-deberta-v3-large",
        kind="checker",
        repository="yaxili96/FactCG-DeBERTa-v3-Large",
        file="",
        traits=Traits(
            max_tokens=1024,
            template="{passage}\n\nChoose your answer: based on the paragraph above can we "
            'conclude that "{sentence}"?\n\nOPTIONS:\n- Yes\n- No\nI think the answer is ',
            languages=("en",),
        ),
        licence="MIT",
        megabytes=1740,
    ),
)
"""Checkers on DeBERTa are fetched in full precision: in 8 bits they no longer tell contradiction
from support."""

DEFAULTS: Mapping[Kind, str] = MappingProxyType(
    {
        "embedder": "onnx:granite-embedding-97m-multilingual-r2",
        "reranker": "onnx:ettin-reranker-32m",
        "checker": "onnx:nli-deberta-v3-small",
    }
)
"""The model that is named to who has none, by kind."""

BY_NAME: Mapping[str, LocalModel] = MappingProxyType({one.name: one for one in MODELS})
BY_REPOSITORY: Mapping[str, LocalModel] = MappingProxyType({one.repository: one for one in MODELS})
