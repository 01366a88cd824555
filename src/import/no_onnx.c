/* In place of onnx_*.c where highwater is built without protobuf-c or the schema of ONNX. */
#include "import/onnx.h"

const bool hw_onnx_readable = false;

hw_code hw_onnx_read(hw_import *in, hw_graph **out, hw_error *err)
{
    *out = NULL;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s: highwater was built without ONNX: install protobuf-c-compiler, "
                   "libprotobuf-c-dev and libonnx-dev, and build anew",
                   in->path);
}
