#!/bin/sh
# Runs the msgpack gem's own specs against this library. PEER_MSGPACK_RUBY is a checkout of
# msgpack/msgpack-ruby (1.8.3 or newer); without it upstream is cloned under build/. RSPEC_ARGS passes
# options on. Examples that are known to differ are listed in ruby/spec/peers/exceptions.txt, each with
# its reason; the run fails when any other fails, and when a listed one passes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
ruby=${RUBY:-ruby}
"$here/build.sh"
"$here/need_rspec.sh"

checkout=${PEER_MSGPACK_RUBY:-}
if [ -z "$checkout" ]; then
    checkout=$root/build/peers/msgpack-ruby
    [ -d "$checkout/spec" ] || git clone --quiet --depth 1 https://github.com/msgpack/msgpack-ruby "$checkout"
fi
# A folder without lib/: rspec puts ./lib in front of everything.
work=$root/build/peers/ruby-run
rm -rf "$work"
mkdir -p "$work"
cp -R "$checkout/spec" "$work/spec"
rm -rf "$work/spec/jruby"
cd "$work"
"$ruby" "$here/spec/peers/run.rb" "$here" "${RSPEC_ARGS:-}"
