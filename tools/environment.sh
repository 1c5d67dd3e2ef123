# Sourced by the scripts in tools/: where things are, which Python, and how to get what is missing.
# shellcheck shell=bash
# Settings from outside: PYTHON (interpreter), PACKHORSE_BUILD (folder for all that is built).

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${PACKHORSE_BUILD:-$ROOT/build}
case $BUILD in /*) ;; *) BUILD=$ROOT/$BUILD ;; esac
mkdir -p "$BUILD"
cd "$ROOT"

# The wheels and the source archives are made from files, not from timestamps of this run.
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '\n== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# No script ends without a word: a failing command inside it may have printed nothing.
say_status() {
    local status=$?
    [ $status -eq 0 ] || printf 'error: %s ended with status %s\n' "$0" $status >&2
}
trap say_status EXIT

# as_root CMD...: run it as root, directly or with sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "root or sudo is needed for: $*"
    fi
}

# install_debian PACKAGE...: install what is missing. Elsewhere than on Debian, say what is needed.
install_debian() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        die "please install what these Debian packages hold: $*"
    fi
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing Debian packages: ${missing[*]}"
    local options=(-y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends)
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}" \
        </dev/null >"$BUILD/apt.log" 2>&1 && return
    as_root apt-get update -qq </dev/null
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "${missing[@]}" \
        </dev/null >"$BUILD/apt.log" 2>&1 || {
        tail -20 "$BUILD/apt.log" >&2
        die "apt-get could not install: ${missing[*]}"
    }
}

# find_python: sets PYTHON to the path of an interpreter that runs. A version name that is only a
# pyenv shim (python3.12 when another version is active) is looked up among pyenv's versions.
find_python() {
    local name=${PYTHON:-python3} found
    if ! "$name" -c pass 2>/dev/null; then
        found=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/"$name" 2>/dev/null | tail -1) || true
        if [ -z "$found" ] && [ "$name" = python3 ]; then
            install_debian python3
            found=/usr/bin/python3
        fi
        [ -n "$found" ] || die "no Python interpreter called '$name'"
        name=$found
    fi
    PYTHON=$("$name" -c 'import sys; print(sys.executable)')
    PYTHON_TAG=$("$PYTHON" -c 'import sysconfig, sys; print((sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag))')
}

# need_python_headers: Debian splits the headers and venv off; every other build has both. PyPy
# needs none: it runs the pure-Python package.
need_python_headers() {
    local header
    if is_pypy; then return; fi
    header=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
    [ -e "$header" ] && return
    local base
    base=$(basename "$(readlink -f "$("$PYTHON" -c 'import sys; print(sys._base_executable)')")")
    install_debian "$base-dev"
    [ -e "$header" ] || die "no Python.h for $PYTHON (looked for $header)"
}

need_compiler() {
    command -v "${CC:-cc}" >/dev/null && [ -e /usr/include/stdio.h ] || install_debian gcc libc6-dev
}

need_cmocka() {
    pkg-config --exists cmocka 2>/dev/null || install_debian libcmocka-dev pkg-config
}

# need_clang RUNTIME: clang with one of its runtime libraries (asan, fuzzer), which Debian packs apart.
need_clang() {
    command -v clang >/dev/null || install_debian clang
    [ -z "${1:-}" ] ||
        ls "$(clang -print-resource-dir)"/lib/*/libclang_rt."$1"* >/dev/null 2>&1 ||
        install_debian "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
}

# make_venv FOLDER PYTHON REQUIREMENTS...: an environment with pinned packages (files in
# tools/requirements, by name), kept until one of the files changes.
make_venv() {
    local folder=$1 python=$2 wanted stamp name
    shift 2
    (
        flock 9
        for name in "$@"; do
            stamp=$folder/.installed-$name
            wanted=$(cat "$ROOT/tools/requirements/$name.txt")
            [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && continue
            if [ ! -x "$folder/bin/python" ]; then
                "$python" -c 'import ensurepip, venv' 2>/dev/null ||
                    install_debian "$(basename "$(readlink -f "$python")" | sed 's/^pypy3.*/pypy3/')-venv"
                "$python" -m venv "$folder"
            fi
            say "installing $name requirements into ${folder#"$ROOT"/}"
            "$folder/bin/python" -m pip install -q -r "$ROOT/tools/requirements/$name.txt" </dev/null
            printf '%s\n' "$wanted" >"$stamp"
        done
    ) 9>"$folder.lock"
}

# need_meson: sets MESON; the pinned one in its own environment.
need_meson() {
    local python=$PYTHON
    make_venv "$BUILD/tools" "$python" build
    MESON=$BUILD/tools/bin/meson
    export PATH="$BUILD/tools/bin:$PATH"
}

# configure FOLDER OPTIONS...: meson setup for PYTHON, or reconfigure when the options changed.
configure() {
    local folder=$1 wanted
    shift
    wanted="$PYTHON ${CC:-cc} $*"
    mkdir -p "$folder"
    if [ -e "$folder/build.ninja" ] && [ "$(cat "$folder.options" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    printf "[binaries]\npython = '%s'\n" "$PYTHON" >"$folder.native"
    rm -rf "$folder"
    "$MESON" setup "$folder" --native-file "$folder.native" "$@" >"$folder.log" 2>&1 || {
        cat "$folder.log" >&2
        die "meson setup failed in $folder"
    }
    printf '%s\n' "$wanted" >"$folder.options"
}

is_pypy() {
    [ "$("$PYTHON" -c 'import platform; print(platform.python_implementation())')" = PyPy ]
}

is_free_threaded() {
    [ "$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("Py_GIL_DISABLED") or 0)')" = 1 ]
}

# test_venv: sets VENV to the environment of the Python tests for PYTHON.
test_venv() {
    local requirements=test
    VENV=$BUILD/venv-$PYTHON_TAG
    # pip's markers can not tell a build without a global lock, for which fewer packages exist.
    if is_free_threaded; then requirements=test-free-threaded; fi
    make_venv "$VENV" "$PYTHON" $requirements
}

# prepare_build: everything that compiling for PYTHON needs. Sets PYTHON, PYTHON_TAG and MESON.
prepare_build() {
    find_python
    need_compiler
    need_python_headers
    need_meson
}

# copy_package BUILT FOLDER: the package with the extension of one build folder, in a folder of its
# own for PYTHONPATH.
copy_package() {
    rm -rf "$2"
    mkdir -p "$2"
    cp -r "$ROOT/python/packhorse" "$2/packhorse"
    rm -f "$2"/packhorse/_core.*.so
    cp "$1"/python/_core.*.so "$2/packhorse/"
}
