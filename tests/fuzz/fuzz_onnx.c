/* Fuzz target: models of ONNX (protobuf), without and with a value for a symbolic dimension. */
#include "tests/fuzz/graphs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const hw_dim dims[] = {{"N", 3}};
    fuzz_import_graphs(data, size, (hw_import_options){.format = "onnx"});
    fuzz_import_graphs(data, size,
                       (hw_import_options){.format = "onnx", .dims = dims, .n_dims = 1});
    return 0;
}
