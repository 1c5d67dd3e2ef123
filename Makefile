# The one entry point. Each target calls a script that can be read and run on its own.
# PYTHON=python3.13 chooses the interpreter, PACKHORSE_BUILD=folder where things are built.

PYTHON ?= python3
export PYTHON

.PHONY: help inplace clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

inplace: ## build the extension into python/packhorse, for PYTHON
	@tools/inplace.sh

clean: ## remove what was built
	rm -rf build dist python/packhorse/_core.*.so
