/*
 * One graph at several sizes: the same nodes, edges, ids and flags, and for
 * each value of a dimension other sizes of tensors and workspaces.
 *
 * The sizes come from a file with symbolic dimensions, read anew at every
 * value; from a family of gen/ one of whose parameters is the dimension
 * ("nets:net=unet" and resolution); or from any graph and a rule of growth
 * (scale.h).  That the graphs are the same is checked, never assumed.
 */
#ifndef HW_IMPORT_SWEEP_H
#define HW_IMPORT_SWEEP_H

#include "import/import.h"

enum { HW_SWEEP_MOST_VALUES = 1024, HW_SWEEP_MOST_NAMES = 16 };

/* What varies.  Released by hw_sweep_axis_clear(). */
typedef struct hw_sweep_axis {
    char *text;                      /* holds the names                       */
    char *name[HW_SWEEP_MOST_NAMES]; /* dimensions that all have the value    */
    size_t n_names;
    uint64_t *value; /* ascending, distinct */
    size_t n_values;
} hw_sweep_axis;

/*
 * Read "H=224:1024:32", "H=224,512,1024", "H,W=64:256:64,512": names that vary
 * together, and values N, LOW:HIGH or LOW:HIGH:STEP (HIGH counts where a step
 * meets it) from 0 to 2^63-1, sorted here.  HW_USAGE: none of these, a value or name
 * twice, more values than HW_SWEEP_MOST_VALUES.  HW_NO_MEMORY.
 */
hw_code hw_sweep_axis_read(const char *text, hw_sweep_axis *out, hw_error *err);
void hw_sweep_axis_clear(hw_sweep_axis *axis);

/* Does the text give several values, so that it is an axis and no fixed dimension? */
bool hw_sweep_is_axis(const char *text);

/* Everything that a sweep is made from; must outlive it. */
typedef struct hw_sweep_request {
    const char *source;               /* a file of any format or, where there is none of that name,
                                         a family: "nets:net=unet" */
    const hw_sweep_axis *axis;        /* at least one value */
    const hw_import_options *options; /* NULL: nothing; their dims are fixed dimensions (of a
                                         family: parameters) */
    uint64_t seed;                    /* of a family, and of a rule that draws */
    uint64_t index;                   /* instance of a family */
    const char *scale;                /* rule of growth; NULL: the source knows the dimension */
    uint64_t base; /* with a rule: the value that the source's sizes hold for; 0: the first value */
} hw_sweep_request;

typedef struct hw_sweep hw_sweep;

/*
 * Open a sweep and make its first graph.  report: as hw_import_load(), NULL: nobody asks.
 * HW_USAGE: no such file or family, a family without this parameter, standard
 * input that would be read again; errors of the importer, of the family and of
 * the rule; HW_NO_MEMORY.
 */
hw_code hw_sweep_open(const hw_sweep_request *request, hw_import_report *report, hw_sweep **out,
                      hw_error *err);
void hw_sweep_close(hw_sweep *s);

/* The graph at the first value.  The sweep's. */
const hw_graph *hw_sweep_first(const hw_sweep *s);

/*
 * The graph at value `i` of the axis, the caller's; its name ends in " H=512".
 * HW_BAD_INPUT: it is not the first graph but for sizes, with the first
 * difference; errors as above.  O(graph) beside the source.
 */
hw_code hw_sweep_graph(const hw_sweep *s, size_t i, hw_graph **out, hw_error *err);

/*
 * Are two graphs the same but for sizes and names?  Otherwise text tells the
 * first difference ("node 7 reads tensor 4 here and tensor 5 there").  O(graph).
 */
enum { HW_SWEEP_DIFFERENCE = 400 };
bool hw_sweep_same(const hw_graph *a, const hw_graph *b, char text[HW_SWEEP_DIFFERENCE]);

#endif
