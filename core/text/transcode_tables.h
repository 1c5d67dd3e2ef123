/* The table that packs four encoded code points together; tools/make_transcode_tables.py writes it. */
#ifndef PH_TEXT_TRANSCODE_TABLES_H
#define PH_TEXT_TRANSCODE_TABLES_H

#include "base/compiler.h"

extern const uint8_t ph_pack_lanes[256][16];

#endif
