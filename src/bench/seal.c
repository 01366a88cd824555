/* The seal of a line of results.  See seal.h. */
#include "bench/seal.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS = sizeof HW_SEAL_BLANK - 1, WORD = 8, BITS = 8 };

static uint64_t byte_at(const char *bytes, size_t i)
{
    return (uint64_t)(unsigned char)bytes[i] << (BITS * i);
}

/* The same on every machine, whichever byte of a number comes first there; one load on most. */
static uint64_t word_at(const char *b)
{
    return byte_at(b, 0) | byte_at(b, 1) | byte_at(b, 2) | byte_at(b, 3) | byte_at(b, 4) |
           byte_at(b, 5) | byte_at(b, 6) | byte_at(b, 7);
}

/* One to one in the hash and in the word: exclusive or, an odd factor, a shift that can be undone.
 */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t add(uint64_t hash, const char *bytes, size_t n)
{
    size_t at = 0;
    hash = mix(hash, n);
    for (; n - at >= WORD; at += WORD)
        hash = mix(hash, word_at(bytes + at));
    uint64_t rest = 0;
    for (size_t i = 0; at + i < n; i++)
        rest |= byte_at(bytes + at, i);
    return mix(hash, rest);
}

/*
 * The digits in a line of that length, or NULL; from its end, to which they
 * are near.  Within a string a quote is escaped, so that the key cannot stand
 * there.
 */
static const char *find_digits(const char *line, size_t length)
{
    static const char key[] = ",\"seal\":\"";
    const size_t key_length = sizeof key - 1, needed = key_length + DIGITS + 1;
    for (size_t i = length < needed ? 0 : length - needed + 1; i-- > 0;)
        if (line[i] == ',' && line[i + needed - 1] == '"' && memcmp(line + i, key, key_length) == 0)
            return line + i + key_length;
    return NULL;
}

static void digits_of(const char *line, size_t length, const char *place, char digits[DIGITS])
{
    const char *behind = place + DIGITS;
    uint64_t hash = add(0, line, (size_t)(place - line));
    hash = add(hash, behind, length - (size_t)(behind - line));
    for (size_t i = DIGITS; i-- > 0; hash >>= 4)
        digits[i] = "0123456789abcdef"[hash & 15];
}

void hw_seal_set(char *line, size_t length)
{
    const char *place = find_digits(line, length);
    if (place)
        digits_of(line, length, place, line + (place - line));
}

hw_seal hw_seal_check(const char *line, size_t length)
{
    char digits[DIGITS];
    const char *place = find_digits(line, length);
    if (!place)
        return HW_SEAL_NONE;
    digits_of(line, length, place, digits);
    return memcmp(digits, place, DIGITS) == 0 ? HW_SEAL_FITS : HW_SEAL_BROKEN;
}
