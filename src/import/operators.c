/* The table of operator types.  See operators.h. */
#include "import/operators.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "import/operators_rows.h"

typedef struct row {
    const char *name;
    unsigned traits;
    char *own; /* the name, where it is no part of the pool */
} row;

struct hw_operators {
    row *rows; /* ascending by name, without regard to case */
    size_t n_rows, room;
    char *pool; /* the built-in names */
};

static int compare(const void *a, const void *b)
{
    return strcasecmp(((const row *)a)->name, ((const row *)b)->name);
}

/* Cut one group into rows; its names are copied to `pool`, of which what is left is returned. */
static char *add_group(hw_operators *table, const hw_operator_group *group, char *pool)
{
    size_t bytes = strlen(group->names) + 1;
    memcpy(pool, group->names, bytes);
    for (char *name = pool, *end; name; name = end) {
        end = strchr(name, ' ');
        if (end)
            *end++ = '\0';
        table->rows[table->n_rows++] = (row){.name = name, .traits = group->traits};
    }
    return pool + bytes;
}

hw_operators *hw_operators_new(void)
{
    size_t bytes = 0, n = 0;
    for (size_t i = 0; i < hw_n_operator_groups; i++) {
        const char *names = hw_operator_groups[i].names;
        bytes += strlen(names) + 1;
        n++;
        while ((names = strchr(names, ' ')) != NULL) {
            names++;
            n++;
        }
    }
    hw_operators *table = HW_NEW0(hw_operators, 1);
    if (!table)
        return NULL;
    table->rows = HW_NEW(row, n);
    table->pool = HW_NEW(char, bytes);
    if (!table->rows || !table->pool) {
        hw_operators_free(table);
        return NULL;
    }
    table->room = n;
    char *pool = table->pool;
    for (size_t i = 0; i < hw_n_operator_groups; i++)
        pool = add_group(table, &hw_operator_groups[i], pool);
    qsort(table->rows, table->n_rows, sizeof table->rows[0], compare);
    return table;
}

void hw_operators_free(hw_operators *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n_rows; i++)
        free(table->rows[i].own);
    free(table->rows);
    free(table->pool);
    free(table);
}

static row *find(const hw_operators *table, const char *name)
{
    const row wanted = {.name = name};
    return name ? bsearch(&wanted, table->rows, table->n_rows, sizeof wanted, compare) : NULL;
}

unsigned hw_operators_traits(const hw_operators *table, const char *name)
{
    const row *r = find(table, name);
    return r ? r->traits : 0;
}

bool hw_operators_has(const hw_operators *table, const char *name)
{
    return find(table, name) != NULL;
}

hw_code hw_operators_set(hw_operators *table, const char *name, unsigned traits, hw_error *err)
{
    row *known = find(table, name);
    if (known) {
        known->traits = traits;
        return HW_OK;
    }
    char *own = hw_copy(name, strlen(name) + 1, 1);
    if (!own || !hw_grow((void **)&table->rows, &table->room, table->n_rows + 1, sizeof(row))) {
        free(own);
        return hw_fail_memory(err, "the table of operators");
    }
    size_t at = table->n_rows++;
    for (; at > 0 && strcasecmp(table->rows[at - 1].name, own) > 0; at--)
        table->rows[at] = table->rows[at - 1];
    table->rows[at] = (row){.name = own, .traits = traits, .own = own};
    return HW_OK;
}
