/*
 * The 64-bit seeded generator, as a GSL type, so that every gsl_ran_* law
 * draws from it.
 *
 * xoshiro256** 1.0 (Blackman and Vigna, 2018), its state filled by splitmix64
 * (Steele, Lea and Flood, 2014) from one 64-bit seed.  GSL's own generators
 * take 32-bit seeds and treat 0 as a default; this one takes all 64 bits and
 * treats 0 as any other seed.
 */
#ifndef HW_CORE_RNG_H
#define HW_CORE_RNG_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The default campaign seed, printed by every command that uses one. */
#define HW_DEFAULT_SEED UINT64_C(20240229)

/* A generator of the caller's, released by gsl_rng_free(); NULL: no memory. */
gsl_rng *hw_rng_new(uint64_t seed);

/* The next 64 bits. */
uint64_t hw_rng_u64(gsl_rng *rng);

/* Uniform in 0 .. bound - 1 without bias (Lemire, 2019); bound > 0. */
uint64_t hw_rng_below(gsl_rng *rng, uint64_t bound);

/*
 * The seed of instance `index` of a family: the first 64 bits of SHA-256 over
 * campaign seed, family and canonical parameters, and index (highwater-model(7)).
 * A function of these alone, whatever the order or the number of jobs.
 */
uint64_t hw_instance_seed(uint64_t campaign_seed, const char *family_and_params, uint64_t index);

#ifdef __cplusplus
}
#endif

#endif
