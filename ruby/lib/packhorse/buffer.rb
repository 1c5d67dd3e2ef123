# frozen_string_literal: true

module Packhorse
  # What Ruby adds to Buffer of the extension: a buffer has no copies.
  class Buffer
    undef_method :dup
    undef_method :clone
  end
end
