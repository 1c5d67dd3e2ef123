/* Objects that pack themselves: ext types and to_msgpack methods. */
#ifndef PH_RUBY_ENCODE_OBJECT_H
#define PH_RUBY_ENCODE_OBJECT_H

#include "encode/encode.h"

/* Packs `value` by the ext type registered for it; false, nothing written, if there is none. */
bool ph_encode_registered(ph_encoder *encoder, VALUE value, const ph_object_place *place);

/* Packs `value` by its ext type, otherwise by its to_msgpack method. NoMethodError without either. */
void ph_encode_object(ph_encoder *encoder, VALUE value, const ph_object_place *place);

void ph_init_encode_object(void);

#endif
