# Two commands are enough: `make audit` and `make test`.  Both prepare .venv by themselves and repeat nothing needlessly.

PYTHON ?= python3
DEPLOYMENT ?=
RECORDS ?= 100000

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
.NOTPARALLEL:
.PHONY: help audit test prove experiments deep real bench docs clean chromium coq node pango pango-libraries

VENV := .venv
BIN := $(VENV)/bin
REAL := accounting diffprivlib opendp python-dp tmlt
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet --no-input

help:
	@echo 'make audit [DEPLOYMENT=FILE]   audit a deployment, by default the embedded one; results in build/audit'
	@echo 'make test                      style, types, import layers and every test'
	@echo 'make prove [DEPLOYMENT=FILE]   theorems about the kernel and a deployment, checked by Coq from scratch'
	@echo 'make experiments               the paper'"'"'s evaluation on invented records, and on real ones beside; in build/experiments'
	@echo 'make deep                      harmful edits of the kernel, each refused by a proof; 1,710 noise scales; minutes'
	@echo 'make real                      audits of other libraries, each in an environment of its own; minutes'
	@echo 'make bench [RECORDS=N]         every measurement that the documentation cites, corpora of up to N records (100,000); minutes'
	@echo 'make docs                      the documentation as a site, in build/docs'
	@echo 'make clean                     remove what the other commands wrote; the environment in $(VENV) stays'

audit: $(VENV)/.installed
	@$(BIN)/dpspin audit $(if $(DEPLOYMENT),'$(DEPLOYMENT)') --out build/audit

test: $(VENV)/.installed-test chromium coq node pango
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest -n 2 --dist worksteal

prove: $(VENV)/.installed coq
	@$(BIN)/dpspin prove $(if $(DEPLOYMENT),--deployment '$(DEPLOYMENT)') --certificate build/proofs.json

# Real complaints are used where they are; what is printed is for the curator alone.  A finished run is not done again.
COMPLAINTS := $(wildcard $(or $(DPSPIN_DATA),../shared/data)/cfpb_multi.jsonl.gz)
experiments: $(VENV)/.installed
	@$(BIN)/dpspin experiment run embedded --out build/experiments/embedded
	@$(if $(COMPLAINTS),$(BIN)/dpspin experiment run cfpb --data '$(dir $(COMPLAINTS))' --out build/experiments/cfpb)
	@$(BIN)/dpspin experiment results build/experiments/embedded $(if $(COMPLAINTS),build/experiments/cfpb) --out build/experiments
	@$(BIN)/dpspin experiment judge --out build/experiments/judge

deep: $(VENV)/.installed-test coq
	@$(BIN)/dpspin prove --coqchk
	@DPSPIN_DEEP=1 $(BIN)/python -m pytest -n 2 tests/proofs/test_mutants.py tests/reference/accounting/test_grid.py tests/reference/accounting/test_profile.py tests/audits/zoo/test_record.py tests/audits/zoo/test_false_alarms.py

# Where a library cannot be installed, its tests skip and say so.
real: $(VENV)/.installed-test $(REAL:%=build/real/%/.installed)
	@DPSPIN_REAL=1 $(BIN)/python -m pytest tests/real

bench: $(VENV)/.installed-bench
	@$(BIN)/python benchmarks/run.py $(RECORDS)
	@$(BIN)/python benchmarks/scale.py $(RECORDS)
	@$(BIN)/python benchmarks/power.py
	@$(BIN)/python benchmarks/audit.py --quick

docs: $(VENV)/.installed-docs
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs build/docs
	@echo 'build/docs/index.html'

clean:
	@rm -rf build docs/reference/api dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(VENV)/.created:
	@command -v $(PYTHON) >/dev/null || { echo 'dpspin needs Python 3.11 or newer, and $(PYTHON) was not found: install it, or name it as in `make test PYTHON=/path/to/python3.11`' >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "dpspin needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version): name another, as in \`make test PYTHON=python3.11\`" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.created
	@echo 'Installing dpspin into $(VENV)'
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/.created
	@echo 'Installing dpspin and what its tests need into $(VENV)'
	@$(PIP) --editable '.[test,docs]'
	@touch $(VENV)/.installed $(VENV)/.installed-docs $@

$(REAL:%=build/real/%/.installed): build/real/%/.installed: tests/real/requirements-%.txt | $(VENV)/.created
	@echo 'Installing $* and what it needs into $(@D)'
	@rm -rf $(@D)
	@$(PYTHON) -m venv $(@D)
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(@D)/bin/python -m pip install --quiet --no-input --requirement $< && touch $@ || \
	  echo 'Could not install $*: its audits will be skipped' >&2

$(VENV)/.installed-docs: pyproject.toml $(VENV)/.installed | $(VENV)/.created
	@echo 'Installing what makes the documentation into $(VENV)'
	@$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	@echo 'Installing what dpspin is measured against into $(VENV)'
	@$(PIP) opendp scikit-learn
	@touch $@

# $(call from_debian,COMMANDS,PACKAGES,PURPOSE): where none of the commands is there, install the packages if that may be
define from_debian
@command -v $(1) >/dev/null && exit 0; \
as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
if command -v apt-get >/dev/null && $$as_root true 2>/dev/null; then \
  echo 'Installing $(firstword $(2)) $(3)'; \
  $$as_root apt-get update -qq && \
  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2) >/dev/null && \
  exit 0; \
fi; \
echo 'No $(firstword $(2)): install it (on Debian: apt-get install $(firstword $(2))) $(3)' >&2
endef

# The browser tests skip, and say so, where no Chromium can be had; so do the proofs without Coq, and a sample without Node.
chromium:
	$(call from_debian,chromium chromium-browser google-chrome,chromium fonts-liberation,for the browser tests)

coq:
	$(call from_debian,coqc,coq ocaml-nox,for the proofs)

node:
	$(call from_debian,node,nodejs,for the sample subject)

# Libraries are no commands: the dynamic linker is asked for them.
pango:
	@ldconfig -p 2>/dev/null | grep -q libpangoft2-1.0 && ldconfig -p | grep -q libharfbuzz-subset || $(MAKE) pango-libraries

pango-libraries:
	$(call from_debian,dpspin-no-such-command,libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0,for reports as PDF)
