# frozen_string_literal: true

module Packhorse
  class Buffer
    undef_method :dup
    undef_method :clone
  end
end
