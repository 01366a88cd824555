/*
 * Files that are known but hold no graph that can be read here, each refused
 * with a word on where it belongs.
 */
#include <string.h>
#include <strings.h>

#include "import/importers.h"
#include "import/json_head.h"

static hw_code refuse(const hw_import *in, hw_graph **out, hw_error *err, const char *what)
{
    *out = NULL;
    return hw_fail(err, HW_BAD_INPUT, "%s: %s", in->path, what);
}

/* A table of buffers: its first line names columns, lower, upper and size among them. */
static bool tell_minimalloc(const char *bytes, size_t n, bool whole)
{
    unsigned seen = 0;
    (void)whole;
    for (size_t i = 0; i < n && bytes[i] != '\n';) {
        size_t length = 0;
        while (i + length < n && bytes[i + length] != ',' && bytes[i + length] != '\r' &&
               bytes[i + length] != '\n')
            length++;
        seen |= length == 5 && strncasecmp(bytes + i, "lower", 5) == 0 ? 1U : 0U;
        seen |= length == 5 && strncasecmp(bytes + i, "upper", 5) == 0 ? 2U : 0U;
        seen |= length == 4 && strncasecmp(bytes + i, "size", 4) == 0 ? 4U : 0U;
        i += length;
        i += i < n && bytes[i] != '\n';
    }
    return seen == 7;
}

static hw_code read_minimalloc(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(in, out, err,
                  "a table of buffers with fixed lifetimes (MiniMalloc) holds no graph: `highwater "
                  "arena FILE` places them (--buffers, where its name does not end in .csv)");
}

const hw_importer hw_importer_minimalloc = {
    .name = "minimalloc",
    .title = "MiniMalloc CSV",
    .help = "no graph: for `highwater arena`",
    .refused = true,
    .tell = tell_minimalloc,
    .read = read_minimalloc,
};

static bool tell_tfjs(const char *bytes, size_t n, bool whole)
{
    const char *value;
    size_t left;
    (void)whole;
    return hw_json_head_begins(bytes, n, "format", "graph-model\"") ||
           hw_json_head_begins(bytes, n, "format", "layers-model\"") ||
           hw_json_head_find(bytes, n, "modelTopology", &value, &left);
}

static hw_code read_tfjs(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(
        in, out, err,
        "models of TensorFlow.js are not read: convert the model to ONNX (tf2onnx) and give that");
}

const hw_importer hw_importer_tfjs = {
    .name = "tfjs",
    .title = "TensorFlow.js",
    .help = "not read: convert the model to ONNX",
    .refused = true,
    .tell = tell_tfjs,
    .read = read_tfjs,
};

/* A flatbuffer whose file identifier, behind the first offset, is TFL3. */
static bool tell_tflite(const char *bytes, size_t n, bool whole)
{
    (void)whole;
    return n >= 8 && memcmp(bytes + 4, "TFL3", 4) == 0;
}

static hw_code read_tflite(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(
        in, out, err,
        "models of TFLite are not read: convert the model to ONNX (tf2onnx) and give that");
}

const hw_importer hw_importer_tflite = {
    .name = "tflite",
    .title = "TFLite",
    .help = "not read: convert the model to ONNX",
    .refused = true,
    .tell = tell_tflite,
    .read = read_tflite,
};

/* daggen without --dot: after a comment and its command line stands NODE_COUNT. */
static bool tell_daggen(const char *bytes, size_t n, bool whole)
{
    static const char key[] = "NODE_COUNT ";
    (void)whole;
    for (int line = 0; line < 4; line++) {
        if (n >= sizeof key - 1 && memcmp(bytes, key, sizeof key - 1) == 0)
            return true;
        const char *feed = memchr(bytes, '\n', n);
        if (!feed)
            return false;
        n -= (size_t)(feed + 1 - bytes);
        bytes = feed + 1;
    }
    return false;
}

static hw_code read_daggen(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(in, out, err,
                  "daggen's own text is not read: write the graph with daggen --dot, which is");
}

const hw_importer hw_importer_daggen = {
    .name = "daggen",
    .title = "daggen text",
    .help = "not read: take daggen --dot",
    .refused = true,
    .tell = tell_daggen,
    .read = read_daggen,
};

/* What packs files, by its first bytes. */
static bool tell_packed(const char *bytes, size_t n, bool whole)
{
    static const struct {
        const char *bytes;
        size_t n;
    } heads[] = {{"\x1f\x8b", 2}, /* gzip */
                 {"BZh", 3},      /* bzip2 */
                 {"\xfd"
                  "7zXZ",
                  5},                     /* xz */
                 {"\x28\xb5\x2f\xfd", 4}, /* zstd */
                 {"PK\3\4", 4}};          /* zip, as models of PyTorch are */
    (void)whole;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (n >= heads[i].n && memcmp(bytes, heads[i].bytes, heads[i].n) == 0)
            return true;
    return false;
}

static hw_code read_packed(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(
        in, out, err,
        "the file is packed (gzip, bzip2, xz, zstd or zip): unpack it first; a zip may be "
        "a model of PyTorch, which is not read: export it to ONNX");
}

const hw_importer hw_importer_packed = {
    .name = "packed",
    .title = "packed file",
    .help = "not read: unpack it first",
    .refused = true,
    .tell = tell_packed,
    .read = read_packed,
};

/* Protobuf's text form of a model: it begins with a field of ModelProto. */
static bool tell_onnx_text(const char *bytes, size_t n, bool whole)
{
    static const char *const fields[] = {"ir_version:", "producer_name:", "opset_import {",
                                         "graph {"};
    (void)whole;
    while (n > 0 && (*bytes == '\n' || *bytes == ' ')) {
        bytes++;
        n--;
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (n >= strlen(fields[i]) && memcmp(bytes, fields[i], strlen(fields[i])) == 0)
            return true;
    return false;
}

static hw_code read_onnx_text(hw_import *in, hw_graph **out, hw_error *err)
{
    return refuse(in, out, err,
                  "a model of ONNX in protobuf's text form is not read: `protoc "
                  "--encode=onnx.ModelProto onnx.proto` makes the binary form of it");
}

const hw_importer hw_importer_onnx_text = {
    .name = "onnx-text",
    .title = "ONNX as text",
    .help = "not read: make it binary, with protoc --encode",
    .refused = true,
    .tell = tell_onnx_text,
    .read = read_onnx_text,
};
