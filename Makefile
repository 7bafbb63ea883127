# Two commands: `make demo` sets up and shows what bugloss does, `make test` sets up and tests it.
# Both need Python 3.11 or newer, git and a network; neither needs root. All they make lies in .venv,
# .bugloss and the user's cache folder.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
KILLS ?= 200

SECONDS ?= 600

.PHONY: demo test test-fast fuzz lint docs site verify bench clean kills

demo: $(VENV)/installed
	$(BIN)/bugloss demo -j $(JOBS)

test: $(VENV)/installed-dev
	$(BIN)/python scripts/test.py -j $(JOBS)

test-fast: $(VENV)/installed-dev
	$(BIN)/python -m pytest -q -m "not process and not stack and not bubblewrap and not slow"

kills: $(VENV)/installed-dev
	BUGLOSS_KILLS=$(KILLS) $(BIN)/python -m pytest -q tests/hostile/test_kills.py

fuzz: $(VENV)/installed-dev
	cd tests && ../$(BIN)/python -m hostile.fuzz --seconds $(SECONDS)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

docs: $(VENV)/installed-dev
	$(BIN)/python scripts/document.py

site: $(VENV)/installed-dev
	$(BIN)/mkdocs build --strict --quiet --site-dir build/site

verify: $(VENV)/installed
	$(BIN)/bugloss verify -j $(JOBS) --record

bench: $(VENV)/installed-dev
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) .bugloss .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "bugloss needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.11 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
