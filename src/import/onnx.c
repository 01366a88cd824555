/* ONNX models. */
#include "import/importers.h"

static bool tell(const char *bytes, size_t n, bool whole)
{
    (void)bytes, (void)n, (void)whole;
    return false;
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    *out = NULL;
    return hw_fail(err, HW_BAD_INPUT, "%s: not read yet", in->path);
}

const hw_importer hw_importer_onnx = {.name = "onnx",
                                      .title = "ONNX",
                                      .help = "models of neural networks",
                                      .tell = tell,
                                      .read = read};
