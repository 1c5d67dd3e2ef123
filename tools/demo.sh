#!/bin/bash
# make demo: build the extension and run examples/demo.py with it.
source "$(dirname "$0")/environment.sh"
find_python
if ! is_pypy; then
    need_compiler
    need_python_headers
    need_meson
    say "building the extension for $PYTHON_TAG"
    tools/inplace.sh
fi
PYTHONPATH=$ROOT/python "$PYTHON" examples/demo.py
