/* Marking, measuring and registering, for Packer and Unpacker alike. */
#include "classes/stream_object.h"

void ph_stream_object_mark(const ph_byte_queue *queue, const VALUE *references, size_t count)
{
    ph_byte_queue_mark(queue);
    for (size_t at = 0; at < count; at++) {
        rb_gc_mark_movable(references[at]);
    }
}

void ph_stream_object_compact(ph_byte_queue *queue, VALUE *references, size_t count)
{
    ph_byte_queue_compact(queue);
    for (size_t at = 0; at < count; at++) {
        references[at] = rb_gc_location(references[at]);
    }
}

size_t ph_stream_object_size(size_t size, const ph_byte_queue *queue, VALUE types)
{
    return size + ph_byte_queue_memory(queue) + ph_ext_types_memory(types);
}

void ph_stream_object_register(VALUE owner, VALUE *types, VALUE id, VALUE module, VALUE proc,
                               void (*add)(VALUE, int, VALUE, VALUE, int))
{
    ph_check_not_frozen(owner);
    int type = ph_ext_type_id(id);
    VALUE writable = ph_ext_types_writable(*types);
    add(writable, type, module, proc, 0);
    RB_OBJ_WRITE(owner, types, writable);
}
