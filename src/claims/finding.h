/* What an experiment found, and its way from one process to another. */
#ifndef HW_CLAIMS_FINDING_H
#define HW_CLAIMS_FINDING_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "claims/claim.h"

typedef struct hw_claim_tried {
    char *reading, *outcome;
    bool holds;
} hw_claim_tried;

typedef struct hw_claim_value {
    char *name, *unit;
    double value;
    bool measured;
} hw_claim_value;

/* "spec reaches peak": what an example shows. */
typedef struct hw_claim_showing {
    char *spec;
    hw_accounting accounting;
    bool pinned;
    uint64_t peak;
} hw_claim_showing;

typedef struct hw_claim_sample {
    char *name; /* "C06-two-nodes": that of the file without .json */
    hw_claim_showing *shows;
    size_t n_shows, room;
} hw_claim_sample;

/* Arrays and texts are the finding's. */
typedef struct hw_claim_finding {
    const hw_claim_row *row;
    hw_code code; /* HW_OK: decided; otherwise why not, in message: */
    hw_claim_verdict verdict;
    char *message;   /* NULL with HW_OK                        */
    char *figure;    /* with {names} of measured numbers, as all sentences */
    char *condition; /* NULL: none */
    hw_claim_tried *tried;
    size_t n_tried, tried_room;
    hw_claim_value *values;
    size_t n_values, value_room;
    hw_claim_sample *samples;
    size_t n_samples, sample_room;
    double seconds; /* wall time of the experiment */
} hw_claim_finding;

struct hw_claim_run {
    hw_claim_finding *finding;
    uint64_t seed;
    bool quick;
    const char *examples, *graphs; /* folders, or NULL */
    const volatile sig_atomic_t *stop;
};

/* Release what it holds and set it to nothing. */
void hw_claim_finding_clear(hw_claim_finding *f);

/* The number of that name (`length` bytes), or NULL. */
const hw_claim_value *hw_claim_value_find(const hw_claim_finding *f, const char *name,
                                          size_t length);

/* Write all but the row; write errors stay in the stream. */
void hw_claim_finding_send(const hw_claim_finding *f, FILE *out);

/*
 * Read it back from bytes that hw_claim_finding_send() wrote.  HW_INTERNAL:
 * they are torn.  HW_NO_MEMORY.  *f needs hw_claim_finding_clear() either way.
 */
hw_code hw_claim_finding_receive(const char *bytes, size_t n_bytes, hw_claim_finding *f,
                                 hw_error *err);

#endif
