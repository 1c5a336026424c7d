# `make demo` and `make test` need Python 3.11 or newer with venv, make and git; they set up the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint types unit format clean

demo: $(READY)
	$(BIN)/eventssm info
	$(BIN)/python examples/one_recurrence.py

test: lint types unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

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
