/* ONNX models written as text, for tests. */
#ifndef HW_TESTS_SUPPORT_ONNX_H
#define HW_TESTS_SUPPORT_ONNX_H

#include "import/import.h"

/*
 * The bytes of a model, written on the wire by hand (no code is shared with
 * what reads them).  One thing a line, words between blanks:
 *
 *   ir N                      version; 8 if not given
 *   opset N                   of the default domain; 13 if not given
 *   input NAME TYPE DIMS      TYPE: float, int64, ... or a number; DIMS: 1,3,H or ? or -1,
 *   value NAME TYPE DIMS      "-" a scalar, "none" no shape
 *   output NAME [TYPE DIMS]
 *   init NAME TYPE DIMS [= N...]      a weight; data of zeros, or numbers (int64)
 *   external NAME TYPE DIMS           a weight whose data lie elsewhere
 *   bare NAME TYPE DIMS               a weight without data
 *   sparse NAME TYPE DIMS N           a sparse weight of N values
 *   node OP[:NAME][@DOMAIN] INPUTS -> OUTPUTS   by commas; "_" one left out; "-" none
 *   int NAME N | ints NAME N,... | ref NAME REF | tensor NAME TYPE DIMS [= N...]
 *                             attributes of the node before
 *   graph NAME ... end        a graph as an attribute of the node before
 *   function NAME@DOMAIN INPUTS -> OUTPUTS ... end
 *   training                  a field about training
 *   anything NAME KIND        an input that is no tensor: 4 sequence, 5 map, 9 optional
 *
 * The caller's.
 */
char *onnx_bytes(const char *text, size_t *n);

/* Read bytes as the importer does.  Options and report may be NULL. */
hw_code onnx_read(const char *bytes, size_t n, const hw_import_options *options,
                  hw_import_report *report, hw_graph **out, hw_error *err);

/* The graph of a model written as text; the test fails where there is none. */
hw_graph *onnx_graph(const char *text, const hw_import_options *options, hw_import_report *report);

uint32_t onnx_node_named(const hw_graph *g, const char *name);

/* One tensor: its size and kind. */
void onnx_expect_tensor(const hw_graph *g, const char *name, uint64_t size, hw_kind kind);

/* Inputs of a node, as a list of names with a blank behind each. */
void onnx_expect_inputs(const hw_graph *g, const char *node, const char *names);

/* In-place pairs of a node. */
uint32_t onnx_pairs(const hw_graph *g, const char *node);
bool onnx_is_view(const hw_graph *g, const char *node);
bool onnx_has_note(const hw_import_report *r, const char *part);

/* Without the inference of shapes there is nothing to try it with. */
bool onnx_cannot_infer(void);

#endif
