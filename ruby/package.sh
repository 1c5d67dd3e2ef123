#!/bin/sh
# Builds the gem under ruby/pkg/: the core's files are copied next to the extension for that, and
# removed again. Then the shim gem that satisfies `gem "msgpack"`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
gem=${GEM:-gem}
vendored=$here/ext/packhorse/core
clean() {
    rm -rf "$vendored" "$here/LICENSE"
}
trap clean EXIT
clean
mkdir -p "$vendored" "$here/pkg"
for folder in base wire text json; do
    mkdir "$vendored/$folder"
    cp "$root/core/$folder/"*.c "$root/core/$folder/"*.h "$vendored/$folder/"
done
cp "$root/LICENSE" "$here/LICENSE"
cd "$here"
"$gem" build --silent --output "pkg/packhorse.gem" packhorse.gemspec
cd "$here/compat/msgpack"
"$gem" build --silent --output "$here/pkg/msgpack-shim.gem" msgpack.gemspec
ls -l "$here/pkg"
