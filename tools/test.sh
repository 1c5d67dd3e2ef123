#!/bin/bash
# make test: the C unit tests, the Python tests on the extension and on the fallback, the law tests
# and the Ruby specs. Installs what is missing. Prints how many passed, what was skipped and why.
# tools/test.sh python: the Python tests only, for one more interpreter of the same system.
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
RESULTS=$BUILD/test-results
parts=${1:-all}
case $parts in all | python) ;; *) die "unknown: $parts (all or python)" ;; esac
prepare_build
rm -rf "$RESULTS"
mkdir -p "$RESULTS"

# counted FILE CMD...: run the tests of CMD, which writes FILE, and say in the summary how many
# passed.
counted() {
    local file=$1 status=0
    shift
    "$@" || status=$?
    [ ! -s "$file" ] || note_step "$("$PYTHON" tools/test_results.py counts "$file")"
    return $status
}

core_tests() {
    need_cmocka
    configure "$BUILD/core-tests" -Dcore_tests=true -Dextension=false
    ninja -C "$BUILD/core-tests" --quiet
    counted "$BUILD/core-tests/meson-logs/testlog.junit.xml" \
        "$MESON" test -C "$BUILD/core-tests" --no-rebuild --print-errorlogs
}

python_tests() {
    local options=()
    test_venv
    if is_pypy; then options=(--implementation fallback); fi
    export PYTHONPATH=$ROOT/python
    counted "$RESULTS/python.xml" "$VENV/bin/python" -X faulthandler -m pytest tests/python \
        "${options[@]}" --junitxml="$RESULTS/python.xml"
}

law_tests() {
    test_venv
    export PH_CORE_LIBRARY=$BUILD/core-tests/core/libpackhorse_core.a PYTHONPATH=$ROOT/python
    counted "$RESULTS/laws.xml" "$VENV/bin/python" -m pytest tests/law --junitxml="$RESULTS/laws.xml"
}

ruby_specs() {
    counted "$RESULTS/ruby.json" \
        tools/ruby.sh test --format progress --format json --out "$RESULTS/ruby.json"
}

# skips_of NAME FILE: the reasons of the tests that were left out.
skips_of() {
    local line
    [ -s "$2" ] || return 0
    while IFS= read -r line; do
        skip_step "$1" "$line"
    done < <("$PYTHON" tools/test_results.py skips "$2")
}

[ "$parts" = python ] || run_step "core unit tests (C)" core_tests
if is_pypy; then
    skip_step "extension" "PyPy runs the pure-Python codec"
else
    run_step "extension" tools/inplace.sh
fi
run_step "Python tests" python_tests
if [ "$parts" = all ]; then
    run_step "law tests" law_tests
    if [ -d ruby/spec ]; then
        run_step "Ruby specs" ruby_specs
    else
        skip_step "Ruby specs" "no ruby/spec in this tree"
    fi
fi
skips_of "Python tests" "$RESULTS/python.xml"
skips_of "law tests" "$RESULTS/laws.xml"
skips_of "Ruby specs" "$RESULTS/ruby.json"
finish_steps
