/* What the options ask of any format: locks, windows, views.  See import.h. */
#include "import/import.h"

hw_code hw_import_apply(hw_graph *g, const hw_import_options *options, hw_graph **out,
                        hw_error *err)
{
    (void)options, (void)err;
    *out = g;
    return HW_OK;
}
