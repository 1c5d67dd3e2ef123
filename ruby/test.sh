#!/bin/sh
# Builds the extension and runs the specs. Arguments (options, files below ruby/) go to rspec; without a
# file all run. RUBY chooses the interpreter.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ruby=${RUBY:-ruby}
"$here/build.sh"
"$here/need_rspec.sh"
cd "$here"
files=spec
for argument; do
    [ ! -e "${argument%%:*}" ] || files=
done
# Started this way, rspec has no default folder: without a path it would run nothing.
[ $# -gt 0 ] || set -- spec
exec "$ruby" -Ilib -Ispec -rrspec/core -e 'exit RSpec::Core::Runner.run(ARGV)' -- --order defined "$@" $files
