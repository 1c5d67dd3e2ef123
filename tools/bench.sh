#!/bin/bash
# make bench: build, install the peers (tools/requirements/bench.txt) and run bench/run.py. The package
# is also built on public calls only, which is measured beside it.
# Arguments go to bench/run.py (--help lists them), also as BENCH_ARGS="--smoke" make bench.
# make bench-compare: bench/compare.py BASE instead, the working tree against a commit.
source "$(dirname "$0")/environment.sh"
find_python
if [ "${1:-}" = compare ]; then
    shift
    # shellcheck disable=SC2086  # several arguments in one variable
    "$PYTHON" bench/compare.py "${BASE:-HEAD}" ${BENCH_ARGS:-} "$@"
    exit
fi
tools/inplace.sh
portable=$(tools/build_variant.sh portable "$ROOT" -Dfast_path=disabled)
venv=$BUILD/venv-bench-$PYTHON_TAG
make_venv "$venv" "$PYTHON" bench
# shellcheck disable=SC2086  # several arguments in one variable
PYTHONPATH=$ROOT/python "$venv/bin/python" bench/run.py --portable "$portable" \
    --output "$BUILD/bench" ${BENCH_ARGS:-} "$@"
