/*
 * Graphs as the "memory-efficient DAG scheduling challenge" (dagmem) writes
 * them: N and M, then the sizes of N results, then M pairs "u v": node v, from
 * 0, reads the result of node u.  Blanks and line ends alike part the numbers.
 *
 * Node v makes tensor v; a result that no node reads is kept to the end, as
 * the challenge counts it.  A pair that stands twice counts once.
 * Source: https://github.com/wateret/dagmem, README.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "import/draft.h"
#include "import/importers.h"
#include "import/numbers.h"

static bool tell(const char *bytes, size_t n, bool whole)
{
    hw_numbers_shape shape;
    if (!hw_numbers_head(bytes, n, whole, &shape) || shape.nodes == 0)
        return false;
    if (shape.second_cut)
        return true;
    return shape.second == shape.nodes && shape.third == (shape.edges ? 2U : 0U);
}

static hw_code read_sizes(hw_numbers *s, uint64_t n, hw_draft *d, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint64_t v = 0; code == HW_OK && v < n; v++) {
        char what[48];
        uint64_t size;
        uint32_t node;
        (void)snprintf(what, sizeof what, "the size of node %" PRIu64, v);
        code = hw_numbers_next(s, what, INT64_MAX, &size, err);
        if (code == HW_OK)
            code = hw_draft_node_add(d, NULL, NULL, &node, err);
        if (code == HW_OK)
            code = hw_draft_tensor_add(d, size, HW_ACTIVATION, node, NULL, NULL, err);
    }
    return code;
}

static hw_code read_pairs(hw_numbers *s, uint64_t n, uint64_t m, hw_draft *d, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint64_t i = 0; code == HW_OK && i < m; i++) {
        uint64_t from, to;
        code = hw_numbers_next(s, "the first node of an edge", n - 1, &from, err);
        if (code == HW_OK)
            code = hw_numbers_next(s, "the second node of an edge", n - 1, &to, err);
        if (code == HW_OK && from == to)
            code = hw_fail(err, HW_BAD_INPUT,
                           "%s:%" PRIu64 ": node %" PRIu64 " reads its own result: take the "
                           "edge out",
                           s->file, s->line, from);
        if (code == HW_OK)
            code = hw_draft_read_add(d, (uint32_t)to, (uint32_t)from, err);
    }
    return code;
}

static hw_code read_all(hw_numbers *s, hw_draft *d, hw_error *err)
{
    uint64_t n = 0, m = 0;
    hw_code code = hw_numbers_next(s, "the number of nodes", HW_NONE - 1, &n, err);
    if (code == HW_OK)
        code = hw_numbers_next(s, "the number of edges", UINT32_MAX, &m, err);
    if (code == HW_OK && n == 0 && m > 0)
        code = hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": %" PRIu64 " edges without a node: mend the counts", s->file,
                       s->line, m);
    if (code == HW_OK)
        code = read_sizes(s, n, d, err);
    if (code == HW_OK)
        code = read_pairs(s, n, m, d, err);
    return code == HW_OK ? hw_numbers_end(s, "N M, N sizes, M edges", err) : code;
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    hw_draft d = {0};
    hw_numbers s;
    *out = NULL;
    hw_code code = hw_numbers_open(&s, in->input, err);
    if (code == HW_OK)
        code = read_all(&s, &d, err);
    if (code == HW_OK) {
        hw_draft_keep_results(&d);
        code = hw_draft_graph(&d, in->path, "dagmem", NULL, out, err);
    }
    hw_draft_clear(&d);
    return code;
}

const hw_importer hw_importer_dagmem = {
    .name = "dagmem",
    .title = "dagmem text",
    .help = "N M, the sizes of N results, M pairs of nodes",
    .tell = tell,
    .read = read,
};
