"""Local models small enough to be made in a test: ONNX graphs, and the files beside them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = ("wind", "turns", "blades", "bread", "needs", "flour", "query", "passage", ":", "not")
VOCABULARY = (*SPECIAL, *WORDS)
DIMENSIONS = 4

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def lay_out(
    folder: Path,
    graph: onnx.ModelProto,
    files: Mapping[str, Any] | None = None,
    graph_file: str = "model.onnx",
) -> Path:
    """Write a model into a folder: its graph, its tokenizer, and JSON files by name."""
    folder.mkdir(parents=True, exist_ok=True)
    make_tokenizer().save(str(folder / "tokenizer.json"))
    for name, content in (files or {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / graph_file).parent.mkdir(exist_ok=True)
    onnx.save(graph, folder / graph_file)
    return folder


def make_tokenizer() -> Tokenizer:
    """One token a word of the vocabulary."""
    made = Tokenizer(WordLevel({word: i for i, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def token_vector(word: str) -> np.ndarray:
    """What `embedder_graph` makes of a word before it looks at the others."""
    return _table()[VOCABULARY.index(word)]


def hidden_states(words: Sequence[str]) -> np.ndarray:
    """What `embedder_graph` gives for a text of these tokens, by another way: (tokens, numbers)."""
    own = np.stack([token_vector(word) for word in words])
    return own + own.mean(axis=0)


def _table() -> np.ndarray:
    return np.random.default_rng(7).normal(size=(len(VOCABULARY), DIMENSIONS)).astype(np.float32)


def embedder_graph(
    inputs: Sequence[str] = INPUTS[:2],
    output: str = "last_hidden_state",
    *,
    whole: bool = False,
    coarse: bool = False,
) -> onnx.ModelProto:
    """Each token's vector plus the mean of the text's: what a token gives depends on the others.

    Args:
        inputs: what the graph takes.
        output: what its output is called.
        whole: give the mean alone, one vector a text.
        coarse: bring all numbers of a batch to 8 bits of one scale.
    """
    rounding = [
        helper.make_node("DynamicQuantizeLinear", ["own"], ["small", "scale", "zero"]),
        helper.make_node("DequantizeLinear", ["small", "scale", "zero"], ["each"]),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["own" if coarse else "each"]),
        *(rounding if coarse else []),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["weight"]),
        helper.make_node("Mul", ["each", "weight"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "middle"], ["sum"], keepdims=1),
        helper.make_node("ReduceSum", ["weight", "middle"], ["count"], keepdims=1),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("Squeeze", ["mean", "middle"], [output])
        if whole
        else helper.make_node("Add", ["each", "mean"], [output]),
    ]
    shape = ["batch", DIMENSIONS] if whole else ["batch", "length", DIMENSIONS]
    return _model(nodes, inputs, output, shape, {"table": _table()})


def head_graph(
    worth: Mapping[str, Sequence[float]], inputs: Sequence[str] = INPUTS, *, flat: bool = False
) -> onnx.ModelProto:
    """Logits of a pair: what the words of its second text are worth; of all where none is told.

    Args:
        worth: a logit each label, by word; any other word counts nothing.
        inputs: what the graph takes; without token_type_ids both texts count.
        flat: give a number a pair, in place of a row of one.
    """
    labels = len(next(iter(worth.values())))
    table = np.zeros((len(VOCABULARY), labels), np.float32)
    for word, logits in worth.items():
        table[VOCABULARY.index(word)] = logits
    counted = "token_type_ids" if "token_type_ids" in inputs else "attention_mask"
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("Mul", ["attention_mask", counted], ["which"]),
        helper.make_node("Cast", ["which"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["weight"]),
        helper.make_node("Mul", ["each", "weight"], ["shares"]),
        helper.make_node(
            "ReduceSum", ["shares", "middle"], ["rows" if flat else "logits"], keepdims=0
        ),
    ]
    if flat:
        nodes.append(helper.make_node("Squeeze", ["rows", "middle"], ["logits"]))
    shape = ["batch"] if flat else ["batch", labels]
    return _model(nodes, inputs, "logits", shape, {"table": table})


def _model(
    nodes: list[onnx.NodeProto],
    inputs: Sequence[str],
    output: str,
    shape: list[Any],
    constants: dict[str, np.ndarray],
) -> onnx.ModelProto:
    constants |= {"middle": np.array([1], np.int64), "last": np.array([2], np.int64)}
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    return made
