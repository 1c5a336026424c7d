# `make demo` and `make test` need Python 3.11 or newer with venv, make and git; they set up the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint types kernels unit format clean

# Its run is made anew each time; the recording that it predicts is one of the test split's.
demo: $(READY)
	rm -rf runs/demo
	$(BIN)/eventssm train digits --out runs/demo
	$(BIN)/eventssm evaluate runs/demo
	$(BIN)/python examples/one_digit.py runs/demo/digit.npz
	$(BIN)/eventssm predict runs/demo runs/demo/digit.npz
	$(BIN)/eventssm report runs/demo
	@echo
	@echo "Trained on spoken digits, event by event, and tested on people who were never heard: runs/demo."
	@echo "Look at runs/demo/report.html; your own voice: eventssm hear SPEECH.wav speech.h5, eventssm predict runs/demo speech.h5 --every 5."
	@echo "Try next: eventssm train digits --model.discretization dirac, or eventssm train --help."

test: $(READY)
	@$(MAKE) --no-print-directory -j 2 lint types kernels
	@$(MAKE) --no-print-directory unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# Compiled once, before two processes of tests would each do it.
kernels: $(READY)
	$(BIN)/python -c "from eventssm.kernels import handler; handler()"

unit: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# An environment without the stamp, or with one older than pyproject.toml, is made anew.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "make: expected Python 3.11 or newer, got: $$($(PYTHON) --version 2>&1 || echo none);" \
			"install it, or name one with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
