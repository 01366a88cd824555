/* Fuzz target: JSON, the format of graphs. */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read_graphs(data, size);
    return 0;
}
