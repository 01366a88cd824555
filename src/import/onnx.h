/* The reader behind the row of ONNX: there when protobuf-c and onnx.proto were, at build. */
#ifndef HW_IMPORT_ONNX_H
#define HW_IMPORT_ONNX_H

#include "import/import.h"

/* False: highwater was built without what reading a model takes. */
extern const bool hw_onnx_readable;

/* As hw_importer.read; without it: HW_BAD_INPUT, with what to install. */
hw_code hw_onnx_read(hw_import *in, hw_graph **out, hw_error *err);

/* Is it the head of a ModelProto?  As hw_importer.tell. */
bool hw_onnx_tell(const char *bytes, size_t n, bool whole);

#endif
