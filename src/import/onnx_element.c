/* Types of elements, and whether the data of a tensor fit its shape.  See onnx_internal.h. */
#include <inttypes.h>
#include <string.h>

#include "import/onnx_internal.h"

/* Fields of TensorProto. */
enum { FLOATS = 4, INT32S = 5, STRINGS = 6, INT64S = 7, RAW = 9, DOUBLES = 10, UINT64S = 11 };

/* By number, as TensorProto.DataType counts them, up to those of ONNX 1.20. */
static const hw_onnx_element elements[] = {
    [1] = {"float", 32, FLOATS, 1},         [2] = {"uint8", 8, INT32S, 1},
    [3] = {"int8", 8, INT32S, 1},           [4] = {"uint16", 16, INT32S, 1},
    [5] = {"int16", 16, INT32S, 1},         [6] = {"int32", 32, INT32S, 1},
    [7] = {"int64", 64, INT64S, 1},         [8] = {"string", 0, STRINGS, 1},
    [9] = {"bool", 8, INT32S, 1},           [10] = {"float16", 16, INT32S, 1},
    [11] = {"double", 64, DOUBLES, 1},      [12] = {"uint32", 32, UINT64S, 1},
    [13] = {"uint64", 64, UINT64S, 1},      [14] = {"complex64", 64, FLOATS, 2},
    [15] = {"complex128", 128, DOUBLES, 2}, [16] = {"bfloat16", 16, INT32S, 1},
    [17] = {"float8e4m3fn", 8, INT32S, 1},  [18] = {"float8e4m3fnuz", 8, INT32S, 1},
    [19] = {"float8e5m2", 8, INT32S, 1},    [20] = {"float8e5m2fnuz", 8, INT32S, 1},
    [21] = {"uint4", 4, INT32S, 0},         [22] = {"int4", 4, INT32S, 0},
    [23] = {"float4e2m1", 4, INT32S, 0},    [24] = {"float8e8m0", 8, INT32S, 1},
    [25] = {"uint2", 2, INT32S, 0},         [26] = {"int2", 2, INT32S, 0},
};

const hw_onnx_element *hw_onnx_element_of(int64_t number)
{
    if (number <= 0 || number >= (int64_t)(sizeof elements / sizeof elements[0]))
        return NULL;
    return &elements[number];
}

bool hw_onnx_element_bytes(const hw_onnx_element *e, uint64_t n, uint64_t *bytes)
{
    uint64_t bits;
    if (e->bits >= 8) {
        if (__builtin_mul_overflow(n, (uint64_t)(e->bits / 8), bytes))
            return false;
        return *bytes <= INT64_MAX;
    }
    if (n > INT64_MAX)
        return false;
    /* Packed, several to a byte; the last byte may be part empty. */
    bits = 8 / (e->bits ? (unsigned)e->bits : 8U);
    *bytes = n / bits + (n % bits != 0);
    return true;
}

void hw_onnx_payload_dim(hw_onnx_payload *p, int64_t dim)
{
    p->negative = p->negative || dim < 0;
    if (__builtin_mul_overflow(p->elements, (uint64_t)dim, &p->elements))
        p->overflows = true;
}

void hw_onnx_payload_data(hw_onnx_payload *p, uint32_t field, uint64_t n)
{
    if (field == RAW) {
        p->has_raw = true;
        p->raw_bytes += n;
        return;
    }
    if (n == 0)
        return;
    p->mixed = p->mixed || (p->field && p->field != field);
    p->field = field;
    p->values += n;
}

static hw_code bad(const hw_onnx_payload *p, hw_error *err, const char *what)
{
    return hw_fail(err, HW_BAD_INPUT,
                   "byte %" PRIu64 ": the tensor '%s' %s: the file is damaged: export it anew",
                   p->at, p->name, what);
}

hw_code hw_onnx_payload_check(const hw_onnx_payload *p, hw_error *err)
{
    const hw_onnx_element *e = hw_onnx_element_of(p->type);
    uint64_t bytes, values;
    if (p->negative)
        return bad(p, err, "has a dimension below 0");
    if (!e)
        return bad(p, err, p->type == 0 ? "has no element type" : "has an unknown element type");
    if (p->overflows || !hw_onnx_element_bytes(e, p->elements, &bytes))
        return bad(p, err, "has a shape of more than 2^63 - 1 bytes");
    if (p->external)
        return HW_OK;
    if (!p->has_raw && p->values == 0 && p->elements > 0)
        return bad(p, err, "has a shape but no data, and names no other file for them");
    if (p->mixed || (p->has_raw && p->values > 0))
        return bad(p, err, "has data in two places");
    if (p->has_raw)
        return e->bits && p->raw_bytes == bytes
                   ? HW_OK
                   : bad(p, err, "has data that its shape does not fit");
    if (__builtin_mul_overflow(p->elements, (uint64_t)e->repeats, &values))
        return bad(p, err, "has data that its shape does not fit");
    if (e->repeats == 0)
        values = bytes;
    return p->values == values && (p->field == e->field || values == 0)
               ? HW_OK
               : bad(p, err, "has data that its shape does not fit");
}
