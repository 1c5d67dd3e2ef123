#!/bin/bash
# make dist: dist/packhorse-*.tar.gz and a wheel, each proven by installing it into an empty
# environment, away from the sources, and running tests/smoke/smoke.py there. Also proves that the
# pure-Python package can be asked for and that a failed compile fails the installation.
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"
prepare_build

work=$BUILD/dist
rm -rf "$work" dist
mkdir -p "$work" dist

build_both() {
    make_venv "$BUILD/tools" "$PYTHON" build
    # From the committed tree: what is not committed is not shipped.
    PATH="$BUILD/tools/bin:$PATH" "$BUILD/tools/bin/python" -m build --no-isolation --outdir dist .
    ls -l dist
}

# empty_venv NAME: sets `empty` to a new environment with nothing but pip.
empty_venv() {
    empty=$work/$1
    "$PYTHON" -m venv "$empty"
}

# smoke EXPECTED: run the smoke test with `empty`, from a folder without sources, isolated (-I).
smoke() {
    (cd "$work" && "$empty/bin/python" -I "$ROOT/tests/smoke/smoke.py" --expect "$1")
}

install() {
    "$empty/bin/python" -m pip install -q "$@" </dev/null
}

prove_wheel() {
    empty_venv wheel
    install dist/packhorse-*.whl
    smoke extension
}

prove_sdist() {
    empty_venv sdist
    install dist/packhorse-*.tar.gz
    smoke extension
}

prove_pure() {
    empty_venv pure
    PACKHORSE_PURE=1 install --no-cache-dir dist/packhorse-*.tar.gz
    smoke pure
}

prove_loud_failure() {
    empty_venv loud
    # A compiler that says its version but compiles nothing.
    printf '#!/bin/sh\ncase "$*" in *packhorse*|*module.c*) exit 1;; esac\nexec cc "$@"\n' >"$work/cc"
    chmod +x "$work/cc"
    if CC=$work/cc install --no-cache-dir dist/packhorse-*.tar.gz >"$work/loud.log" 2>&1; then
        die "an installation whose compile fails must fail, and it did not"
    fi
    grep -m1 'FAILED: ' "$work/loud.log" || die "the installation failed, but not in the compiler"
    echo "a failed compile fails the installation, as it must"
}

run_step "build" build_both
run_step "wheel" prove_wheel
run_step "source archive" prove_sdist
run_step "pure-Python build" prove_pure
run_step "failed compile is loud" prove_loud_failure
finish_steps
