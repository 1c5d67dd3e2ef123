#!/bin/bash
# make test: the C unit tests, the Python tests on the extension and on the fallback, the law tests
# and the Ruby specs. Installs what is missing. Prints what was skipped and why.
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
prepare_build

core_tests() {
    need_cmocka
    configure "$BUILD/core-tests" -Dcore_tests=true -Dextension=false
    ninja -C "$BUILD/core-tests" --quiet
    "$MESON" test -C "$BUILD/core-tests" --no-rebuild --print-errorlogs
}

python_tests() {
    local options=()
    test_venv
    if is_pypy; then options=(--implementation fallback); fi
    PYTHONPATH=$ROOT/python "$VENV/bin/python" -X faulthandler -m pytest tests/python "${options[@]}" \
        --junitxml="$BUILD/python-tests.xml"
}

law_tests() {
    test_venv
    PH_CORE_LIBRARY=$BUILD/core-tests/core/libpackhorse_core.a PYTHONPATH=$ROOT/python \
        "$VENV/bin/python" -m pytest tests/law
}

run_step "core unit tests (C)" core_tests
if is_pypy; then
    skip_step "extension" "PyPy runs the pure-Python codec"
else
    run_step "extension" tools/inplace.sh
fi
run_step "Python tests" python_tests
run_step "law tests" law_tests
if [ -d ruby/spec ]; then
    run_step "Ruby specs" tools/ruby.sh test
else
    skip_step "Ruby specs" "no ruby/spec in this tree"
fi
if [ -e "$BUILD/python-tests.xml" ]; then
    while IFS= read -r line; do
        skip_step "Python tests" "$line"
    done < <("$PYTHON" tools/list_skips.py "$BUILD/python-tests.xml")
fi
finish_steps
