/* Fuzz target: workflows (WfCommons), their raw inputs as inputs and as nodes. */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import_graphs(data, size, (hw_import_options){.format = "wfcommons"});
    fuzz_import_graphs(data, size, (hw_import_options){.format = "wfcommons", .stage_in = true});
    return 0;
}
