"""Weights for a reranker of flashrank's own form, small enough to be made in a test."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from flashrank.Config import model_file_map
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

MODEL = "ms-marco-TinyBERT-L-2-v2"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def lay_out(cache: Path, worth: Mapping[str, float]) -> None:
    """Write a model into flashrank's cache whose score is the worth of a passage's words.

    Args:
        cache: flashrank's cache directory.
        worth: what each word counts; any other counts nothing.
    """
    folder = cache / MODEL
    folder.mkdir(parents=True)
    _tokenizer([*_SPECIAL, *worth]).save(str(folder / "tokenizer.json"))
    files = {
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 64, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    onnx.save(
        _network([0.0] * len(_SPECIAL) + list(worth.values())), folder / model_file_map[MODEL]
    )


def _tokenizer(words: list[str]) -> Tokenizer:
    made = Tokenizer(WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    made.normalizer = BertNormalizer()
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def _network(worth: list[float]) -> onnx.ModelProto:
    """Sum up the worth of the tokens of the second text, where the mask is on."""
    names = ("input_ids", "attention_mask", "token_type_ids")
    table = np.array(worth, dtype=np.float32)
    nodes = [
        helper.make_node("Gather", ["worth", "input_ids"], ["each"]),
        helper.make_node("Mul", ["attention_mask", "token_type_ids"], ["counted"]),
        helper.make_node("Cast", ["counted"], ["weight"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["each", "weight"], ["shares"]),
        helper.make_node("ReduceSum", ["shares", "axis"], ["logits"], keepdims=1),
    ]
    graph = helper.make_graph(
        nodes,
        "worth",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"]) for n in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])],
        [
            onnx.numpy_helper.from_array(table, "worth"),
            onnx.numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    opset = helper.make_opsetid("", 17)
    made = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    onnx.checker.check_model(made)
    return made
