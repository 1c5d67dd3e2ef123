/* What Packer and Unpacker have in common: a queue of bytes, a registry, and references beside them. */
#ifndef PH_RUBY_STREAM_OBJECT_H
#define PH_RUBY_STREAM_OBJECT_H

#include "classes/ext_types.h"
#include "runtime/byte_queue.h"

/* For the mark and compact functions: `references` are `count` VALUEs next to each other, the registry of
 * ext types first. */
void ph_stream_object_mark(const ph_byte_queue *queue, const VALUE *references, size_t count);
void ph_stream_object_compact(ph_byte_queue *queue, VALUE *references, size_t count);

/* For ObjectSpace.memsize_of: of an object whose struct has `size` bytes. */
size_t ph_stream_object_size(size_t size, const ph_byte_queue *queue, VALUE types);

/* Registers an ext type in the registry *types of `owner`, by ph_ext_types_add_packer or _unpacker.
 * FrozenError, RangeError. */
void ph_stream_object_register(VALUE owner, VALUE *types, VALUE id, VALUE module, VALUE proc,
                               void (*add)(VALUE, int, VALUE, VALUE, int));

#endif
