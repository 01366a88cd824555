/* The report of an import, for persons and as JSON. */
#ifndef HW_CLI_IMPORT_REPORT_H
#define HW_CLI_IMPORT_REPORT_H

#include <stdio.h>

#include "import/import.h"

/* What to report of one graph; reader_notes: keys left out, NULL where there are none. */
typedef struct hw_import_account {
    const char *file;
    const hw_graph *graph;
    const hw_import_report *report;
    const char *reader_notes;
} hw_import_account;

void hw_import_text(const hw_import_account *account, FILE *out);

/* One object on one line. */
void hw_import_json(const hw_import_account *account, FILE *out);

#endif
