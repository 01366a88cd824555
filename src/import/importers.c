/*
 * The importers, in the order in which they are asked whether a file is
 * theirs: those that look for a signature come before those that look at the
 * shape of lines.
 */
#include "import/importers.h"

const hw_importer *const hw_importers[] = {
    &hw_importer_tflite,  &hw_importer_onnx,       &hw_importer_workflow, &hw_importer_tfjs,
    &hw_importer_digraph, &hw_importer_daggen,     &hw_importer_dagmem,   &hw_importer_adamem,
    &hw_importer_edges,   &hw_importer_minimalloc, &hw_importer_packed,   &hw_importer_onnx_text,
};
const size_t hw_n_importers = sizeof hw_importers / sizeof hw_importers[0];
