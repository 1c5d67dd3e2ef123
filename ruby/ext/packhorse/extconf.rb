# frozen_string_literal: true

# Probes Ruby and writes the Makefile. The core's C files are compiled into the extension: from the
# copy that a packaged gem carries next to this file, otherwise from the source tree.
require "mkmf"
require "fileutils"

CORE_FOLDERS = %w[base wire text json].freeze

parent_of_core = [__dir__, File.expand_path("../../..", __dir__)].find do |folder|
  File.file?(File.join(folder, "core", "base", "compiler.h"))
end
abort "extconf: the folder core/ is missing" unless parent_of_core

have_func("rb_hash_new_capa", "ruby.h")
have_func("rb_enc_interned_str", ["ruby.h", "ruby/encoding.h"]) or abort "extconf: Ruby 3.1 or newer is needed"
have_func("rb_ractor_local_storage_ptr", ["ruby.h", "ruby/ractor.h"]) or abort "extconf: ractors are needed"
have_func("rb_ext_ractor_safe", "ruby.h")

core_sources = CORE_FOLDERS.flat_map { |folder| Dir[File.join(parent_of_core, "core", folder, "*.c")] }
                           .sort
                           .reject { |path| File.basename(path).end_with?("_main.c") }
own_sources = Dir[File.join(__dir__, "**", "*.c")].sort.reject { |path| path.start_with?(File.join(__dir__, "core/")) }

relative = ->(path) { path.delete_prefix("#{parent_of_core}/") }
$srcs = own_sources.map { |path| path.delete_prefix("#{__dir__}/") } + core_sources.map(&relative)
$objs = $srcs.map { |path| path.sub(/\.c\z/, ".#{$OBJEXT}") }
$objs.each { |path| FileUtils.mkdir_p(File.dirname(path)) }
$VPATH << parent_of_core

$INCFLAGS = "-I#{File.join(parent_of_core, 'core')} -I$(srcdir) #{$INCFLAGS}"
$CFLAGS += " -std=gnu11 -O3 -fvisibility=hidden -fno-semantic-interposition"
$CFLAGS += " #{ENV['PACKHORSE_CFLAGS']}" if ENV["PACKHORSE_CFLAGS"]
$warnflags = "-Wall -Wextra -Wno-unused-parameter" unless $warnflags&.include?("-Wextra")

create_makefile("packhorse/packhorse")
