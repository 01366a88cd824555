/*
 * Instances of the adversarial families and what is promised of them: shared by
 * the test that holds promises against runs and the table that it prints.
 */
#ifndef HW_TESTS_SUPPORT_ADVERSARIAL_H
#define HW_TESTS_SUPPORT_ADVERSARIAL_H

#include "gen/adversarial.h"

enum { ADVERSARIAL_SPEC_BYTES = 256 };

typedef enum adversarial_kind { LADDER, FAN, PAIRS, BRANCHES, HARPOON, N_KINDS } adversarial_kind;

typedef struct adversarial {
    adversarial_kind kind;
    uint64_t size;        /* rungs, branches, levels             */
    uint64_t big, small;  /* rise, large; thin                   */
    uint64_t more;        /* excess; block; branches of harpoons */
    bool loose;           /* the fan: kept=no                    */
    const char *settings; /* parameters beyond these, with a comma before them */
} adversarial;

/* "adversarial-...:param=value,..." */
void adversarial_spec(const adversarial *x, char spec[ADVERSARIAL_SPEC_BYTES]);

/* What the head of the family's file promises; `lost`: rungs not begun when the gate runs. */
uint64_t adversarial_optimum(const adversarial *x, hw_accounting a);
uint64_t adversarial_peak(const adversarial *x, uint64_t lost, hw_accounting a);

/*
 * The instance of about n nodes, small things as small as they may be; settings
 * stay the caller's.  Of the fan the gate alone settles the optimum.
 */
adversarial adversarial_of_nodes(adversarial_kind kind, const char *settings, bool loose,
                                 uint64_t n);

/* The graph and its model; a failure fails the test.  Both released by the caller. */
hw_model *adversarial_model(const adversarial *x, hw_accounting a, hw_graph **g);

/*
 * The optimum, proven at any size: by what one node needs on ladder, fan and
 * pairs, by liu on branches and harpoons, which are trees.
 */
uint64_t adversarial_proven(const hw_model *m, const adversarial *x);

/* The peak of a rule; the optimum by a solver that proves it. */
uint64_t adversarial_rule_peak(const hw_model *m, const char *rule);
uint64_t adversarial_solved(const hw_model *m, const char *solver);

#endif
