/* The 64-bit seeded generator as a GSL type.  See rng.h. */
#include "core/rng.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "core/memory.h"

typedef struct state {
    uint64_t s[4];
} state;

static uint64_t rotate_left(uint64_t x, unsigned k)
{
    return (x << k) | (x >> (64U - k));
}

static uint64_t next(state *st)
{
    uint64_t *s = st->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

static void seed_state(state *st, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        st->s[i] = z ^ (z >> 31);
    }
}

static void gsl_set(void *vstate, unsigned long seed)
{
    seed_state(vstate, seed);
}

/* GSL's interface hands out unsigned long; the upper 32 bits serve every
 * platform alike, so that an instance does not depend on the word size. */
static unsigned long gsl_get(void *vstate)
{
    return (unsigned long)(next(vstate) >> 32);
}

static double gsl_get_double(void *vstate)
{
    return (double)(next(vstate) >> 11) * 0x1.0p-53;
}

static const gsl_rng_type xoshiro256ss = {
    "xoshiro256**", 0xffffffffUL, 0, sizeof(state), gsl_set, gsl_get, gsl_get_double,
};

/* As gsl_rng_alloc(), which without memory calls a handler that ends the program by default. */
gsl_rng *hw_rng_new(uint64_t seed)
{
    gsl_rng *rng = HW_NEW(gsl_rng, 1);
    state *st = HW_NEW(state, 1);
    if (!rng || !st) {
        free(rng);
        free(st);
        return NULL;
    }
    seed_state(st, seed); /* all 64 bits, even where long has 32 */
    *rng = (gsl_rng){&xoshiro256ss, st};
    return rng;
}

uint64_t hw_rng_u64(gsl_rng *rng)
{
    return next(rng->state);
}

uint64_t hw_rng_below(gsl_rng *rng, uint64_t bound)
{
    __extension__ typedef unsigned __int128 u128;
    u128 product = (u128)hw_rng_u64(rng) * bound;
    uint64_t low = (uint64_t)product;
    if (low < bound) {
        const uint64_t floor = (0 - bound) % bound;
        while (low < floor) {
            product = (u128)hw_rng_u64(rng) * bound;
            low = (uint64_t)product;
        }
    }
    return (uint64_t)(product >> 64);
}

uint64_t hw_instance_seed(uint64_t campaign_seed, const char *family_and_params, uint64_t index)
{
    uint8_t words[16];
    for (unsigned i = 0; i < 8; i++) {
        words[i] = (uint8_t)(campaign_seed >> (8 * i));
        words[8 + i] = (uint8_t)(index >> (8 * i));
    }
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, words, sizeof words);
    SHA256Update(&context, (const uint8_t *)family_and_params, strlen(family_and_params));
    SHA256Final(digest, &context);
    uint64_t seed = 0;
    for (unsigned i = 0; i < 8; i++)
        seed |= (uint64_t)digest[i] << (8 * i);
    return seed;
}
