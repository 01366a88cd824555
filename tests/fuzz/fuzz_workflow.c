/* Fuzz target: workflows (WfCommons). */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import_graphs(data, size, "wfcommons");
    return 0;
}
