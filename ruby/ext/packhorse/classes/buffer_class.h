/* The Buffer class: a byte queue of its own, or that of a Packer or Unpacker. */
#ifndef PH_RUBY_BUFFER_CLASS_H
#define PH_RUBY_BUFFER_CLASS_H

#include "runtime/byte_queue.h"

/* A Buffer over the queue of `owner`, which it keeps alive. */
VALUE ph_buffer_object_over(ph_byte_queue *queue, VALUE owner);

/* The unread bytes as an Array of Strings. */
VALUE ph_buffer_chunks(const ph_byte_queue *queue);

/* Writes all unread bytes to io and forgets them. Returns how many, as an Integer. */
VALUE ph_buffer_write_to(ph_byte_queue *queue, VALUE io);

#endif
