/*
 * Fuzz target: the importers of text formats, chosen by the first byte, or by
 * what the file looks like, which the formats that are only recognised need.
 */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {NULL, "digraph", "dagmem", "adamem", "edges"};
    if (size > 0)
        fuzz_import_graphs(data + 1, size - 1, (hw_import_options){.format = formats[data[0] % 5]});
    return 0;
}
