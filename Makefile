# Builds, tests and shows Headrace. Needs JDK 25, Maven 3.8+, Python 3.10+; everything else comes from pip and mvn.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BINDINGS := python-bindings
JARS := $(BINDINGS)/src/headrace/jars
JAR := $(JARS)/.copied
SHADED := ray-actors/target/headrace.jar
WHEEL_STAMP := $(BINDINGS)/dist/.built
INSTALL_STAMP := $(VENV)/.installed
TOOLS_STAMP := $(VENV)/.tools
JAVA_SOURCES := pom.xml $(wildcard */pom.xml) $(shell find shuffle-engine ray-actors tests/benchmarks/shuffle-bench -path '*/src/main/*' -type f 2>/dev/null)
PYTHON_SOURCES := $(BINDINGS)/pyproject.toml $(BINDINGS)/README.md LICENSE $(shell find $(BINDINGS)/src -type f \
	-not -name '*.pyc' -not -path '*/jars/*' 2>/dev/null)

# JAVA_HOME if it is a JDK 25, else the first one in the usual places, else the `javac` on the PATH.
export JAVA_HOME := $(shell .ci/find-jdk)
MAVEN := mvn --batch-mode --no-transfer-progress
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: $(INSTALL_STAMP) ## Shuffle TPC-H data on a local Ray with two small ranks, and prove the result
	@exec $(BIN)/headrace demo

.PHONY: test
test: tools $(INSTALL_STAMP) ## Run everything that needs no GPU: Java, Python, a real Ray cluster
	@$(MAKE) --no-print-directory check-python
	$(MAVEN) verify $(MAVEN_FLAGS)
	cd $(BINDINGS) && ../$(BIN)/python -m pytest

.PHONY: huge
huge: $(INSTALL_STAMP) ## Run the test of more than 2 GiB in one partition; needs 12 GiB of memory
	cd $(BINDINGS) && ../$(BIN)/python -m pytest -m huge

.PHONY: wheel
wheel: $(WHEEL_STAMP) ## Leave the wheel, with the jar in it, in python-bindings/dist

.PHONY: format
format: tools $(TOOLS_STAMP) ## Format Java and Python
	$(MAVEN) --quiet spotless:apply
	cd $(BINDINGS) && ../$(BIN)/ruff check --fix . && ../$(BIN)/ruff format . ../examples

.PHONY: check
check: tools $(TOOLS_STAMP) ## Check format, lint and types, without running a test
	@$(MAKE) --no-print-directory check-python
	$(MAVEN) --quiet verify -DskipTests

.PHONY: check-python
check-python: $(TOOLS_STAMP)
	cd $(BINDINGS) && ../$(BIN)/ruff check . && ../$(BIN)/ruff check --extend-ignore D103,T201 ../examples
	cd $(BINDINGS) && ../$(BIN)/ruff format --check . ../examples && ../$(BIN)/mypy

.PHONY: clean
clean: ## Remove all that was built
	rm -rf $(VENV) $(BINDINGS)/dist $(BINDINGS)/src/headrace/jars target */target
	find $(BINDINGS) -name __pycache__ -o -name '.*_cache' -prune -exec rm -rf {} +

.PHONY: tools
tools:
	@.ci/find-jdk --check
	@command -v mvn > /dev/null || { echo "Maven is missing: install Maven 3.8 or newer, so that 'mvn' is on the PATH"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null \
		|| { echo "Python 3.10 or newer is missing: install it, or name it with PYTHON=..."; exit 1; }

$(SHADED): $(JAVA_SOURCES) | tools
	$(MAVEN) --quiet package -DskipTests -pl ray-actors -am
	@touch $@

# A running Ray unpacks a jar once per name and never looks again, so the name has to change with the content.
$(JAR): $(SHADED)
	@rm -rf $(JARS) && mkdir -p $(JARS)
	cp $< $(JARS)/headrace-$$(sha256sum $< | cut -c1-16).jar
	@touch $@

$(VENV)/bin/python: | tools
	$(PYTHON) -m venv $(VENV)

$(TOOLS_STAMP): $(BINDINGS)/pyproject.toml | $(VENV)/bin/python
	$(PIP) install build "hatchling>=1.27"
	$(BIN)/python $(BINDINGS)/dependencies.py | $(PIP) install -r /dev/stdin
	@touch $@

$(WHEEL_STAMP): $(JAR) $(PYTHON_SOURCES) $(TOOLS_STAMP)
	@rm -rf $(BINDINGS)/dist
	$(BIN)/python -m build --no-isolation --wheel --outdir $(BINDINGS)/dist $(BINDINGS) > /dev/null
	@touch $@
	@ls $(BINDINGS)/dist/*.whl

$(INSTALL_STAMP): $(WHEEL_STAMP)
	$(PIP) install --force-reinstall --no-deps $(BINDINGS)/dist/*.whl
	@touch $@
