/* Sizes as people write them: "64", "2GiB". */
#ifndef HW_CORE_BYTE_TEXT_H
#define HW_CORE_BYTE_TEXT_H

#include <stdint.h>

#include "core/error.h"

/* The units, for messages: after "a whole number of bytes, or of". */
#define HW_BYTE_UNITS "kB, MB, GB, TB, KiB, MiB, GiB, TiB"

/*
 * Read a whole number of bytes, or of a unit right behind it, into *value.
 * HW_BAD_INPUT: it is no size; HW_LIMIT: more than 2^64-1 bytes; *value is as
 * before then.
 */
hw_code hw_bytes_of_text(const char *text, uint64_t *value);

#endif
