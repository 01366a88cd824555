/*
 * The seal of a line of results: a hash of all its bytes but the seal's own
 * digits, under the key "seal".  It tells a line that was changed after it was
 * written, in whatever column; it is no signature: who wants to can seal anew.
 *
 * Two lines of one length that differ within eight bytes that are hashed
 * together, as those where one byte was changed, never have the same seal;
 * others do by chance, once in 2^64.
 */
#ifndef HW_BENCH_SEAL_H
#define HW_BENCH_SEAL_H

#include <stddef.h>

/* What is written under the key before the line is sealed. */
#define HW_SEAL_BLANK "0000000000000000"

typedef enum hw_seal {
    HW_SEAL_NONE,  /* there is none in the form in which seals are written */
    HW_SEAL_FITS,  /* the line is as it was sealed                         */
    HW_SEAL_BROKEN /* it was changed                                       */
} hw_seal;

/*
 * Put the digits of its seal into a line that holds a blank one.  length: of
 * the line, without its newline.  A line without the key stays as it is.  O(length).
 */
void hw_seal_set(char *line, size_t length);

/* Does the seal fit the line?  length: as above.  O(length). */
hw_seal hw_seal_check(const char *line, size_t length);

#endif
