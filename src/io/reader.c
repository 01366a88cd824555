/*
 * A stream of graphs, whatever its format: opening, telling the format by the
 * first byte, and the notes about what was left out.  See io.h.
 */
#include "io/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/text.h"

static void skip_mark(hw_input *in)
{
    if (in->end > in->start)
        in->start += hw_input_mark(in->buffer + in->start, in->end - in->start);
}

/* Move to the first byte that is not blank, behind a mark. */
static hw_code find_start(hw_input *in, bool *empty, hw_error *err)
{
    bool first = true;
    for (;;) {
        while (!in->at_end && in->end - in->start < HW_INPUT_MARK_BYTES) {
            hw_code code = hw_input_more(in, err);
            if (code != HW_OK)
                return code;
        }
        if (first)
            skip_mark(in);
        first = false;
        while (in->start < in->end) {
            char c = in->buffer[in->start];
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
                *empty = false;
                return HW_OK;
            }
            in->line += c == '\n';
            in->start++;
        }
        if (in->at_end) {
            *empty = true;
            return HW_OK;
        }
    }
}

/* So much of a file the hooks see to tell its format. */
enum { HEAD_BYTES = 64 << 10 };

static hw_code tell_foreign(hw_reader *r, hw_error *err)
{
    hw_input *in = &r->input;
    while (!in->at_end && in->end - in->start < HEAD_BYTES) {
        hw_code code = hw_input_more(in, err);
        if (code != HW_OK)
            return code;
    }
    skip_mark(in);
    r->foreign = in->end > in->start && r->hooks.tell(r->hooks.context, in->buffer + in->start,
                                                      in->end - in->start, in->at_end);
    return HW_OK;
}

static hw_code tell_format(hw_reader *r, hw_error *err)
{
    bool empty = true;
    hw_code code = r->hooks.tell ? tell_foreign(r, err) : HW_OK;
    if (code != HW_OK || r->foreign)
        return code;
    code = find_start(&r->input, &empty, err);
    if (code != HW_OK)
        return code;
    if (empty)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: line 1: the file is empty: it should hold a graph (JSON, lines or "
                       "GraphML)",
                       r->input.name);
    char c = r->input.buffer[r->input.start];
    r->format = c == '{' || c == '[' ? HW_FORMAT_JSON
                : c == '<'           ? HW_FORMAT_GRAPHML
                                     : HW_FORMAT_LINE;
    return HW_OK;
}

static hw_code start(hw_reader *r, hw_code opened, hw_reader **out, hw_error *err)
{
    hw_code code = opened == HW_OK ? tell_format(r, err) : opened;
    if (code == HW_OK)
        *out = r;
    else
        hw_reader_close(r);
    return code;
}

hw_code hw_reader_open(const char *path, hw_reader **out, hw_error *err)
{
    return hw_reader_open_hooked(path, &(hw_reader_hooks){0}, out, err);
}

hw_code hw_reader_open_hooked(const char *path, const hw_reader_hooks *hooks, hw_reader **out,
                              hw_error *err)
{
    *out = NULL;
    hw_reader *r = HW_NEW0(hw_reader, 1);
    if (!r) {
        if (hooks->close)
            hooks->close(hooks->context);
        return hw_fail_memory(err, "reading a file");
    }
    r->hooks = *hooks;
    return start(r, hw_input_open(&r->input, path, err), out, err);
}

static hw_code read_native(hw_reader *r, hw_graph **out, hw_error *err)
{
    hw_code code = HW_OK;
    switch (r->format) {
    case HW_FORMAT_LINE:
        code = hw_line_read(r, out, err);
        r->finished = code != HW_OK || *out == NULL;
        return code;
    case HW_FORMAT_GRAPHML:
        code = hw_graphml_read(r, out, err);
        break;
    case HW_FORMAT_JSON:
    case HW_FORMAT_DOT: /* never told by content */
        code = hw_json_read(r, out, err);
        break;
    }
    r->finished = true;
    return code;
}

hw_code hw_reader_next(hw_reader *r, hw_graph **out, hw_error *err)
{
    *out = NULL;
    if (r->finished)
        return HW_OK;
    hw_code code = HW_OK;
    if (r->foreign) {
        r->finished = true;
        code = r->hooks.read(r->hooks.context, &r->input, out, err);
    } else {
        code = read_native(r, out, err);
    }
    if (code == HW_OK && *out && r->hooks.finish)
        code = r->hooks.finish(r->hooks.context, out, err);
    if (code != HW_OK) {
        hw_graph_free(*out);
        *out = NULL;
        r->finished = true;
    }
    return code;
}

void hw_reader_close(hw_reader *r)
{
    if (!r)
        return;
    if (r->hooks.close)
        r->hooks.close(r->hooks.context);
    hw_input_close(&r->input);
    for (size_t i = 0; i < r->n_unknown; i++)
        free(r->unknown[i]);
    free(r->notes);
    free(r);
}

static hw_code read_only_graph(hw_reader *r, hw_graph **out, hw_error *err)
{
    hw_code code = hw_reader_next(r, out, err);
    if (code == HW_OK && !*out)
        code = hw_fail(err, HW_BAD_INPUT, "%s: holds no graph: it should have a line 'p highwater'",
                       r->input.name);
    if (code != HW_OK)
        return code;
    hw_graph *second = NULL;
    code = hw_reader_next(r, &second, err);
    if (code == HW_OK && second)
        code = hw_fail(err, HW_BAD_INPUT, "%s: holds several graphs: give a file of one",
                       r->input.name);
    hw_graph_free(second);
    if (code != HW_OK) {
        hw_graph_free(*out);
        *out = NULL;
    }
    return code;
}

hw_code hw_reader_only(hw_reader *r, hw_graph **out, hw_error *err)
{
    hw_code code = read_only_graph(r, out, err);
    hw_reader_close(r);
    return code;
}

hw_code hw_graph_load(const char *path, hw_graph **out, hw_error *err)
{
    *out = NULL;
    hw_reader *r;
    hw_code code = hw_reader_open(path, &r, err);
    return code == HW_OK ? hw_reader_only(r, out, err) : code;
}

hw_code hw_graph_parse(const char *bytes, size_t n_bytes, const char *name, hw_graph **out,
                       hw_error *err)
{
    *out = NULL;
    hw_reader *r = HW_NEW0(hw_reader, 1), *opened = NULL;
    if (!r)
        return hw_fail_memory(err, "reading from memory");
    hw_code code = start(r, hw_input_memory(&r->input, bytes, n_bytes, name, err), &opened, err);
    if (code != HW_OK)
        return code;
    code = read_only_graph(opened, out, err);
    hw_reader_close(opened);
    return code;
}

const char *hw_reader_notes(const hw_reader *r)
{
    return r->notes;
}

/* Write the sentence anew from the list of keys. */
static bool tell_unknown(hw_reader *r, bool more)
{
    static const char head[] = ": keys that are no part of the format are left out: ";
    size_t size = strlen(r->input.name) + sizeof head + 16;
    for (size_t i = 0; i < r->n_unknown; i++)
        size += strlen(r->unknown[i]) + 2;
    char *text = HW_NEW(char, size);
    if (!text)
        return false;
    int wrote = snprintf(text, size, "%s%s", r->input.name, head);
    size_t used = wrote > 0 ? (size_t)wrote : 0;
    for (size_t i = 0; i < r->n_unknown; i++) {
        wrote = snprintf(text + used, size - used, "%s%s", i ? ", " : "", r->unknown[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (more)
        (void)snprintf(text + used, size - used, ", and others");
    free(r->notes);
    r->notes = text;
    return true;
}

hw_code hw_reader_unknown(hw_reader *r, const char *where, const char *key, hw_error *err)
{
    char quoted[HW_QUOTE_BYTES], path[HW_QUOTE_BYTES + 16];
    (void)hw_quote(key, strlen(key), quoted);
    (void)snprintf(path, sizeof path, "%.12s%s%s", where, *where ? "." : "", quoted);
    for (size_t i = 0; i < r->n_unknown; i++)
        if (strcmp(r->unknown[i], path) == 0)
            return HW_OK;
    bool more = r->n_unknown == HW_MOST_NOTES;
    if (!more) {
        r->unknown[r->n_unknown] = hw_copy(path, strlen(path) + 1, 1);
        if (!r->unknown[r->n_unknown])
            return hw_fail_memory(err, "notes");
        r->n_unknown++;
    }
    return tell_unknown(r, more) ? HW_OK : hw_fail_memory(err, "notes");
}
