/* The importers, in the order in which they are asked whether a file is theirs. */
#include "import/importers.h"

const hw_importer *const hw_importers[] = {
    &hw_importer_onnx,
};
const size_t hw_n_importers = sizeof hw_importers / sizeof hw_importers[0];
