# The one entry point. Each target calls a script that can be read and run on its own.
# PYTHON=python3.13 chooses the interpreter, PACKHORSE_BUILD=folder where things are built.

PYTHON ?= python3
export PYTHON BASE

.PHONY: help demo test exhaustive check format inplace sanitize peers bench bench-compare bench-matrix matrix fuzz docs \
	dist ruby bench-ruby peers-ruby ci clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: ## pack, unpack, stream and check a real document
	@tools/demo.sh

test: ## all tests: C core, Python (extension and fallback), laws, Ruby
	@tools/test.sh

exhaustive: ## the tests that take minutes: every 32-bit float, every short input
	@tools/exhaustive.sh

check: ## layout, lint, types, warnings as errors under gcc and clang, laws, generated files
	@tools/check.sh

format: ## lay out C and Python sources
	@tools/format.sh

inplace: ## build the extension into python/packhorse, for PYTHON
	@tools/inplace.sh

sanitize: ## tests under address and undefined-behaviour sanitizers, gcc and clang
	@tools/sanitize.sh

peers: ## the tests of other projects, run on Packhorse
	@tools/peers.sh

bench: ## the benchmark table against the peers, for PYTHON
	@tools/bench.sh

bench-compare: ## the working tree against a commit: make bench-compare BASE=HEAD~1
	@tools/bench.sh compare

bench-matrix: ## the benchmark table on Debian unstable's optimised interpreters (needs root)
	@tools/unstable.sh bench

matrix: ## the tests on the host's CPythons, and Debian unstable's with PyPy and Ruby (needs root)
	@tools/unstable.sh test

fuzz: ## fuzz each target; FUZZ_SECONDS=60 each
	@tools/fuzz.sh

docs: ## check links and run the examples in the documentation
	@tools/docs.sh

dist: ## source archive and wheel, each proven in an empty environment
	@tools/dist.sh

ruby: ## build the Ruby extension in place
	@tools/ruby.sh build

bench-ruby: ## the Ruby benchmark against the msgpack and json gems
	@tools/ruby.sh bench

peers-ruby: ## the msgpack gem's own specs, run on Packhorse (PEER_MSGPACK_RUBY=checkout)
	@tools/ruby.sh peers

ci: ## what continuous integration runs
	@.ci/run

clean: ## remove what was built
	rm -rf --one-file-system build dist python/packhorse/_core.*.so ruby/lib/packhorse/[0-9]*
