#!/bin/sh
# Runs the specs under Valgrind's memcheck: bytes read or written outside of what was allocated or after
# it was freed, and memory of the extension's own that nobody frees. Arguments go to rspec; without a
# file those run that neither loop for long nor run the collector at every allocation. RUBY chooses the
# interpreter, MEMCHECK_LOG where Valgrind's report goes.
#
# Values that nobody set are not looked for: Ruby's collector reads the machine stack as it is. Of what
# is never freed only the extension's own allocations count (spec/memcheck/judge.rb), because Ruby does
# not free its classes, methods and strings when it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
ruby=${RUBY:-ruby}
"$here/build.sh"
"$here/need_rspec.sh"
if ! command -v valgrind >/dev/null 2>&1; then
    echo "valgrind is missing (Debian: valgrind)" >&2
    exit 1
fi
log=${MEMCHECK_LOG:-$root/build/ruby/memcheck.log}
cd "$here"
[ $# -gt 0 ] || set -- spec/json/generate_spec.rb spec/json/parse_spec.rb spec/json/stream_spec.rb \
    spec/msgpack/b*_spec.rb spec/msgpack/c*s_spec.rb spec/msgpack/e*_spec.rb spec/msgpack/factory_spec.rb \
    spec/msgpack/format_spec.rb spec/msgpack/key_cache_spec.rb spec/msgpack/limits_spec.rb \
    spec/msgpack/m*_spec.rb spec/msgpack/pack*_spec.rb spec/msgpack/r*_spec.rb \
    spec/msgpack/timestamp_spec.rb spec/msgpack/unpacker_spec.rb spec/vectors_spec.rb
status=0
valgrind --quiet --undef-value-errors=no --leak-check=full --show-leak-kinds=definite --num-callers=40 \
    --log-file="$log" "$ruby" -Ilib -Ispec -rrspec/core -e 'exit RSpec::Core::Runner.run(ARGV)' -- \
    --order defined "$@" || status=$?
"$ruby" "$here/spec/memcheck/judge.rb" "$log" || status=1
exit $status
