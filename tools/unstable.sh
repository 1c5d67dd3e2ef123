#!/bin/bash
# make matrix, make bench-matrix: Debian unstable in a folder (optimised CPython 3.14 and 3.15, PyPy,
# Ruby 3.3 or newer), where the project is copied, built, and tested or measured. Needs root on a
# Debian system. UNSTABLE_ROOT is the folder (default: below build/); the package mirror is the
# one in the host's own apt configuration.
#
#   tools/unstable.sh setup          make the folder, or bring it up to date
#   tools/unstable.sh test           tests on the host's Pythons and on each in there, and the Ruby
#                                    specs on both; logs in build/matrix
#   tools/unstable.sh bench          the benchmark on each optimised CPython, results in build/bench-matrix
#   tools/unstable.sh run CMD...     run a command in there, in the copy of the project
source "$(dirname "$0")/environment.sh"
source "$(dirname "$0")/steps.sh"

UNSTABLE=${UNSTABLE_ROOT:-$BUILD/unstable}
COPY=/packhorse
PYTHONS=(python3.14 python3.15)
PACKAGES=(ca-certificates git make pkg-config binutils gcc g++ libc6-dev libcmocka-dev
    python3-venv python3.14 python3.14-dev python3.14-venv python3.15 python3.15-dev python3.15-venv
    pypy3 pypy3-venv ruby ruby-dev rake ruby-rspec ruby-msgpack ruby-json ruby-bootsnap
    ruby-activesupport ruby-benchmark-ips)

[ "$(id -u)" = 0 ] || die "make matrix needs root: it makes a Debian system in a folder and enters it"

# What is mounted in the folder is mounted for this run only: nobody else sees it, and it ends with the
# run, however that ends.
if [ -z "${UNSTABLE_NAMESPACE:-}" ]; then
    UNSTABLE_NAMESPACE=own exec unshare --mount --propagation private "$ROOT/tools/unstable.sh" "$@"
fi

# The first Debian mirror that the host's apt uses; security and vendor archives have no unstable.
host_mirror() {
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        grep -v security | sort -u | head -1
}

# The folder keeps the few devices that debootstrap made. The host's /dev is not mounted there: who
# removes the folder while a run is going on, or after one that was killed, would remove the host's.
mount_folders() {
    mkdir -p "$UNSTABLE$COPY" "$UNSTABLE/dev/shm"
    mountpoint -q "$UNSTABLE/dev/shm" || mount -t tmpfs tmpfs "$UNSTABLE/dev/shm"
    mountpoint -q "$UNSTABLE/proc" || mount -t proc proc "$UNSTABLE/proc"
}

# in_unstable CMD...: run it in the copy of the project, with a plain environment and the host's
# settings for certificates and proxies.
in_unstable() {
    local settings=() name
    for name in $(compgen -e); do
        case $name in
        *_proxy | *_PROXY | SSL_CERT_FILE | *_CA_BUNDLE | PIP_CERT | PIP_INDEX_URL | PIP_DEFAULT_TIMEOUT | BENCH_ARGS | CI)
            settings+=("$name=${!name}")
            ;;
        esac
    done
    chroot "$UNSTABLE" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${settings[@]}" \
        /bin/sh -c "cd $COPY && exec \"\$@\"" sh "$@"
}

setup() {
    local mirror
    install_debian debootstrap
    mirror=$(host_mirror)
    [ -n "$mirror" ] || die "apt's configuration on this host names no Debian mirror"
    if [ ! -e "$UNSTABLE/.bootstrapped" ]; then
        say "debootstrap of Debian unstable into $UNSTABLE"
        mkdir -p "$UNSTABLE"
        debootstrap --variant=minbase --include=ca-certificates sid "$UNSTABLE" "$mirror" \
            >"$BUILD/unstable-debootstrap.log" 2>&1 || {
            tail -20 "$BUILD/unstable-debootstrap.log" >&2
            die "debootstrap failed"
        }
        touch "$UNSTABLE/.bootstrapped"
    fi
    # How the host reaches its mirrors: proxies, certificates, retries.
    {
        apt-config dump Acquire | grep -iE '^Acquire::(http|https|retries|check)' || true
        printf 'Acquire::Check-Valid-Until "false";\nAPT::Install-Recommends "false";\n'
    } >"$UNSTABLE/etc/apt/apt.conf.d/99packhorse"
    cp /etc/resolv.conf /etc/hosts "$UNSTABLE/etc/"
    cp /etc/ssl/certs/ca-certificates.crt "$UNSTABLE/etc/ssl/certs/ca-certificates.crt"
    for file in /etc/pip.conf "$HOME/.config/pip/pip.conf"; do
        [ ! -e "$file" ] || cp "$file" "$UNSTABLE/etc/pip.conf"
    done
    mount_folders
    say "packages in Debian unstable"
    in_unstable apt-get update -qq </dev/null
    in_unstable apt-get install -y -qq "${PACKAGES[@]}" </dev/null >"$BUILD/unstable-apt.log" 2>&1 || {
        tail -20 "$BUILD/unstable-apt.log" >&2
        die "apt-get failed in Debian unstable"
    }
}

# copy_project: what is tracked or new, not what is built or ignored; build/ in there is kept.
copy_project() {
    find "$UNSTABLE$COPY" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    git -c safe.directory='*' ls-files -z -co --exclude-standard |
        while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
        tar --null -T - -cf - | tar -C "$UNSTABLE$COPY" -xf - --no-same-owner
    # The tests ask git for the list of files.
    in_unstable sh -c 'git init -q . && git add -A' 2>/dev/null
}

# test_on NAME PARTS PYTHON CMD...: the tests with one interpreter, in the system that CMD leads to. The
# first interpreter of a system runs all parts, the others the Python tests.
test_on() {
    local name=$1 log="$BUILD/matrix/$1.log"
    TESTED+=("$name")
    with_log() { "$@" 2>&1 | tee "$log"; }
    run_step "$name" with_log "${@:4}" env "PYTHON=$3" tools/test.sh "$2"
}

# finish_tests: what each interpreter's run said at its end, then the summary of all.
finish_tests() {
    local name
    for name in "${TESTED[@]}"; do
        say "$name: $(sed -n '/^== summary/,$p' "$BUILD/matrix/$name.log" | sed 1d)"
    done
    finish_steps
}

command=${1:-test}
shift || true
setup
copy_project
case $command in
setup) ;;
run) in_unstable "$@" ;;
test)
    rm -rf "$BUILD/matrix"
    mkdir -p "$BUILD/matrix"
    TESTED=()
    parts=all
    # The host's own versions; FREE_THREADED_PYTHON may name a build without a global lock.
    for python in python3.11 python3.12 python3.13 ${FREE_THREADED_PYTHON:-}; do
        name="$(basename "$python") (host)"
        if (PYTHON=$python && find_python) >/dev/null 2>&1; then
            test_on "$name" $parts "$python"
            parts=python
        else
            skip_step "$name" "no such interpreter"
        fi
    done
    [ -n "${FREE_THREADED_PYTHON:-}" ] ||
        skip_step "free-threaded (host)" "FREE_THREADED_PYTHON names none"
    parts=all
    for python in "${PYTHONS[@]}" pypy3; do
        test_on "$python (unstable)" $parts "$python" in_unstable
        parts=python
    done
    finish_tests
    ;;
bench)
    # The goals are for the first; the next version is only looked at.
    run_step "benchmark on ${PYTHONS[0]}" in_unstable make bench "PYTHON=${PYTHONS[0]}"
    for python in "${PYTHONS[@]:1}"; do
        run_step "benchmark on $python" in_unstable env "BENCH_ARGS=${BENCH_ARGS:---quick}" \
            make bench "PYTHON=$python"
    done
    if [ -d "$UNSTABLE$COPY/ruby/bench" ]; then
        run_step "benchmark on Ruby" in_unstable make bench-ruby
    fi
    mkdir -p "$BUILD/bench-matrix"
    if [ -d "$UNSTABLE$COPY/build/bench" ]; then
        cp -r "$UNSTABLE$COPY/build/bench/." "$BUILD/bench-matrix/"
        echo "results: $BUILD/bench-matrix"
    fi
    finish_steps
    ;;
*) die "unknown: $command (setup, test, bench or run)" ;;
esac
