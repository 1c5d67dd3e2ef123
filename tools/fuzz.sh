#!/bin/bash
# make fuzz: run the fuzz targets for FUZZ_SECONDS (60) each; fuzz/run.sh builds and runs them.
# FUZZ_TARGETS names some of them.
source "$(dirname "$0")/environment.sh"
find_python
[ -e fuzz/run.sh ] || die "fuzz/run.sh is missing"
need_compiler
need_python_headers
need_clang fuzzer
need_meson
export BUILD PYTHON
# shellcheck disable=SC2086  # several names in one variable
bash fuzz/run.sh "${FUZZ_SECONDS:-60}" ${FUZZ_TARGETS:-}
