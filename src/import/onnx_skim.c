/*
 * The bytes of an ONNX model without its weights.  See onnx_internal.h.
 *
 * A model of 2 GB is some hundred KB of graph and the rest data that no size
 * depends on.  So the file is walked on the wire, field by field, along the
 * descriptors of the schema, and written down again without the data; a file
 * that can be sought in is not even read there.  What follows works on the
 * small copy, which is sound by then: every length fits, nothing is nested
 * deeper than the recursion of the unpacker can bear, every message that may
 * stand once does, and names are text.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"
#include "io/text.h"

enum {
    MOST_DEPTH = 100,       /* of messages in messages, as the libraries of protobuf have it */
    MOST_DATA_BYTES = 4096, /* of a tensor that are kept: shapes, axes, scalars are far below */
    LENGTH_BYTES = 5,       /* of a length that is put in later                                */
};
static const size_t most_bytes = (size_t)512 << 20; /* of a model without its weights */

typedef struct skim {
    hw_input *in;
    hw_onnx_bytes *out;
    hw_onnx_bytes data; /* small data of the tensor at hand */
    hw_onnx_facts *facts;
    uint64_t at; /* byte of the file */
    hw_error *err;
} skim;

/* A message that is being walked. */
typedef struct frame {
    const ProtobufCMessageDescriptor *type;
    uint64_t end; /* byte of the file; UINT64_MAX: the file's end */
    unsigned depth;
    uint64_t seen;           /* fields of `type` met, by index */
    hw_onnx_payload *tensor; /* NULL: it is none */
    bool dropped;            /* data of the tensor were left out */
} frame;

static hw_code bad(skim *s, const frame *f, const char *what)
{
    return hw_fail(s->err, HW_BAD_INPUT, "byte %" PRIu64 " (%s): %s: get the file anew", s->at,
                   f->type->short_name, what);
}

static hw_code cut(skim *s, const frame *f)
{
    return bad(s, f, "the file ends in the middle of a field: it is truncated");
}

static hw_code put(skim *s, hw_onnx_bytes *to, const void *bytes, size_t n)
{
    if (n > most_bytes - to->n)
        return hw_fail(s->err, HW_BAD_INPUT,
                       "byte %" PRIu64 ": the model is larger than 512 MiB without its weights: no "
                       "graph is, so the file is damaged",
                       s->at);
    if (!hw_grow((void **)&to->data, &to->room, to->n + n, 1))
        return hw_fail_memory(s->err, "a model");
    memcpy(to->data + to->n, bytes, n);
    to->n += n;
    return HW_OK;
}

static hw_code put_varint(skim *s, hw_onnx_bytes *to, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; value > 127; value >>= 7)
        bytes[n++] = (uint8_t)(value | 128);
    bytes[n++] = (uint8_t)value;
    return put(s, to, bytes, n);
}

/* Make sure of unread bytes in the buffer, or of the file's end. */
static hw_code fill(skim *s)
{
    hw_code code = HW_OK;
    while (code == HW_OK && s->in->start == s->in->end && !s->in->at_end)
        code = hw_input_more(s->in, s->err);
    return code;
}

static hw_code varint(skim *s, const frame *f, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        hw_code code = fill(s);
        if (code != HW_OK)
            return code;
        if (s->in->start == s->in->end)
            return cut(s, f);
        if (s->at >= f->end)
            return bad(s, f, "a number runs over the end of its message");
        uint8_t byte = (uint8_t)s->in->buffer[s->in->start++];
        s->at++;
        if (shift == 63 && byte > 1)
            break;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return HW_OK;
    }
    return bad(s, f, "a number has more than 64 bits");
}

/*
 * The next n bytes of the file: to the end of `to`, unless NULL; *ends is the
 * number of those below 128, with which numbers of variable length end.
 */
static hw_code copy(skim *s, const frame *f, uint64_t n, hw_onnx_bytes *to, uint64_t *ends)
{
    *ends = 0;
    while (n > 0) {
        hw_code code = fill(s);
        size_t have = s->in->end - s->in->start, take = have < n ? have : (size_t)n;
        if (code == HW_OK && take == 0)
            code = cut(s, f);
        if (code == HW_OK && to)
            code = put(s, to, s->in->buffer + s->in->start, take);
        if (code != HW_OK)
            return code;
        for (size_t i = 0; i < take; i++)
            *ends += (uint8_t)s->in->buffer[s->in->start + i] < 128;
        s->in->start += take;
        s->at += take;
        n -= take;
    }
    return HW_OK;
}

static hw_code skip(skim *s, const frame *f, uint64_t n)
{
    uint64_t passed = 0;
    hw_code code = hw_input_skip(s->in, n, &passed, s->err);
    s->at += passed;
    return code == HW_OK && passed < n ? cut(s, f) : code;
}

/* What no size depends on. */
static bool is_idle(const char *field)
{
    static const char *const idle[] = {"doc_string",     "denotation",
                                       "metadata_props", "quantization_annotation",
                                       "training_info",  "segment"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        if (strcmp(idle[i], field) == 0)
            return true;
    return false;
}

static bool is_data(const frame *f, uint32_t number)
{
    return f->tensor && ((number >= 4 && number <= 7) || (number >= 9 && number <= 11));
}

/* How the values of a field stand on the wire: 0, 1, 2 or 5. */
static unsigned wire_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return 5;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 1;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return 2;
    default:
        return 0;
    }
}

/* Facts of a tensor out of a single number. */
static void observe(frame *f, uint32_t number, uint64_t value)
{
    if (number == 1)
        hw_onnx_payload_dim(f->tensor, (int64_t)value);
    else if (number == 2)
        f->tensor->type = (int32_t)value;
    else if (number == 14)
        f->tensor->external = value == 1;
}

/* A field of a single number. */
static hw_code number_field(skim *s, frame *f, const ProtobufCFieldDescriptor *field, uint64_t tag)
{
    uint8_t fixed[8];
    uint64_t value = 0, ends;
    unsigned wire = (unsigned)(tag & 7);
    size_t n = wire == 1 ? 8 : 4;
    hw_onnx_bytes scratch = {.data = fixed, .room = sizeof fixed};
    hw_code code;
    if (wire == 0)
        code = varint(s, f, &value);
    else
        code = n > f->end - s->at ? bad(s, f, "a field runs over the end of its message")
                                  : copy(s, f, n, &scratch, &ends);
    if (code != HW_OK || !field)
        return code;
    if (is_data(f, field->id)) {
        hw_onnx_payload_data(f->tensor, field->id, 1);
        if (s->data.n > MOST_DATA_BYTES) {
            f->dropped = true;
            return HW_OK;
        }
    } else if (f->tensor) {
        observe(f, field->id, value);
    }
    hw_onnx_bytes *to = is_data(f, field->id) ? &s->data : s->out;
    code = put_varint(s, to, tag);
    if (code == HW_OK)
        code = wire == 0 ? put_varint(s, to, value) : put(s, to, fixed, n);
    return code;
}

/* Data of a tensor: counted, kept where they are few. */
static hw_code data_field(skim *s, frame *f, const ProtobufCFieldDescriptor *field, uint64_t tag,
                          uint64_t n)
{
    unsigned wire = wire_of(field->type);
    uint64_t ends = 0;
    hw_code code = HW_OK;
    if (n <= MOST_DATA_BYTES && s->data.n + n <= MOST_DATA_BYTES) {
        code = put_varint(s, &s->data, tag);
        if (code == HW_OK)
            code = put_varint(s, &s->data, n);
        if (code == HW_OK)
            code = copy(s, f, n, &s->data, &ends);
    } else {
        f->dropped = true;
        code = wire == 0 ? copy(s, f, n, NULL, &ends) : skip(s, f, n);
    }
    if (wire == 0)
        n = ends;
    else if (wire == 1 || wire == 5)
        n /= wire == 1 ? 8 : 4;
    else if (field->type == PROTOBUF_C_TYPE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED)
        n = 1;
    hw_onnx_payload_data(f->tensor, field->id, n);
    return code;
}

/* Text, which must be some; the name of a tensor is kept for messages. */
static hw_code text_field(skim *s, frame *f, const ProtobufCFieldDescriptor *field, uint64_t n)
{
    size_t begin = s->out->n;
    uint64_t ends;
    hw_code code = copy(s, f, n, s->out, &ends);
    if (code != HW_OK)
        return code;
    const char *text = (const char *)s->out->data + begin;
    if (n > 0 && (memchr(text, '\0', (size_t)n) || !hw_is_utf8(text, (size_t)n)))
        return bad(s, f, "a name is not UTF-8, or holds a NUL byte");
    if (f->tensor && strcmp(field->name, "name") == 0)
        (void)hw_quote(n > 0 ? text : "", (size_t)n, f->tensor->name);
    return HW_OK;
}

/* Several numbers in one field. */
static hw_code packed_field(skim *s, frame *f, const ProtobufCFieldDescriptor *field, uint64_t n)
{
    unsigned wire = wire_of(field->type);
    size_t begin = s->out->n;
    uint64_t ends;
    hw_code code = copy(s, f, n, s->out, &ends);
    if (code != HW_OK)
        return code;
    const uint8_t *bytes = s->out->data + begin;
    if ((wire == 5 && n % 4 != 0) || (wire == 1 && n % 8 != 0) ||
        (wire == 0 && n > 0 && bytes[n - 1] > 127))
        return bad(s, f, "a list of numbers ends in the middle of one");
    if (wire != 0 || !f->tensor)
        return HW_OK;
    uint64_t value = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < n; i++) {
        if (shift > 63)
            return bad(s, f, "a number has more than 64 bits");
        value |= (uint64_t)(bytes[i] & 127) << shift;
        shift += 7;
        if (bytes[i] < 128) {
            observe(f, field->id, value);
            value = shift = 0;
        }
    }
    return HW_OK;
}

static hw_code message(skim *s, frame *f);

static hw_code message_field(skim *s, const frame *f, const ProtobufCFieldDescriptor *field,
                             uint64_t n)
{
    hw_onnx_payload tensor = {.at = s->at, .elements = 1};
    frame inner = {.type = field->descriptor, .end = s->at + n, .depth = f->depth + 1};
    if (inner.type == &onnx__tensor_proto__descriptor)
        inner.tensor = &tensor;
    if (inner.depth > MOST_DEPTH)
        return bad(s, f, "messages are nested more than 100 deep");
    static const uint8_t room[LENGTH_BYTES];
    hw_code code = put(s, s->out, room, LENGTH_BYTES);
    size_t begin = s->out->n;
    if (code == HW_OK)
        code = message(s, &inner);
    if (code != HW_OK)
        return code;
    /* A length of a fixed number of bytes is as good as a short one. */
    size_t length = s->out->n - begin;
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        s->out->data[begin - LENGTH_BYTES + i] =
            (uint8_t)(((length >> (7 * i)) & 127) | (i + 1 < LENGTH_BYTES ? 128 : 0));
    return HW_OK;
}

/* A field with a length before it. */
static hw_code long_field(skim *s, frame *f, const ProtobufCFieldDescriptor *field, uint64_t tag)
{
    uint64_t n;
    hw_code code = varint(s, f, &n);
    if (code != HW_OK)
        return code;
    if (n > INT64_MAX || n > f->end - s->at)
        return bad(s, f, "a field runs over the end of its message");
    if (!field || is_idle(field->name)) {
        s->facts->training =
            s->facts->training || (field && strcmp(field->name, "training_info") == 0);
        return skip(s, f, n);
    }
    if (is_data(f, field->id))
        return data_field(s, f, field, tag, n);
    /* Blobs of custom operators. */
    if (field->type == PROTOBUF_C_TYPE_BYTES && n > MOST_DATA_BYTES)
        return skip(s, f, n);
    code = put_varint(s, s->out, tag);
    if (code == HW_OK && field->type == PROTOBUF_C_TYPE_MESSAGE)
        return message_field(s, f, field, n);
    if (code == HW_OK)
        code = put_varint(s, s->out, n);
    if (code != HW_OK)
        return code;
    uint64_t ends;
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return text_field(s, f, field, n);
    return field->type == PROTOBUF_C_TYPE_BYTES ? copy(s, f, n, s->out, &ends)
                                                : packed_field(s, f, field, n);
}

static hw_code any_field(skim *s, frame *f)
{
    uint64_t tag;
    hw_code code = varint(s, f, &tag);
    if (code != HW_OK)
        return code;
    unsigned wire = (unsigned)(tag & 7);
    if (tag >> 3 == 0 || tag > UINT32_MAX || wire == 3 || wire == 4 || wire > 5)
        return bad(s, f, "this is no field of protobuf");
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(f->type, (unsigned)(tag >> 3));
    if (field) {
        unsigned meant = wire_of(field->type);
        bool repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
        if (wire != meant && !(wire == 2 && repeated))
            return bad(s, f, "a field is not of the type that ONNX gives it");
        uint64_t bit = (uint64_t)1 << (field - f->type->fields);
        if (meant == 2 && !repeated && (f->seen & bit))
            return bad(s, f, "a field that may stand once stands twice");
        f->seen |= bit;
    }
    return wire == 2 ? long_field(s, f, field, tag) : number_field(s, f, field, tag);
}

/* Take leave of a tensor: its data go behind its other fields. */
static hw_code end_tensor(skim *s, frame *f)
{
    hw_code code = hw_onnx_payload_check(f->tensor, s->err);
    s->facts->external += f->tensor->external;
    if (code == HW_OK && !f->dropped && s->data.n > 0)
        code = put(s, s->out, s->data.data, s->data.n);
    /* So that nobody takes what is left for its data: they lie elsewhere, in the file. */
    if (code == HW_OK && f->dropped && !f->tensor->external)
        code = put(s, s->out, "\x70\x01", 2);
    return code;
}

static hw_code message(skim *s, frame *f)
{
    hw_code code = HW_OK;
    if (f->tensor)
        s->data.n = 0;
    while (code == HW_OK && s->at < f->end) {
        if (f->end == UINT64_MAX) {
            code = fill(s);
            if (code != HW_OK || s->in->start == s->in->end)
                break;
        }
        code = any_field(s, f);
    }
    return code == HW_OK && f->tensor ? end_tensor(s, f) : code;
}

hw_code hw_onnx_skim(hw_input *in, hw_onnx_bytes *out, hw_onnx_facts *facts, hw_error *err)
{
    skim s = {.in = in, .out = out, .facts = facts, .err = err};
    frame f = {.type = &onnx__model_proto__descriptor, .end = UINT64_MAX};
    hw_code code = message(&s, &f);
    free(s.data.data);
    return code;
}
