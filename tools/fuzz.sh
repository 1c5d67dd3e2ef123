#!/bin/bash
# make fuzz: run every fuzz target for FUZZ_SECONDS (60) each; fuzz/run.sh builds and runs them.
source "$(dirname "$0")/environment.sh"
find_python
[ -e fuzz/run.sh ] || die "fuzz/run.sh is missing"
need_compiler
need_python_headers
command -v clang >/dev/null || install_debian clang
[ -e "$(clang -print-file-name=libclang_rt.fuzzer-"$(uname -m)".a)" ] ||
    install_debian "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
need_meson
export BUILD
bash fuzz/run.sh "${FUZZ_SECONDS:-60}"
