# frozen_string_literal: true

# Reads a report of Valgrind's memcheck and prints what counts. Exit status 1 when anything does.
#
# Every invalid access counts, wherever it happens, but those by Ruby itself to its own machine stack: the
# collector scans that from a little below the stack pointer, and Ruby touches it when it starts. A loss counts when the extension's code asked for the
# memory itself: between malloc and the first frame of packhorse.so there are only Ruby's functions that
# hand out memory. What Ruby allocates for its own objects on our behalf, it frees with them, or not at
# all when it ends.
OWN_ALLOCATION = /\A(?:\?\?\?|malloc|calloc|realloc|aligned_alloc|posix_memalign|objspace_\w+|ruby_x\w+|rb_x\w+|
                     rb_alloc_tmp_buffer\w*|rb_imemo_tmpbuf\w*)\z/x

def frames(record)
  record.scan(/(?:at|by) 0x\h+: (\S+) \((?:in )?([^)]*)\)/)
end

def own_loss?(record)
  before = frames(record).take_while { |_name, place| place.match?(%r{\A/|\Avg_replace}) && !place.include?("packhorse") }
  return false if before.size == frames(record).size

  named = before.map(&:first)
  named.all? { |name| name.match?(OWN_ALLOCATION) } && named.any? { |name| name.start_with?("ruby_x", "rb_x", "rb_alloc") }
end

def scan_of_stack?(record)
  record.match?(/Address 0x\h+ is on thread \d+'s stack/) && frames(record).first.last.include?("libruby")
end

records = File.read(ARGV.fetch(0)).split(/^==\d+== \n/)
counted = records.select do |record|
  case record
  when /definitely lost|possibly lost/ then own_loss?(record)
  when /Invalid|Mismatched|overlap|Jump to|Process terminating|uninitialised/ then !scan_of_stack?(record)
  end
end
counted.each { |record| puts record, "" }
puts "memcheck: #{records.size} records, #{counted.size} that count"
exit(counted.empty?)
