#!/bin/bash
# make sanitize: the C unit tests and the Python tests under the address and undefined-behaviour
# sanitizers. gcc builds the portable path of the extension, clang the fast one. The tests see
# PACKHORSE_SANITIZED and repeat less: what they count there says nothing under a sanitizer.
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
prepare_build
need_cmocka
need_clang asan

export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

# prepare COMPILER FAST_PATH: sets `folder`; builds everything there.
prepare() {
    folder=$BUILD/sanitize-$1
    local link=()
    # clang links its sanitizer runtime into programs only; the extension needs the shared one.
    if [ "$1" = clang ]; then link=(-Dc_link_args=-shared-libasan "-Dc_args=-shared-libasan"); fi
    CC=$1 configure "$folder" -Dbuildtype=debugoptimized -Db_sanitize=address,undefined \
        -Db_lundef=false -Dcore_tests=true "-Dfast_path=$2" "${link[@]}"
    ninja -C "$folder" --quiet
}

core_tests() {
    prepare "$1" "$2"
    local runtime=
    if [ "$1" = clang ]; then
        runtime=$(dirname "$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")")
    fi
    LD_LIBRARY_PATH=$runtime "$MESON" test -C "$folder" --no-rebuild --print-errorlogs \
        --timeout-multiplier 4
}

python_tests() {
    prepare "$1" "$2"
    test_venv
    local site=$folder/site runtime
    copy_package "$folder" "$site"
    if [ "$1" = clang ]; then
        runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
    else
        runtime=$("$1" -print-file-name=libasan.so):$("$1" -print-file-name=libubsan.so)
    fi
    # The interpreter itself leaks at exit; leaks of ours are counted by tests/python/memory.
    ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1 \
        LD_PRELOAD=$runtime PYTHONMALLOC=malloc PACKHORSE_SANITIZED=1 PYTHONPATH=$site \
        "$VENV/bin/python" -X faulthandler -m pytest -q -p no:cacheprovider tests/python \
        --implementation c
}

run_step "core tests (gcc)" core_tests gcc disabled
run_step "core tests (clang)" core_tests clang enabled
run_step "Python, portable path (gcc)" python_tests gcc disabled
run_step "Python, fast path (clang)" python_tests clang enabled
skip_step "Python, fallback" "it has no C; make test runs it"
skip_step "Python, small stacks" "frames of instrumented code do not fit; make test runs them"
skip_step "Python, memory" "3,000 rounds of each path instead of 100,000; make test counts them"
finish_steps
