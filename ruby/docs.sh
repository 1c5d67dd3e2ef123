#!/bin/sh
# Writes the documentation of the Ruby library with YARD, under build/ruby/docs. Fails on any warning, and
# when something public has no comment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
if ! command -v yard >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get install -y yard
    else
        echo "yard is missing (Debian: yard)" >&2
        exit 1
    fi
fi
mkdir -p "$root/build/ruby"
cd "$here"
database=$root/build/ruby/yard
rm -rf "$database"
yard doc --quiet --fail-on-warning --output-dir "$root/build/ruby/docs" --db "$database"
statistics=$(yard stats --list-undoc --db "$database" --use-cache)
echo "$statistics"
case $statistics in
*"100.00% documented"*) ;;
*) exit 1 ;;
esac
