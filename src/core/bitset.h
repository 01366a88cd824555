/*
 * Sets of small integers as arrays of 64-bit words.
 *
 * The number of words is passed with each call, so that a caller who writes a
 * constant there gets straight code (hw_words(40) is 1).
 */
#ifndef HW_CORE_BITSET_H
#define HW_CORE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For functions whose constant arguments choose what is compiled. */
#define HW_SPECIALIZE static inline __attribute__((always_inline))

static inline size_t hw_words(uint32_t members)
{
    return ((size_t)members + 63) / 64;
}

/* The lowest member of a word that is not 0. */
static inline uint32_t hw_lowest_bit(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static inline uint32_t hw_count_bits(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

static inline uint64_t hw_bit(uint32_t member)
{
    return UINT64_C(1) << (member & 63);
}

static inline bool hw_bits_have(const uint64_t *set, uint32_t member)
{
    return (set[member >> 6] >> (member & 63)) & 1;
}

static inline void hw_bits_add(uint64_t *set, uint32_t member)
{
    set[member >> 6] |= hw_bit(member);
}

static inline void hw_bits_remove(uint64_t *set, uint32_t member)
{
    set[member >> 6] &= ~hw_bit(member);
}

HW_SPECIALIZE bool hw_bits_equal(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t differ = 0;
    for (size_t i = 0; i < words; i++)
        differ |= a[i] ^ b[i];
    return differ == 0;
}

/* 64 mixed bits of a set (the finisher of splitmix64, a round a word). */
HW_SPECIALIZE uint64_t hw_bits_hash(const uint64_t *set, size_t words)
{
    uint64_t h = 0;
    for (size_t i = 0; i < words; i++) {
        h = (h ^ set[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 29;
    }
    h *= UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 32);
}

#endif
