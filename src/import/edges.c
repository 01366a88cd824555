/*
 * Edge lists with sizes: lines "u v bytes", where u and v are any words and v
 * reads what u makes; what follows # is a comment, blank lines are passed over.
 *
 * Every line is a tensor of its own, or, after a line "# tensors: per-producer",
 * all lines of one u tell the same tensor, with one reader each, and must agree
 * on its bytes ("# tensors: per-edge" says the first).  Nodes stand in the
 * order in which they are named first, each behind those that it reads from; a
 * node that no other reads makes nothing.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/draft.h"
#include "import/importers.h"
#include "import/names.h"
#include "io/text.h"

typedef struct word {
    char *at;
    size_t n;
} word;

/* The words of a line before #, at most 3 of them kept; the number of all. */
static size_t split(char *line, size_t length, word words[3])
{
    size_t n = 0;
    for (size_t i = 0; i < length && line[i] != '#';) {
        if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
            i++;
            continue;
        }
        size_t from = i;
        while (i < length && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '#')
            i++;
        if (n < 3)
            words[n] = (word){line + from, i - from};
        n++;
    }
    return n;
}

static bool digits_only(word w)
{
    for (size_t i = 0; i < w.n; i++)
        if (w.at[i] < '0' || w.at[i] > '9')
            return false;
    return w.n > 0;
}

static bool tell(const char *bytes, size_t n, bool whole)
{
    const char *at = bytes, *end = bytes + n;
    size_t edges = 0;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed && !whole)
            break;
        word w[3];
        size_t length = (size_t)((feed ? feed : end) - at);
        size_t words = split((char *)at, length, w);
        if (memchr(at, '\0', length) || (words != 0 && words != 3))
            return false;
        if (words == 3 && !digits_only(w[2]))
            return false;
        if (words == 3 && edges == 0 && w[0].n == 1 && *w[0].at == 'p')
            return false; /* the first line of highwater's own lines */
        edges += words == 3;
        at = feed ? feed + 1 : end;
    }
    return edges > 0;
}

typedef struct reading {
    hw_input *in;
    hw_error *err;
    hw_draft d;
    hw_names names;
    bool per_producer;
    uint32_t *made; /* per producer: the tensor of each node, HW_NONE: none yet */
    size_t made_room;
} reading;

static hw_code fail_line(const reading *r, const char *what)
{
    return hw_fail(r->err, HW_BAD_INPUT, "%s:%" PRIu64 ": %s", r->in->name, r->in->line, what);
}

/* "# tensors: per-producer", wherever it stands before the first edge. */
static hw_code read_comment(reading *r, const char *line, size_t length)
{
    static const char key[] = "tensors:";
    size_t i = 1;
    while (i < length && (line[i] == ' ' || line[i] == '\t'))
        i++;
    if (length - i < sizeof key - 1 || memcmp(line + i, key, sizeof key - 1) != 0)
        return HW_OK;
    i += sizeof key - 1;
    while (i < length && (line[i] == ' ' || line[i] == '\t'))
        i++;
    while (length > i && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    if (r->d.n_reads > 0)
        return fail_line(r, "'# tensors:' stands behind an edge: put it before the first");
    bool producer = length - i == 12 && memcmp(line + i, "per-producer", 12) == 0;
    if (!producer && (length - i != 8 || memcmp(line + i, "per-edge", 8) != 0))
        return fail_line(r, "after '# tensors:' stands per-edge or per-producer");
    r->per_producer = producer;
    return HW_OK;
}

static hw_code node_of(reading *r, word w, uint32_t *out)
{
    bool added;
    *out = hw_names_add(&r->names, w.at, w.n, &added);
    if (*out == UINT32_MAX)
        return hw_fail_memory(r->err, "the nodes of a graph");
    if (!added)
        return HW_OK;
    char kept = w.at[w.n]; /* the byte after a word of a line can be written to */
    w.at[w.n] = '\0';
    hw_code code = hw_draft_node_add(&r->d, w.at, NULL, NULL, r->err);
    w.at[w.n] = kept;
    if (code == HW_BAD_INPUT)
        hw_error_prefix(r->err, "%s:%" PRIu64 ": ", r->in->name, r->in->line);
    if (code == HW_OK && !hw_grow((void **)&r->made, &r->made_room, *out + 1U, sizeof *r->made))
        return hw_fail_memory(r->err, "the nodes of a graph");
    if (code == HW_OK)
        r->made[*out] = HW_NONE;
    return code;
}

static hw_code bytes_of(const reading *r, word w, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < w.n; i++) {
        unsigned digit = (unsigned)(w.at[i] - '0');
        if (digit > 9)
            return fail_line(r, "the third word is no number of bytes: write digits alone");
        if (*out > ((uint64_t)INT64_MAX - digit) / 10)
            return fail_line(r, "the bytes are more than 2^63 - 1: take a larger unit");
        *out = 10 * *out + digit;
    }
    return HW_OK;
}

/* The tensor that the edge tells; a new one unless its producer has made it already. */
static hw_code tensor_of(reading *r, uint32_t from, uint64_t bytes, uint32_t *out)
{
    *out = r->per_producer ? r->made[from] : HW_NONE;
    if (*out == HW_NONE) {
        hw_code code = hw_draft_tensor_add(&r->d, bytes, HW_ACTIVATION, from, NULL, out, r->err);
        r->made[from] = *out;
        return code;
    }
    char node[HW_DRAFT_NODE_TEXT];
    if (r->d.tensor[*out].size == bytes)
        return HW_OK;
    return hw_fail(r->err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": what node %s makes has %" PRIu64 " bytes here and %" PRIu64
                   " above: one tensor per producer has one size; or give every edge its own "
                   "(# tensors: per-edge)",
                   r->in->name, r->in->line, hw_draft_node_text(&r->d, from, node), bytes,
                   r->d.tensor[*out].size);
}

static hw_code read_edge(reading *r, const word words[3])
{
    uint32_t from = 0, to = 0, tensor = 0;
    uint64_t bytes = 0;
    hw_code code = bytes_of(r, words[2], &bytes);
    if (code == HW_OK)
        code = node_of(r, words[0], &from);
    if (code == HW_OK)
        code = node_of(r, words[1], &to);
    if (code == HW_OK && from == to)
        code = fail_line(r, "a node reads what it makes: take the edge out");
    if (code == HW_OK)
        code = tensor_of(r, from, bytes, &tensor);
    return code == HW_OK ? hw_draft_read_add(&r->d, to, tensor, r->err) : code;
}

static hw_code read_lines(reading *r)
{
    for (;;) {
        char *line;
        size_t length;
        hw_code code = hw_input_line(r->in, &line, &length, r->err);
        if (code != HW_OK || !line)
            return code;
        word words[3];
        size_t n = split(line, length, words);
        if (memchr(line, '\0', length))
            return fail_line(r, "a NUL byte: this is no text");
        if (n == 0 && length > 0 && *line == '#')
            code = read_comment(r, line, length);
        else if (n == 3)
            code = read_edge(r, words);
        else if (n != 0)
            code = fail_line(r, "a line is 'u v bytes', two nodes and a number");
        if (code != HW_OK)
            return code;
    }
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    reading r = {.in = in->input, .err = err};
    *out = NULL;
    hw_code code = read_lines(&r);
    if (code == HW_OK)
        code = hw_draft_sort(&r.d, err);
    if (code == HW_OK)
        code = hw_draft_graph(&r.d, in->path, "edge list", NULL, out, err);
    hw_draft_clear(&r.d);
    hw_names_clear(&r.names);
    free(r.made);
    return code;
}

const hw_importer hw_importer_edges = {
    .name = "edges",
    .title = "edge list",
    .help = "lines 'u v bytes'; a tensor per edge, or per producer",
    .tell = tell,
    .read = read,
};
