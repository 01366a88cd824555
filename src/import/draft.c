/* A graph in the making.  See draft.h. */
#include "import/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/text.h"

void hw_draft_clear(hw_draft *d)
{
    free(d->node);
    free(d->tensor);
    free(d->read);
    free(d->control);
    free(d->text);
    *d = (hw_draft){0};
}

/* Room for one item more in a list of n. */
static hw_code room(void **array, size_t *capacity, size_t n, size_t item, const char *what,
                    hw_error *err)
{
    if (n >= HW_NONE - 1)
        return hw_fail(err, HW_BAD_INPUT, "holds more than 2^32 - 2 %s: cut it into parts", what);
    return hw_grow(array, capacity, n + 1, item) ? HW_OK : hw_fail_memory(err, "a graph read in");
}

static hw_code keep_text(hw_draft *d, const char *text, size_t *out, hw_error *err)
{
    size_t n = text ? strlen(text) : 0;
    char quoted[HW_QUOTE_BYTES];
    if (n && !hw_is_utf8(text, n))
        return hw_fail(err, HW_BAD_INPUT, "name '%s' is not UTF-8: convert the file to UTF-8",
                       hw_quote(text, n, quoted));
    if (!hw_grow((void **)&d->text, &d->text_room, d->n_text + n + 2, 1))
        return hw_fail_memory(err, "the names of a graph");
    if (d->n_text == 0)
        d->text[d->n_text++] = '\0'; /* offset 0: no name */
    *out = n ? d->n_text : 0;
    if (n) {
        memcpy(d->text + d->n_text, text, n + 1);
        d->n_text += n + 1;
    }
    return HW_OK;
}

hw_code hw_draft_node_add(hw_draft *d, const char *name, const char *op, uint32_t *out,
                          hw_error *err)
{
    hw_draft_node node = {0};
    hw_code code = room((void **)&d->node, &d->node_room, d->n_nodes, sizeof node, "nodes", err);
    if (code == HW_OK)
        code = keep_text(d, name, &node.name, err);
    if (code == HW_OK)
        code = keep_text(d, op, &node.op, err);
    if (code != HW_OK)
        return code;
    if (out)
        *out = (uint32_t)d->n_nodes;
    d->node[d->n_nodes++] = node;
    return HW_OK;
}

hw_code hw_draft_tensor_add(hw_draft *d, uint64_t size, hw_kind kind, uint32_t maker,
                            const char *name, uint32_t *out, hw_error *err)
{
    hw_draft_tensor tensor = {.size = size, .maker = maker, .kind = kind};
    hw_code code =
        room((void **)&d->tensor, &d->tensor_room, d->n_tensors, sizeof tensor, "tensors", err);
    if (code == HW_OK)
        code = keep_text(d, name, &tensor.name, err);
    if (code != HW_OK)
        return code;
    if (out)
        *out = (uint32_t)d->n_tensors;
    d->tensor[d->n_tensors++] = tensor;
    return HW_OK;
}

hw_code hw_draft_read_add(hw_draft *d, uint32_t node, uint32_t tensor, hw_error *err)
{
    hw_code code =
        room((void **)&d->read, &d->read_room, d->n_reads, sizeof *d->read, "reads", err);
    if (code != HW_OK)
        return code;
    d->read[d->n_reads++] = (hw_draft_pair){node, tensor};
    d->tensor[tensor].readers++;
    return HW_OK;
}

hw_code hw_draft_control_add(hw_draft *d, uint32_t from, uint32_t to, hw_error *err)
{
    hw_code code = room((void **)&d->control, &d->control_room, d->n_controls, sizeof *d->control,
                        "control edges", err);
    if (code == HW_OK)
        d->control[d->n_controls++] = (hw_draft_pair){from, to};
    return code;
}

void hw_draft_keep_results(hw_draft *d)
{
    for (size_t t = 0; t < d->n_tensors; t++)
        if (d->tensor[t].maker != HW_NONE && d->tensor[t].readers == 0)
            d->tensor[t].kind = HW_OUTPUT;
}

const char *hw_draft_node_text(const hw_draft *d, uint32_t node, char out[HW_DRAFT_NODE_TEXT])
{
    const char *name = d->text + d->node[node].name;
    char quoted[HW_QUOTE_BYTES];
    if (*name)
        (void)snprintf(out, HW_DRAFT_NODE_TEXT, "'%s'", hw_quote(name, strlen(name), quoted));
    else
        (void)snprintf(out, HW_DRAFT_NODE_TEXT, "%" PRIu32, node);
    return out;
}
