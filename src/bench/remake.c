/* Graphs of results made anew.  See remake.h. */
#include "bench/remake.h"

#include <stdio.h>
#include <string.h>

#include "gen/family.h"
#include "io/io.h"

enum { SPEC_BYTES = 1024 };

hw_code hw_record_remake(const hw_record *r, hw_graph **g, const char **why, hw_error *err)
{
    char spec[SPEC_BYTES], hash[HW_HASH_TEXT];
    const hw_family_row *family;
    hw_param_value values[HW_PARAM_LIMIT];
    *g = NULL;
    *why = "no family of this program takes its parameters";
    int n = snprintf(spec, sizeof spec, "%s%s%s", r->family, *r->params ? ":" : "", r->params);
    if (n < 0 || n >= SPEC_BYTES || !r->graph ||
        hw_family_parse(spec, &family, values, NULL) != HW_OK)
        return HW_OK;
    hw_code code = hw_generate(family, values, r->seed, r->index, g, err);
    if (code == HW_USAGE)
        return HW_OK;
    if (code == HW_OK)
        code = hw_graph_hash(*g, hash, err);
    if (code == HW_OK && strcmp(hash, r->graph) == 0)
        return HW_OK;
    *why = "made anew it is another graph: the results are of another version of the program";
    hw_graph_free(*g);
    *g = NULL;
    return code;
}
