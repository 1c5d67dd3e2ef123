#!/bin/bash
# make exhaustive: the tests that take minutes. Every bit pattern of a 32-bit float through text and
# back, and the Python tests marked exhaustive (every input of up to three bytes, for example).
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
prepare_build

every_float() {
    need_cmocka
    configure "$BUILD/core-tests" -Dcore_tests=true -Dextension=false
    ninja -C "$BUILD/core-tests" --quiet
    "$BUILD/core-tests/tests/core/text_floats" every-float
}

python_tests() {
    local options=()
    test_venv
    if is_pypy; then options=(--implementation fallback); else tools/inplace.sh; fi
    PYTHONPATH=$ROOT/python "$VENV/bin/python" -m pytest tests/python -m exhaustive --exhaustive \
        "${options[@]}"
}

run_step "every 32-bit float" every_float
run_step "Python tests" python_tests
finish_steps
