#!/bin/bash
# make peers: build, then let tests/peers/run.py fetch other projects' tests and run them on us.
source "$(dirname "$0")/environment.sh"
find_python
[ -e tests/peers/run.py ] || die "tests/peers/run.py is missing"
tools/inplace.sh
test_venv
PYTHONPATH=$ROOT/python "$VENV/bin/python" tests/peers/run.py "$@"
