.DEFAULT_GOAL := help
BIN := .venv/bin

help: ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

test: ## run the whole test suite
	$(BIN)/pytest

format: ## rewrite the code in the house format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

lint: ## format, lint, types, import directions, migrations
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

proto: ## regenerate the code of the gRPC contract
	$(BIN)/python -m proto.generate

.PHONY: help test format lint proto
