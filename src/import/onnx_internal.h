/*
 * What the parts of the reader of ONNX models share.
 *
 *   onnx_skim.c     the bytes of a file without its weights
 *   onnx_element.c  types of elements, and whether a weight's data fit its shape
 *   onnx_model.c    unpacking, and the steps of reading a model
 *   onnx_inline.c   calls of a model's own functions become the nodes of these
 *   onnx_dims.c     symbolic dimensions
 *   onnx_infer.c    the inference of shapes, in a program of its own
 *   onnx_names.c    names to indices
 *   onnx_scope.c    what the names of a graph and of the graphs inside it stand for
 *   onnx_fold.c     what is constant
 *   onnx_size.c     bytes of values, and what has none
 *   onnx_branch.c   graphs inside of nodes: workspace and captured tensors
 *   onnx_build.c    the graph
 */
#ifndef HW_IMPORT_ONNX_INTERNAL_H
#define HW_IMPORT_ONNX_INTERNAL_H

#include <onnx.pb-c.h>

#include "import/import.h"
#include "import/onnx.h"

/* --- the file ------------------------------------------------------------------------ */

typedef struct hw_onnx_bytes {
    uint8_t *data;
    size_t n, room;
} hw_onnx_bytes;

/* What only the bytes of the file show. */
typedef struct hw_onnx_facts {
    uint32_t external; /* tensors whose data lie in other files */
    bool training;     /* there are fields about training       */
} hw_onnx_facts;

/*
 * A model without what its memory does not depend on: data of tensors beyond a
 * few KiB, comments, fields of later versions.  Reads `in` to its end, passing
 * over the data where the file can be sought in.  out, empty, is released by
 * the caller.  HW_BAD_INPUT (the byte is named): no protobuf of this schema,
 * cut off, nested too deep, names that are not UTF-8, weights whose data do
 * not fit their shape.  HW_IO, HW_STOPPED, HW_NO_MEMORY.  O(bytes read).
 */
hw_code hw_onnx_skim(hw_input *in, hw_onnx_bytes *out, hw_onnx_facts *facts, hw_error *err);

/* A type of elements. */
typedef struct hw_onnx_element {
    const char *name;
    uint16_t bits;   /* 0: strings, which have no size                    */
    uint8_t field;   /* of TensorProto, where data that are not raw stand */
    uint8_t repeats; /* values there for an element; 0: one for a byte    */
} hw_onnx_element;

/* NULL: no such type. */
const hw_onnx_element *hw_onnx_element_of(int64_t number);

/* Bytes of n elements; false: above 2^63 - 1. */
bool hw_onnx_element_bytes(const hw_onnx_element *e, uint64_t n, uint64_t *bytes);

/* What was met of a tensor in the file. */
typedef struct hw_onnx_payload {
    uint64_t at;       /* byte where it begins */
    uint64_t elements; /* of its dimensions    */
    int64_t type;
    uint64_t raw_bytes, values; /* of data                                       */
    uint32_t field;             /* where the values stand; 0: none               */
    bool negative, overflows;   /* a dimension below 0; elements past 2^64 - 1   */
    bool external, mixed;       /* data elsewhere; data in more than one field   */
    bool has_raw;
    char name[48];
} hw_onnx_payload;

/* One dimension more. */
void hw_onnx_payload_dim(hw_onnx_payload *p, int64_t dim);

/* Values, or bytes, more in a field of data. */
void hw_onnx_payload_data(hw_onnx_payload *p, uint32_t field, uint64_t n);

/* HW_BAD_INPUT: the data are not of the size that shape and type tell. */
hw_code hw_onnx_payload_check(const hw_onnx_payload *p, hw_error *err);

/* From names to indices 0, 1, 2, ...; the names stay the model's.  All zeros: empty. */
typedef struct hw_onnx_names {
    const char **name;
    uint32_t *slot; /* index + 1; 0: empty */
    size_t n, room, n_slots;
} hw_onnx_names;

/* --- the model ----------------------------------------------------------------------- */

/* The allocator of an unpacked model, with a limit: a byte of a file can ask for dozens. */
typedef struct hw_onnx_memory {
    ProtobufCAllocator allocator;
    size_t left;
    bool refused; /* more was asked for than is left */
    bool lacked;  /* there was none in the machine   */
} hw_onnx_memory;

enum {
    HW_ONNX_MOST_SYMBOLS = 32,
    HW_ONNX_MOST_TOLD = 4,
    HW_ONNX_TOLD_BYTES = 160,
};

/* One reading of a file. */
typedef struct hw_onnx_job {
    const hw_import *in;
    hw_onnx_facts facts;
    hw_onnx_memory memory;
    Onnx__ModelProto *model;
    hw_onnx_names functions;  /* of the model, while they are expanded: names */
    uint32_t *first_function; /* of each name */
    size_t first_room;
    bool *dim_used;        /* by dimension of the options */
    const char *no_shapes; /* why shapes were not inferred; NULL: they were, or nobody asked */
    char complaint[160];   /* of the inference */

    /* Of one conversion: what has no size, in the order met. */
    const char *symbol[HW_ONNX_MOST_SYMBOLS]; /* names of dimensions, each once */
    bool of_input[HW_ONNX_MOST_SYMBOLS];      /* the caller chooses it; others follow from such */
    size_t n_symbols;
    char told[HW_ONNX_MOST_TOLD][HW_ONNX_TOLD_BYTES];
    size_t n_unsized;

    uint32_t n_folded, n_branches, n_sparse, n_copies, n_defaults, n_crowded, n_resized;
    uint64_t branch_bytes; /* the largest workspace of a branch */
} hw_onnx_job;

/* Unpack skimmed bytes.  HW_BAD_INPUT, HW_NO_MEMORY. */
hw_code hw_onnx_unpack(const hw_onnx_bytes *bytes, hw_onnx_memory *memory, Onnx__ModelProto **out,
                       hw_error *err);
void hw_onnx_release(hw_onnx_memory *memory, Onnx__ModelProto *model);

/*
 * Replace every call of a function that the model defines by the nodes of its
 * body.  HW_BAD_INPUT: functions that call themselves, bodies that multiply
 * beyond measure.  HW_NO_MEMORY.
 */
hw_code hw_onnx_inline(hw_onnx_job *job, hw_error *err);

/* Give the dimensions of inputs that have neither value nor name a name: "x[0]".  HW_NO_MEMORY. */
hw_code hw_onnx_dims_name(hw_onnx_job *job, hw_error *err);

/* Put values for the names of dimensions that the options give; *changed: some were there. */
void hw_onnx_dims_set(hw_onnx_job *job, bool *changed);

/* HW_USAGE: a dimension of the options that no name was found for. */
hw_code hw_onnx_dims_check(hw_onnx_job *job, hw_error *err);

/*
 * Replace the model by one with inferred types and shapes.  order: its nodes,
 * makers before readers.  Where the inference cannot be, the model stays and
 * no_shapes tells why.  HW_BAD_INPUT, HW_IO, HW_STOPPED, HW_NO_MEMORY.
 */
hw_code hw_onnx_infer(hw_onnx_job *job, const uint32_t *order, hw_error *err);

/* --- names and values ---------------------------------------------------------------- */

/* The index of a name, added if it is new; HW_NONE: out of memory. */
uint32_t hw_onnx_names_add(hw_onnx_names *names, const char *name, bool *is_new);
uint32_t hw_onnx_names_find(const hw_onnx_names *names, const char *name);
void hw_onnx_names_clear(hw_onnx_names *names);

/* A tensor of a graph. */
typedef struct hw_onnx_value {
    const char *name;
    const Onnx__TypeProto *type; /* NULL: not told                                    */
    const Onnx__TensorProto *weight;
    const Onnx__SparseTensorProto *sparse;
    uint64_t bytes;
    uint32_t maker;   /* node; HW_NONE: none                                   */
    uint32_t outside; /* the value of the graph around that it is; HW_NONE     */
    int32_t element;  /* type of elements, once measured; 0: not known         */
    bool input, output;
    bool constant; /* a weight, or made of weights alone                    */
    bool wanted;   /* by a node that stays, or as an output                 */
    bool measured;
} hw_onnx_value;

struct hw_onnx_scope;

typedef struct hw_onnx_node {
    struct hw_onnx_scope **branch; /* the graphs among its attributes */
    size_t n_branches;
    uint32_t *hoisted; /* values: constants of its branches */
    size_t n_hoisted, hoisted_room;
    uint64_t workspace;
    unsigned traits;
    bool folded;
    bool locked; /* by what it does, or by what is done inside */
    bool trains; /* does what it does in training, not at inference */
} hw_onnx_node;

/* A graph and what its names stand for.  Released by hw_onnx_scope_close(). */
typedef struct hw_onnx_scope {
    hw_onnx_job *job;
    struct hw_onnx_scope *around; /* NULL: the main graph */
    const Onnx__GraphProto *graph;
    hw_onnx_names names; /* of the values, by index; hoisted ones come after */
    hw_onnx_value *value;
    size_t n_values, room;
    hw_onnx_node *node;
    uint32_t *read_offset, *read; /* values that nodes name as inputs, "" left out */
    uint32_t *order;              /* nodes, makers before readers; NULL before hw_onnx_fold() */
} hw_onnx_scope;

/*
 * Find what each name stands for, here and in graphs inside.  HW_BAD_INPUT:
 * a name that nothing makes, or two do.  HW_NO_MEMORY.
 */
hw_code hw_onnx_scope_open(hw_onnx_job *job, const Onnx__GraphProto *graph, hw_onnx_scope *around,
                           hw_onnx_scope **out, hw_error *err);
void hw_onnx_scope_close(hw_onnx_scope *s);

/* A value without a name that can be found: NULL, no memory. */
hw_onnx_value *hw_onnx_scope_append(hw_onnx_scope *s, const char *name);

/* How a message calls a node: its name, else its first output, else its place. */
const char *hw_onnx_node_name(const hw_onnx_scope *s, size_t v);

/* Which values are constant, which nodes fold.  HW_BAD_INPUT: a cycle.  HW_NO_MEMORY.
 * O(nodes + reads). */
hw_code hw_onnx_fold(hw_onnx_scope *s, hw_error *err);

/*
 * Bytes and element type of a value, where they can be told; else it is
 * counted and told in the job.  HW_BAD_INPUT: a dimension below 0, no such
 * element type, more than 2^63 - 1 bytes, no tensor at all.
 */
hw_code hw_onnx_measure(hw_onnx_scope *s, hw_onnx_value *x, hw_error *err);

/* HW_BAD_INPUT: names what has no size, and the cure. */
hw_code hw_onnx_tell_unsized(const hw_onnx_job *job, hw_error *err);

/*
 * Settle the graphs inside of the nodes that stay: workspace and constants of
 * these.  HW_BAD_INPUT, HW_NO_MEMORY.
 */
hw_code hw_onnx_branches(hw_onnx_scope *s, hw_error *err);

/*
 * The graph of a folded scope; *out is NULL where values have no size.
 * HW_BAD_INPUT, HW_NO_MEMORY.
 */
hw_code hw_onnx_build(hw_onnx_scope *s, hw_graph **out, hw_error *err);

/* Is it among the options' operator types? */
bool hw_onnx_listed(const char *const *names, size_t n, const char *op);

#endif
