/* Digests of units and sections: shared by digest_write.c and digest_verify.c. */
#ifndef HW_MERGE_DIGEST_INTERNAL_H
#define HW_MERGE_DIGEST_INTERNAL_H

#include "merge/digest.h"

enum { HW_DIGEST_DIGITS = 12, HW_DIGEST_TEXT = 13, HW_DIGEST_FORMAT = 1 };
#define HW_DIGEST_NAME "highwater-digests"

/* The digest of a unit without the runs for which skip[run] is true (NULL: with all). */
hw_code hw_unit_digest(const hw_merged_unit *unit, const bool *skip, char text[HW_DIGEST_TEXT],
                       hw_error *err);

/* A digest of the solvers of a section, with their limits. */
void hw_section_digest(const hw_suite_section *section, char text[HW_DIGEST_TEXT]);

/* "alloc-first", "free-first pinned": the key of the digests of such units. */
enum { HW_DIGEST_KEY_TEXT = 32 };
void hw_digest_key(const hw_suite_unit *unit, char text[HW_DIGEST_KEY_TEXT]);

#endif
