#!/bin/sh
# Measures against the msgpack and json gems; see bench/run.rb for arguments and settings.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ruby=${RUBY:-ruby}
"$here/build.sh"
if ! "$ruby" -e 'require "benchmark/ips"' >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get install -y ruby-benchmark-ips ruby-msgpack
    else
        echo "benchmark-ips is missing (Debian: ruby-benchmark-ips ruby-msgpack)" >&2
        exit 1
    fi
fi
exec "$ruby" -I"$here/lib" "$here/bench/run.rb" "$@"
