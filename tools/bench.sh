#!/bin/bash
# make bench: build, install the peers (tools/requirements/bench.txt) and run bench/run.py.
# Arguments go to bench/run.py (--help lists them), also as BENCH_ARGS="--smoke" make bench.
source "$(dirname "$0")/environment.sh"
find_python
[ -e bench/run.py ] || die "bench/run.py is missing"
tools/inplace.sh
venv=$BUILD/venv-bench-$PYTHON_TAG
make_venv "$venv" "$PYTHON" bench
# shellcheck disable=SC2086  # several arguments in one variable
PYTHONPATH=$ROOT/python "$venv/bin/python" bench/run.py ${BENCH_ARGS:-} "$@"
