# Every target sets up what it needs. Data stays in .quire, so deleting the clone removes all.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed

export QUIRE_DATA_DIR ?= $(CURDIR)/.quire
export LANGGRAPH_CLI_NO_ANALYTICS ?= 1
export LANGGRAPH_STRICT_MSGPACK ?= true
unexport PYTHONDONTWRITEBYTECODE  # compiling all that a command imports takes it two seconds

QUESTION ?= How do BM25, dense vectors and reranking work together in a search engine?

.PHONY: help install report report-local test test-all test-weekly lint format dev benchmark picture lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

# --no-deps: the list is complete, and pip would stumble over a newer release of what stands in it
# under an extra.
$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

install: $(READY)  ## make .venv with every pinned package

report: $(READY)  ## write a cited report from the sample sources
	$(BIN)/quire report "$(QUESTION)" --files samples --mode deep --space examples --out report.md --json report.json

report-local: export QUIRE_EMBEDDING_MODEL ?= onnx:granite-embedding-97m-multilingual-r2
report-local: export QUIRE_RERANK_MODEL ?= onnx:ettin-reranker-32m
report-local: $(READY)  ## the same with small models on this machine; they are fetched once, 250 MB
	$(BIN)/quire report "$(QUESTION)" --files samples --mode deep --space local --out report.md --json report.json

test: $(READY)  ## run the quick tests
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not weekly"

test-all: $(READY)  ## run the slow ones too: each behaviour once
	$(BIN)/python -m pytest -q -n 3 --dist worksteal -m "not weekly"

test-weekly: $(READY)  ## run all tests: at scale, in each combination, with more examples
	$(BIN)/python -m pytest -q -n 3 --dist worksteal --hypothesis-profile thorough

lint: $(READY)  ## check style, imports and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy

format: $(READY)  ## format the code, draw the graphs of the docs
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .
	$(BIN)/python docs/draw_graphs.py

dev: $(READY)  ## start the LangGraph server with the sample sources in its library
	$(BIN)/quire ingest samples
	$(BIN)/langgraph dev --n-jobs-per-worker 10

benchmark: $(READY)  ## wall time of a run against its critical path
	$(BIN)/python benchmarks/pipeline.py

picture: $(READY)  ## draw the pictures of the README anew, in a headless Chromium
	PYTHONPATH=tests/exports $(BIN)/python docs/images/draw_report.py
	PYTHONPATH=tests:tests/exports $(BIN)/python docs/images/draw_page.py

lock:  ## pin every package again, with hashes
	uv pip compile -q pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make lock" -o requirements.txt
	uv pip compile -q pyproject.toml --extra serve --extra telemetry --universal --python-version 3.11 \
		--constraint requirements.txt --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" -o deploy/requirements.txt

clean:  ## remove what the targets made
	rm -rf $(VENV) .quire .langgraph_api report.md report.json
