/*
 * The table of families: one row each.
 *
 * To add a family: one file in this folder that defines an hw_family_row, one
 * line below, rows in tests/generators_golden.inc.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "gen/family.h"

/* X(name of the row); the order is that of `highwater list families`. */
#define HW_FAMILY_TABLE(X)                                                                         \
    X(hw_family_layered)                                                                           \
    X(hw_family_erdos)                                                                             \
    X(hw_family_random_order)                                                                      \
    X(hw_family_series_parallel)                                                                   \
    X(hw_family_series_parallel_order)                                                             \
    X(hw_family_tree)                                                                              \
    X(hw_family_fan)                                                                               \
    X(hw_family_chains)                                                                            \
    X(hw_family_randwire)                                                                          \
    X(hw_family_daggen)                                                                            \
    X(hw_family_nets)                                                                              \
    X(hw_family_adversarial_ladder)                                                                \
    X(hw_family_adversarial_fan)                                                                   \
    X(hw_family_adversarial_branches)                                                              \
    X(hw_family_adversarial_pairs)                                                                 \
    X(hw_family_adversarial_harpoon)                                                               \
    X(hw_family_robson)

#define DECLARE(row) extern const hw_family_row row;
HW_FAMILY_TABLE(DECLARE)

#define LIST(row) &(row),
const hw_family_row *const hw_families[] = {HW_FAMILY_TABLE(LIST)};
const size_t hw_n_families = sizeof hw_families / sizeof hw_families[0];

const hw_family_row *hw_family_find(const char *name, size_t length)
{
    for (size_t i = 0; i < hw_n_families; i++)
        if (strlen(hw_families[i]->name) == length &&
            memcmp(hw_families[i]->name, name, length) == 0)
            return hw_families[i];
    return NULL;
}

hw_code hw_family_parse(const char *spec, const hw_family_row **row, hw_param_value *values,
                        hw_error *err)
{
    *row = hw_family_find(spec, strcspn(spec, ":"));
    if (!*row) {
        const char *names[sizeof hw_families / sizeof hw_families[0]];
        for (size_t i = 0; i < hw_n_families; i++)
            names[i] = hw_families[i]->name;
        return hw_fail_no_such("family", "families", spec, names, hw_n_families, err);
    }
    return hw_params_of_spec("family", (*row)->params, (*row)->n_params, spec, values, err);
}

enum { SPEC_BYTES = 80 * HW_PARAM_LIMIT };

/*
 * The canonical text of an instance's parameters: "family:name=value,..." in
 * table order, of those that differ from their default.  A family that gains
 * a parameter keeps its instances, as long as the new default changes nothing.
 */
static void canonical_spec(const hw_family_row *row, const hw_param_value *values,
                           char text[SPEC_BYTES])
{
    (void)hw_params_spec(row->name, row->params, row->n_params, values, text, SPEC_BYTES);
}

static bool replace_text(char **field, const char *text)
{
    char *copy = hw_copy(text, strlen(text) + 1, 1);
    if (!copy)
        return false;
    free(*field);
    *field = copy;
    return true;
}

hw_code hw_generate(const hw_family_row *row, const hw_param_value *values, uint64_t campaign_seed,
                    uint64_t index, hw_graph **out, hw_error *err)
{
    char spec[SPEC_BYTES], name[64 + 24], source[SPEC_BYTES + 128];
    canonical_spec(row, values, spec);
    *out = NULL;
    gsl_rng *rng = hw_rng_new(hw_instance_seed(campaign_seed, spec, index));
    if (!rng)
        return hw_fail_memory(err, "a random generator");
    hw_code code = row->generate(values, rng, out, err);
    gsl_rng_free(rng);
    if (code != HW_OK) {
        hw_error_prefix(err, "family %s: ", row->name);
        return code;
    }
    (void)snprintf(name, sizeof name, "%.63s-%" PRIu64, row->name, index);
    if (row->random)
        (void)snprintf(source, sizeof source,
                       "highwater family %s, campaign seed %" PRIu64 ", instance %" PRIu64, spec,
                       campaign_seed, index);
    else
        (void)snprintf(source, sizeof source, "highwater family %s", spec);
    if (!replace_text(&(*out)->name, name) || !replace_text(&(*out)->source, source)) {
        hw_graph_free(*out);
        *out = NULL;
        return hw_fail_memory(err, "the name of a generated graph");
    }
    return HW_OK;
}
