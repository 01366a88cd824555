/*
 * The tree of section 1.3 (100 MB, two of 80 MB, four of 50 MB) in every
 * reading that its text leaves open.
 */
#ifndef HW_CLAIMS_TREE_H
#define HW_CLAIMS_TREE_H

#include "claims/claim.h"

#define HW_TREE_MB UINT64_C(1000000)

typedef enum hw_tree_shape {
    HW_TREE_2_2, /* two leaves on each branch                      */
    HW_TREE_1_3, /* one on the first, three on the second          */
    HW_TREE_1_1, /* one on each: as far as the article's walk goes */
    HW_TREE_SHAPES
} hw_tree_shape;

typedef enum hw_tree_root {
    HW_TREE_COMPUTED, /* made by the first operator */
    HW_TREE_GIVEN,    /* an input of the graph, freed after its last use */
    HW_TREE_PINNED,   /* an input that the caller keeps */
    HW_TREE_ROOTS
} hw_tree_root;

typedef enum hw_tree_outputs {
    HW_TREE_SHARED, /* one output for all consumers          */
    HW_TREE_COPIES, /* one of full size for each consumer    */
    HW_TREE_PARTS,  /* the output in parts, one a consumer   */
    HW_TREE_OUTPUTS
} hw_tree_outputs;

typedef enum hw_tree_release {
    HW_TREE_BY_COUNT, /* after the last consumer, as section 1.2 says  */
    HW_TREE_BY_LAYER, /* once the layer of the last consumer has ended */
    HW_TREE_NEVER,    /* at the end                                    */
    HW_TREE_RELEASES
} hw_tree_release;

typedef struct hw_tree {
    hw_tree_shape shape;
    bool leaves_kept;
    hw_tree_root root;
    hw_tree_outputs outputs;
    hw_tree_release release;
} hw_tree;

/*
 * All readings, that of the text as it stands first: t[0 .. count).  Release by
 * layer or never is there for shared outputs of a computed root alone, and
 * release never with leaves kept alone (they are anyway).
 */
enum { HW_TREE_MOST = 54 + 9 };
size_t hw_tree_readings(hw_tree t[HW_TREE_MOST]);

/* "leaves 2+2, discarded", and what differs from the text as it stands. */
enum { HW_TREE_TEXT = 160 };
void hw_tree_name(const hw_tree *t, char text[HW_TREE_TEXT]);

/* The text as it stands, whatever becomes of the leaves. */
bool hw_tree_is_plain(const hw_tree *t);

/* The graph; inputs are to be pinned where t->root says so.  HW_NO_MEMORY. */
hw_code hw_tree_graph(const hw_tree *t, hw_graph **out, hw_error *err);

/* Peaks of one reading by the solver `spec`, in MB, by accounting. */
hw_code hw_tree_peaks(hw_claim_run *run, const hw_tree *t, const char *spec, uint64_t mb[2],
                      hw_error *err);

/*
 * What the readings gave, against the article's figure.  The text as it stands
 * leaves eight cases open: 2+2 or 1+3, kept or discarded, and the accounting.
 */
typedef struct hw_tree_tally {
    uint64_t article_mb;
    size_t readings, giving;      /* giving the figure under some accounting        */
    size_t plain, plain_giving;   /* cases of the text as it stands                 */
    uint64_t least, most;         /* MB, over these                                 */
    char where[4 * HW_TREE_TEXT]; /* the cases that give it: plain ones if there are */
    size_t length;
    bool where_plain;
    size_t beyond; /* readings other than the text as it stands that give it   */
    bool walk;     /* one of them is the article's own walk, a leaf a branch   */
} hw_tree_tally;

/* Count a reading with its peaks by accounting; true if it gives the figure. */
bool hw_tree_count(hw_tree_tally *tally, const hw_tree *t, const uint64_t mb[2]);

/* Numbers "readings", "readings-giving", "least", "most", and the condition if there is one. */
hw_code hw_tree_tell(hw_claim_run *run, const hw_tree_tally *tally, hw_error *err);
hw_claim_verdict hw_tree_verdict(const hw_tree_tally *tally);

/* The same graph and its peaks under one accounting as an example. */
hw_code hw_tree_example(hw_claim_run *run, const hw_tree *t, const char *name,
                        hw_accounting accounting, const char *const *specs, size_t n_specs,
                        hw_error *err);

#endif
