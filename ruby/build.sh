#!/bin/sh
# Builds the extension in place: ruby/lib/packhorse/<Ruby version>/packhorse.so. Objects go under
# build/. RUBY chooses the interpreter, PACKHORSE_CFLAGS adds compiler flags.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
ruby=${RUBY:-ruby}

if ! command -v "$ruby" >/dev/null 2>&1 || ! "$ruby" -rmkmf -e 'exit File.exist?(File.join(RbConfig::CONFIG["rubyhdrdir"], "ruby.h"))' >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get install -y build-essential ruby ruby-dev
    else
        echo "ruby/build.sh: Ruby and its headers are missing (Debian: ruby ruby-dev)" >&2
        exit 1
    fi
fi

version=$("$ruby" -e 'print RUBY_VERSION[/\d+\.\d+/]')
work=$root/build/ruby/$version
target=$here/lib/packhorse/$version
mkdir -p "$work" "$target"
cd "$work"
if [ ! -f Makefile ] || [ "$here/ext/packhorse/extconf.rb" -nt Makefile ] || [ -n "${PACKHORSE_CFLAGS:-}" ] ||
    [ "$(cat sources.list 2>/dev/null)" != "$(cd "$root" && ls core/*/*.c ruby/ext/packhorse/*.c ruby/ext/packhorse/*/*.c)" ]; then
    "$ruby" "$here/ext/packhorse/extconf.rb" >extconf.log 2>&1 || { cat extconf.log >&2; exit 1; }
    (cd "$root" && ls core/*/*.c ruby/ext/packhorse/*.c ruby/ext/packhorse/*/*.c) >sources.list
    find . -name '*.o' -delete
fi
# mkmf knows no header dependencies: a changed header rebuilds everything.
[ -f packhorse.so ] || find . -name '*.o' -delete
newest=$(find "$root/core" "$here/ext/packhorse" -name '*.h' -newer packhorse.so 2>/dev/null | head -n 1)
[ -z "$newest" ] || find . -name '*.o' -delete
make -j"${JOBS:-2}" >make.log 2>&1 || { cat make.log >&2; exit 1; }
grep -E 'warning:' make.log >&2 || true
cp packhorse.so "$target/packhorse.so.new"
mv "$target/packhorse.so.new" "$target/packhorse.so"
