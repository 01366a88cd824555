/* Fuzz target: models of ONNX (protobuf). */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_import_graphs(data, size, "onnx");
    return 0;
}
