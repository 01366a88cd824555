/* Files of other formats, for tests.  See support_import.h. */
#include "tests/support_import.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "import/importers.h"

const hw_importer *importer_named(const char *name)
{
    for (size_t i = 0; i < hw_n_importers; i++)
        if (strcmp(hw_importers[i]->name, name) == 0)
            return hw_importers[i];
    fail_msg("there is no importer %s", name);
    return NULL;
}

const hw_importer *importer_of(const char *bytes, size_t n, bool whole)
{
    for (size_t i = 0; i < hw_n_importers; i++)
        if (hw_importers[i]->tell(bytes, n, whole))
            return hw_importers[i];
    return NULL;
}

hw_code import_bytes(const hw_importer *importer, const char *bytes, size_t n,
                     const hw_import_options *options, hw_import_report *report, hw_graph **out,
                     hw_error *err)
{
    hw_input input;
    hw_import_report own = {0};
    hw_import_options asked = {0};
    hw_operators *table = options && options->operators ? NULL : hw_operators_new();
    if (options)
        asked = *options;
    if (!asked.operators)
        asked.operators = table;
    assert_non_null(asked.operators);
    assert_int_equal(hw_input_memory(&input, bytes, n, "test", err), HW_OK);
    hw_import in = {
        .input = &input, .path = input.name, .options = &asked, .report = report ? report : &own};
    *out = NULL;
    hw_code code = importer->read(&in, out, err);
    hw_input_close(&input);
    hw_import_report_clear(&own);
    hw_operators_free(table);
    return code;
}

hw_graph *import_text(const char *name, const char *text)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (import_bytes(importer_named(name), text, strlen(text), NULL, NULL, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    return g;
}

bool has_note(const hw_import_report *report, const char *words)
{
    for (size_t i = 0; i < report->n_notes; i++)
        if (strstr(report->notes[i], words))
            return true;
    return false;
}
