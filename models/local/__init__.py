"""Small models that run on this machine, with onnxruntime: embedders, rerankers and checkers."""
