/*
 * ONNX models: the row, and how a file is told to be one.
 *
 * Reading them needs protobuf-c and the schema of ONNX; where these were not
 * there when highwater was built, the format is still told, and refused
 * (no_onnx.c).
 */
#include "import/importers.h"
#include "import/onnx.h"

typedef struct walk {
    const uint8_t *at, *end;
    bool whole; /* nothing follows `end` */
    bool bad;
} walk;

static uint64_t varint(walk *w)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && w->at < w->end; shift += 7) {
        uint8_t byte = *w->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    w->bad = w->bad || w->at < w->end;
    return value;
}

/* Fields of ModelProto: numbers, and those with a length. */
static bool is_model_field(uint64_t field, uint64_t wire)
{
    const uint32_t numbers = 1U << 1 | 1U << 5;
    const uint32_t lengths = 1U << 2 | 1U << 3 | 1U << 4 | 1U << 6 | 1U << 7 | 1U << 8 | 1U << 14 |
                             1U << 20 | 1U << 25 | 1U << 26;
    if (field >= 32)
        return false;
    return (wire == 0 && (numbers >> field & 1)) || (wire == 2 && (lengths >> field & 1));
}

/* Fields of GraphProto, which all have a length; those of its first versions as well. */
static bool is_graph_field(uint64_t field, uint64_t wire)
{
    return wire == 2 && (field == 1 || field == 2 || field == 5 || (field >= 10 && field <= 16));
}

/* Do the first bytes of a graph look like one? */
static bool is_graph(const uint8_t *at, const uint8_t *end)
{
    walk w = {.at = at, .end = end};
    for (int i = 0; i < 4 && w.at < w.end && !w.bad; i++) {
        uint64_t tag = varint(&w), n;
        if (w.at == w.end)
            break;
        n = varint(&w);
        if (w.bad || !is_graph_field(tag >> 3, tag & 7))
            return false;
        if (n >= (uint64_t)(w.end - w.at))
            break;
        w.at += n;
    }
    return true;
}

/*
 * A ModelProto begins with its version, a field that no text can begin with;
 * all that follows in the head has to be fields of a model, and a graph among
 * them, unless the file was cut off before it.
 */
bool hw_onnx_tell(const char *bytes, size_t n, bool whole)
{
    walk w = {.at = (const uint8_t *)bytes, .end = (const uint8_t *)bytes + n, .whole = whole};
    bool version = false, graph = false, runs_on = false;
    while (w.at < w.end && !w.bad && !runs_on) {
        uint64_t tag = varint(&w), field = tag >> 3;
        if (w.at == w.end) {
            runs_on = true;
            break;
        }
        uint64_t value = varint(&w);
        if (w.bad || !is_model_field(field, tag & 7))
            return false;
        if ((tag & 7) == 0) {
            version = version || (field == 1 && value >= 1 && value <= 1000);
            continue;
        }
        uint64_t left = (uint64_t)(w.end - w.at);
        runs_on = value > left;
        if (field == 7 && !is_graph(w.at, runs_on ? w.end : w.at + value))
            return false;
        graph = graph || field == 7;
        if (!runs_on)
            w.at += value;
    }
    return !w.bad && version && (graph || runs_on || !whole);
}

const hw_importer hw_importer_onnx = {.name = "onnx",
                                      .title = "ONNX",
                                      .help = "models of neural networks (.onnx)",
                                      .tell = hw_onnx_tell,
                                      .read = hw_onnx_read,
                                      .has_dims = true};
