# `make run` and `make test` set up everything on a fresh machine; `make help` lists the rest.
# Variables: PYTHON (an interpreter, 3.11 or newer), PHOTO, RULE and ROUND (of run), EVAL (of eval), CAL (of calibrate), ARGS (passed on).

SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
LOCKED := $(PIP) install --quiet --require-hashes --no-deps -r

PYTHON ?=
PHOTO ?= datasets/samples/hand.jpg
RULE ?= jingzhou
ROUND ?= --laid "(知知知)(花九九九花九)" --win 花三 --stake 10
OUT ?= out
EVAL ?= out/eval-set
CAL ?= out/calibration-set
ARGS ?=

export PYTHONUTF8 := 1

.PHONY: help run test test-system test-all coverage lint format types bench eval eval-set train-finder \
	train-namer train-refiner train-verifier calibrate fonts decks lock clean serve app android-stage wheel

help: ## list what can be made
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r name what; do \
		printf '  make %-14s %s\n' "$$name" "$$what"; done

# The first interpreter that runs and is new enough; names of newer ones may be stand-ins that do not run.
$(VENV)/.created:
	@if [ -f $@ ] && $(PY) -c '' 2>/dev/null; then touch $@; exit 0; fi; \
	found=; \
	for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
		[ -z "$(PYTHON)" ] || break; \
	done; \
	if [ -z "$$found" ]; then \
		echo "suanhu needs Python 3.11 or newer; found: $$($(or $(PYTHON),python3) --version 2>&1 || echo none)" >&2; exit 1; fi; \
	rm -rf $(VENV); \
	if ! message=$$("$$found" -m venv $(VENV) 2>&1); then \
		rm -rf $(VENV); \
		echo "$$found cannot make a virtual environment (on Debian: apt-get install python3-venv)" >&2; exit 1; fi; \
	touch $@

$(VENV)/.product: $(VENV)/.created requirements/product.txt
	@echo "installing what suanhu needs ..."
	@$(LOCKED) requirements/product.txt
	@touch $@

$(VENV)/.test: $(VENV)/.product requirements/test.txt
	@echo "installing what the tests need ..."
	@$(LOCKED) requirements/test.txt
	@touch $@

$(VENV)/.app: $(VENV)/.test requirements/app.txt
	@echo "installing what the phone app needs ..."
	@$(LOCKED) requirements/app.txt
	@touch $@

$(VENV)/.train: $(VENV)/.test requirements/train.txt
	@echo "installing what training needs ..."
	@$(PIP) install --quiet -r requirements/train.txt
	@touch $@

run: $(VENV)/.product ## read the sample photo: the report, and the overlay picture in out/
	@mkdir -p $(OUT)
	@$(PY) -m suanhu photo $(PHOTO) --rule $(RULE) $(ROUND) --overlay $(OUT)/overlay.png $(ARGS) || [ $$? -eq 3 ]
	@echo "overlay: $(OUT)/overlay.png"

test: $(VENV)/.test ## all tests that need nothing but Python
	@$(PY) -m pytest -m "not slow and not system" $(ARGS)

test-system: $(VENV)/.app ## tests that need packages of the system: a browser, PostgreSQL, a JVM, a window
	@$(PY) -m pytest -m "system and not slow" $(ARGS)

test-all: $(VENV)/.app ## every test, the long ones too
	@$(PY) -m pytest $(ARGS)

coverage: $(VENV)/.test ## the scorer's tests, every line and branch of it covered
	@$(PY) -m pytest -q tests/scorer scorer --ignore=tests/scorer/test_against_reference.py \
		--cov=scorer --cov-branch --cov-fail-under=100 $(ARGS)

lint: $(VENV)/.test ## ruff
	@$(PY) -m ruff check .

format: $(VENV)/.test ## what ruff can mend by itself
	@$(PY) -m ruff check --fix .

types: $(VENV)/.test ## mypy --strict
	@$(PY) -m mypy

bench: $(VENV)/.test ## how fast it counts, beside the mahjong package
	@$(PY) -m benchmarks.scorer $(ARGS)

eval: $(VENV)/.test ## measure the reading on a folder of labelled photos: make eval EVAL=folder
	@$(PY) -m vision.training.evaluate $(EVAL) $(ARGS)

eval-set: $(VENV)/.test ## generate the photos that are measured with
	@$(PY) -m vision.training.evalset $(EVAL) $(ARGS)

train-finder: $(VENV)/.train ## train the finder; ARGS=resume goes on, ARGS=export writes it to models/
	@$(PY) -m vision.training.finder $(ARGS)

train-namer: $(VENV)/.train ## train the namer; ARGS=resume goes on, ARGS=export writes it to models/
	@$(PY) -m vision.training.namer $(ARGS)

train-refiner: $(VENV)/.train ## train the refiner on what the finder gets wrong; ARGS=resume, ARGS=export likewise
	@$(PY) -m vision.training.refiner $(ARGS)

train-verifier: $(VENV)/.train ## train the verifier after the namer; ARGS=resume, ARGS=export likewise
	@$(PY) -m vision.training.verifier $(ARGS)

calibrate: $(VENV)/.test ## fit the confidence on a folder that eval-set made of decks of their own: CAL=folder
	@$(PY) -m vision.training.calibrate $(CAL) $(ARGS)

fonts: $(VENV)/.test ## the free fonts that decks are drawn with, from Debian and npm packages
	@$(PY) -m vision.training.fonts $(ARGS)

decks: $(VENV)/.test ## draw the decks that ship and learn them anew (after the namer changed)
	@$(PY) -m vision.training.ship $(ARGS)

serve: $(VENV)/.product ## the service and its page
	@$(PY) -m suanhu serve $(ARGS)

app: $(VENV)/.app ## the phone app, in a window
	@$(PY) -m suanhu app $(ARGS)

android-stage: $(VENV)/.created ## lay out in build/android what the phone app carries
	@$(PY) -m mobile_app.packaging.stage $(ARGS)

wheel: $(VENV)/.test ## a wheel in dist/
	@$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

lock: ## write the locks in requirements/ anew (needs uv)
	@for name in product test app; do \
		uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
			--no-emit-index-url --no-header --no-annotate requirements/$$name.in -o requirements/$$name.txt; done

clean: ## remove the environment and everything made
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
