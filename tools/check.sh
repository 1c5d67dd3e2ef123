#!/bin/bash
# make check: everything that can be said about the sources without running the product.
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
prepare_build
make_venv "$BUILD/tools" "$PYTHON" build check
bin=$BUILD/tools/bin

# The stubs are what users see: strict under both checkers, and true (stubtest compares them with the
# package as it runs). tests/typing holds programs whose types must come out as they say.
types() {
    local stubs
    mapfile -t stubs < <(git ls-files -co --exclude-standard 'python/packhorse/*.pyi' 'tests/typing/*.py')
    [ ${#stubs[@]} -gt 0 ] || die "there are no stubs to check"
    "$bin/mypy" --strict "${stubs[@]}"
    "$bin/pyright" --pythonpath "$bin/python" "${stubs[@]}"
    PYTHON=$bin/python tools/inplace.sh
    MYPYPATH=python PYTHONPATH=python "$bin/stubtest" packhorse --ignore-missing-stub \
        --mypy-config-file pyproject.toml
}

# Every warning an error, for the core, its tests and the extension on both of its paths.
warnings() {
    local compiler=$1 fast_path
    need_cmocka
    for fast_path in enabled disabled; do
        CC=$compiler configure "$BUILD/warnings-$compiler-$fast_path" -Dwerror=true \
            -Dcore_tests=true -Dfast_path=$fast_path
        ninja -C "$BUILD/warnings-$compiler-$fast_path" --quiet
    done
}

laws() {
    test_venv
    configure "$BUILD/core-tests" -Dcore_tests=true -Dextension=false
    ninja -C "$BUILD/core-tests" --quiet
    PH_CORE_LIBRARY=$BUILD/core-tests/core/libpackhorse_core.a PYTHONPATH=$ROOT/python \
        "$VENV/bin/python" -m pytest -q tests/law
}

generated_files() {
    local generator found=0
    for generator in tools/make_*.py; do
        [ -e "$generator" ] || continue
        echo "$generator --check"
        "$PYTHON" "$generator" --check
        found=$((found + 1))
    done
    [ $found -gt 0 ] || die "no generator found in tools/"
}

shell_scripts() {
    "$bin/shellcheck" -S warning -x -P SCRIPTDIR tools/*.sh .ci/run
}

need_clang
run_step "layout and lint" tools/format.sh --check
run_step "types" types
run_step "warnings (gcc)" warnings gcc
run_step "warnings (clang)" warnings clang
run_step "laws" laws
run_step "generated files" generated_files
run_step "shell scripts" shell_scripts
finish_steps
