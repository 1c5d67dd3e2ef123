#!/bin/sh
# Runs bootsnap and Rails' MessagePack serializer on this library, where they are installed (Debian:
# ruby-bootsnap ruby-activesupport). The gem and its shim are built and installed under build/ for that,
# because bootsnap looks for a gem called msgpack; this also proves that they can be installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
ruby=${RUBY:-ruby}
gem=${GEM:-gem}
"$here/package.sh" >/dev/null
gems=$root/build/ruby/gems-$("$ruby" -e 'print RUBY_VERSION[/\d+\.\d+/]')
rm -rf "$gems"
"$gem" install --silent --local --ignore-dependencies --no-document --install-dir "$gems" \
    "$here/pkg/packhorse.gem" "$here/pkg/msgpack-shim.gem"
GEM_PATH="$gems:$("$gem" env gempath)"
export GEM_PATH
exec "$ruby" -W0 "$here/spec/clients/real_clients.rb"
