#!/bin/sh
# Installs rspec where it is missing and can be installed.
set -eu
ruby=${RUBY:-ruby}
"$ruby" -e 'require "rspec/core"' >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get install -y ruby-rspec
else
    echo "rspec is missing (Debian: ruby-rspec)" >&2
    exit 1
fi
