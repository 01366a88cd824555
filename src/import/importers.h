/* The rows of importers.c: one importer a file. */
#ifndef HW_IMPORT_IMPORTERS_H
#define HW_IMPORT_IMPORTERS_H

#include "import/import.h"

extern const hw_importer hw_importer_onnx;

#endif
