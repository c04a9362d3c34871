# Every target does its own set-up: `make up` and `make test` work in a fresh clone.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2
TIMES ?= 5
CONTAINERS := buildah podman podman-compose runc mmdebstrap netavark aardvark-dns catatonit iptables
export PYTHONUNBUFFERED := 1

help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

up: install ## run the arena here (PORT=8000); Ctrl-C stops it
	@$(PYTHON) requirements/system.py bubblewrap
	@exec $(BIN)/python -m arena.up

test: install ## run the whole test suite (ARGS="tests/engine -k name" for a part)
	@$(PYTHON) requirements/system.py bubblewrap chromium faketime g++ golang-go cargo default-jdk-headless nodejs npm gettext
	@$(BIN)/python -m workers.runtimes.node --if-missing || true
	@$(BIN)/python -m arena.browser.pyodide_package --if-missing || true
	$(BIN)/pytest -n $(JOBS) --dist worksteal $(ARGS)

containers: install ## build the images and run the arena in containers, from nothing (as root; minutes)
	@$(PYTHON) requirements/system.py $(CONTAINERS) npm
	$(BIN)/pytest -n 0 -m containers tests/deploy $(ARGS)

flaky: install ## run a part of the tests TIMES (5) times, in random order (ARGS="tests/engine")
	@$(PYTHON) requirements/system.py bubblewrap chromium faketime
	$(BIN)/pytest -n $(JOBS) --dist worksteal --random-order --count $(TIMES) $(ARGS)

soak: install ## play 2,000 matches on two hosts while killing something every few seconds (ARGS="--matches 200")
	@$(PYTHON) requirements/system.py bubblewrap
	DJANGO_SETTINGS_MODULE=arena.settings $(BIN)/python -m tests.faults.soak $(ARGS)

prove: install ## compare the kernel with the engine at every decision of GAMES (1,000,000) random games
	$(BIN)/python -m tests.engine.kernel.prove

check: lint test ## lint and test: what a change must pass

lint: install ## format, lint, types, dead code, spelling, import directions, migrations, the gRPC contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python requirements/dead_code.py
	$(BIN)/codespell
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(BIN)/python -m proto.lint
	$(BIN)/python -m proto.generate --check
	$(BIN)/python -m proto.breaking

format: install ## rewrite the code in the house format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

# What a measurement takes besides Python.
BENCH_sandbox := bubblewrap g++
BENCH_sizing := bubblewrap
BENCH_viewer := chromium
BENCH_browser := chromium npm

bench: install ## measure (ONLY=engine for one); peers are measured where `make peers` installed them
	@$(PYTHON) requirements/system.py $(if $(ONLY),$(BENCH_$(ONLY)),$(sort $(BENCH_sandbox) $(BENCH_viewer) $(BENCH_browser)))
	$(BIN)/python -m bench $(ONLY)

load: install ## 50 visitors at once on pages and API, beside a bare Django view (TURNS=3 SECONDS=3)
	$(BIN)/python -m bench load

peers: install ## install the peers that `make bench` measures beside us
	$(BIN)/pip install --quiet --require-hashes --no-deps -r requirements/bench.lock
	@rm -rf .venv/lib/python3*/site-packages/tests # pgx installs its own tests, which would hide ours

proto: install ## generate the code of the gRPC contract again
	$(BIN)/python -m proto.generate

sdk: install ## build the wheels of `aztlan`, which authors install, into dist/
	$(BIN)/python sdk/distribution

sbom: install ## list what an installation contains, with licences: dist/sbom.cdx.json (CycloneDX), dist/licences.md
	$(BIN)/python requirements/sbom.py

export BASE RELEASE TARGETS FRESH IMAGES PROJECT ENV_FILE DATA GRAFANA

images: install ## build the images of web, workers, match hosts and servers (BASE=own where no registry is reachable, FRESH=yes)
	@$(PYTHON) requirements/system.py $(CONTAINERS) npm
	@$(BIN)/python requirements/images.py

stack: install ## run the arena in containers, from the images (deploy/compose.yaml, deploy/arena.env)
	@$(PYTHON) requirements/system.py $(CONTAINERS)
	@$(BIN)/python requirements/stack.py start

upgrade: install ## replace the containers by ones of the newest images, while the arena goes on
	@$(BIN)/python requirements/stack.py upgrade

stackdown: install ## take the containers down; the data stays (DATA=delete deletes it, too)
	@$(BIN)/python requirements/stack.py stop

release: install ## build the release that CHANGELOG.md describes into dist/VERSION (sdist, wheels, images, SBOM, notes; IMAGES=no)
	@[ "$$IMAGES" = no ] || $(PYTHON) requirements/system.py $(CONTAINERS) npm
	@$(BIN)/python requirements/release.py

texts: install ## find new texts for the catalogues in arena/locale, and compile these
	@$(PYTHON) requirements/system.py gettext
	$(BIN)/python manage.py makemessages --locale de --locale fr --locale it --no-wrap --add-location file \
		--ignore .venv --ignore build --ignore tests --ignore site --ignore bench
	$(BIN)/python -m arena.catalogues

docs: install ## build the documentation into site/; the page of the protocol is written from its comments
	$(BIN)/python -m proto.reference
	$(BIN)/python -m proto.observation_page
	$(BIN)/python -m arena.up.docs_site
	@echo "Open site/index.html"

# The locks are universal (one file for every Python and machine) and name no index.
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links $(UPGRADE) pyproject.toml

lock: install ## compile the lock files again (UPGRADE=--upgrade for newer versions)
	$(BIN)/pip install --quiet 'uv>=0.7'
	$(COMPILE) --extra dev --output-file requirements/dev.lock
	$(COMPILE) --extra build --extra docs --extra s3 --extra telemetry --constraints requirements/dev.lock --output-file requirements/runtime.lock
	$(COMPILE) --extra bench --extra rl --constraints requirements/dev.lock --output-file requirements/bench.lock

install:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or later is needed: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) requirements/install.py

clean: ## delete the virtual environment and what builds left; the data in .arena stays
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find engine -name '*.so' -delete

.PHONY: help up test containers flaky soak prove check lint format bench load peers proto sdk sbom images stack upgrade stackdown release texts docs lock install clean
