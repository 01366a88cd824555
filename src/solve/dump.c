/*
 * A dump for a bug report.  See dump.h.
 *
 * The file is itself a graph in the line format: claim, finding and order
 * stand in its comments, so that it can be loaded as it is.
 */
#define _DEFAULT_SOURCE /* mkstemps */
#include "solve/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/io.h"

enum { NAME_BYTES = 512, SUFFIX_BYTES = 4 };

/* A fresh file in the current folder, else in the one for temporary files. */
static FILE *open_fresh(const char *what, char name[NAME_BYTES])
{
    const char *temporary = getenv("TMPDIR");
    const char *const folders[] = {".", temporary && *temporary ? temporary : "/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(name, NAME_BYTES, "%s/highwater-%s-XXXXXX.txt", folders[i], what);
        if (length < 0 || length >= NAME_BYTES)
            continue;
        int fd = mkstemps(name, SUFFIX_BYTES);
        if (fd < 0)
            continue;
        FILE *out = fdopen(fd, "w");
        if (out)
            return out;
        (void)close(fd);
        (void)unlink(name);
    }
    return NULL;
}

static void write_findings(FILE *out, const hw_model *m, const char *solver,
                           const hw_answer *answer, const char *what)
{
    char hash[HW_HASH_TEXT] = "";
    (void)hw_graph_hash(m->graph, hash, NULL);
    (void)fprintf(out, "c highwater %s: solver and checker disagree\n", HW_VERSION);
    (void)fprintf(out, "c solver: %s\n", solver);
    (void)fprintf(out, "c accounting: %s%s\n", hw_accounting_name(m->accounting),
                  m->pin_inputs ? ", inputs pinned" : "");
    (void)fprintf(out, "c graph: %s\n", hash);
    (void)fprintf(out, "c claim: status %s, peak %" PRIu64, hw_status_name(answer->status),
                  answer->peak);
    if (answer->has_bound)
        (void)fprintf(out, ", bound %" PRIu64, answer->bound);
    (void)fprintf(out, ", states %" PRIu64 "\n", answer->states);
    (void)fprintf(out, "c finding: %s\n", what);
    (void)fprintf(out, "c order:");
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint32_t v = answer->order[i];
        if (v < m->n_nodes)
            (void)fprintf(out, " %" PRIu32, hw_node_id(m->graph, v));
        else
            (void)fprintf(out, " (no node: %" PRIu32 ")", v);
    }
    (void)fprintf(out, "\n");
}

hw_code hw_dump_disagreement(const hw_model *m, const char *solver, const hw_answer *answer,
                             const char *what, hw_error *err)
{
    char name[NAME_BYTES];
    FILE *out = open_fresh("bug", name);
    bool written = false;
    if (out) {
        write_findings(out, m, solver, answer, what);
        written = hw_graph_write(m->graph, HW_FORMAT_LINE, out, NULL) == HW_OK;
        written = fclose(out) == 0 && written;
        if (!written)
            (void)unlink(name);
    }
    return hw_fail(
        err, HW_INTERNAL, "solver %s returned a wrong answer: %s; this is a bug of highwater%s%s",
        solver, what, written ? ": please report it with the file " : "; no dump could be written",
        written ? name : "");
}

hw_code hw_dump_failure(const hw_model *m, hw_error *err)
{
    char name[NAME_BYTES], message[HW_MESSAGE_BYTES];
    FILE *out = open_fresh("graph", name);
    if (!out)
        return err->code;
    bool written = hw_graph_write(m->graph, HW_FORMAT_LINE, out, NULL) == HW_OK;
    written = fclose(out) == 0 && written;
    if (!written) {
        (void)unlink(name);
        return err->code;
    }
    memcpy(message, err->message, sizeof message);
    return hw_fail(err, err->code, "%.*s; the graph is in %s", HW_MESSAGE_BYTES - NAME_BYTES,
                   message, name);
}
