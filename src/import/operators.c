/* The table of operator types.  See operators.h. */
#include "import/operators.h"

#include "core/memory.h"

#include <stdlib.h>

struct hw_operators {
    size_t n_rows;
};

hw_operators *hw_operators_new(void)
{
    return HW_NEW0(hw_operators, 1);
}

void hw_operators_free(hw_operators *table)
{
    free(table);
}

unsigned hw_operators_traits(const hw_operators *table, const char *name)
{
    (void)table, (void)name;
    return 0;
}

hw_code hw_operators_set(hw_operators *table, const char *name, unsigned traits, hw_error *err)
{
    (void)table, (void)name, (void)traits, (void)err;
    return HW_OK;
}

hw_code hw_operators_read(hw_operators *table, const char *path, hw_error *err)
{
    (void)table;
    return hw_fail(err, HW_IO, "%s: not read yet", path);
}
