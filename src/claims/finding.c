/*
 * A finding as bytes: every field is "LENGTH:BYTES", counts and numbers too,
 * NULL is "-".  Reals are hexadecimal, so that they come back as they were.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "claims/finding.h"
#include "core/memory.h"

static void put_text(FILE *out, const char *text)
{
    if (text)
        (void)fprintf(out, "%zu:%s", strlen(text), text);
    else
        (void)fputc('-', out);
}

static void put_u64(FILE *out, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(out, text);
}

static void put_real(FILE *out, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%a", value);
    put_text(out, text);
}

void hw_claim_finding_send(const hw_claim_finding *f, FILE *out)
{
    put_u64(out, (uint64_t)f->code);
    put_text(out, f->message);
    put_u64(out, (uint64_t)f->verdict);
    put_text(out, f->figure);
    put_text(out, f->condition);
    put_real(out, f->seconds);
    put_u64(out, f->n_tried);
    for (size_t i = 0; i < f->n_tried; i++) {
        put_text(out, f->tried[i].reading);
        put_text(out, f->tried[i].outcome);
        put_u64(out, f->tried[i].holds);
    }
    put_u64(out, f->n_values);
    for (size_t i = 0; i < f->n_values; i++) {
        put_text(out, f->values[i].name);
        put_text(out, f->values[i].unit);
        put_real(out, f->values[i].value);
        put_u64(out, f->values[i].measured);
    }
    put_u64(out, f->n_samples);
    for (size_t i = 0; i < f->n_samples; i++) {
        const hw_claim_sample *s = &f->samples[i];
        put_text(out, s->name);
        put_u64(out, s->n_shows);
        for (size_t k = 0; k < s->n_shows; k++) {
            put_text(out, s->shows[k].spec);
            put_u64(out, (uint64_t)s->shows[k].accounting);
            put_u64(out, s->shows[k].pinned);
            put_u64(out, s->shows[k].peak);
        }
    }
}

/* ---- Reading; errors stick in `code`. ---- */

typedef struct hw_claim_bytes {
    const char *at, *end;
    hw_code code;
} hw_claim_bytes;

static char *take_text(hw_claim_bytes *b)
{
    size_t length = 0;
    char *text;
    if (b->code != HW_OK)
        return NULL;
    if (b->at < b->end && *b->at == '-') {
        b->at++;
        return NULL;
    }
    const char *digits = b->at;
    while (b->at < b->end && *b->at >= '0' && *b->at <= '9' && length < (size_t)1 << 40)
        length = 10 * length + (size_t)(*b->at++ - '0');
    bool fine =
        b->at > digits && b->at < b->end && *b->at == ':' && length <= (size_t)(b->end - b->at - 1);
    text = fine ? HW_NEW(char, length + 1) : NULL;
    if (!text) {
        b->code = fine ? HW_NO_MEMORY : HW_INTERNAL;
        return NULL;
    }
    memcpy(text, b->at + 1, length);
    text[length] = '\0';
    b->at += 1 + length;
    return text;
}

/* A text that must be there. */
static char *need_text(hw_claim_bytes *b)
{
    char *text = take_text(b);
    if (!text && b->code == HW_OK)
        b->code = HW_INTERNAL;
    return text;
}

static uint64_t take_u64(hw_claim_bytes *b)
{
    char *text = need_text(b);
    uint64_t value = text ? strtoull(text, NULL, 10) : 0;
    free(text);
    return value;
}

static double take_real(hw_claim_bytes *b)
{
    char *text = need_text(b);
    double value = text ? strtod(text, NULL) : 0;
    free(text);
    return value;
}

/* Room for as many items as are told, each of which is a byte at least. */
static void *take_room(hw_claim_bytes *b, size_t item_bytes, size_t *n)
{
    uint64_t told = take_u64(b);
    void *items = NULL;
    if (b->code == HW_OK && told > (uint64_t)(b->end - b->at))
        b->code = HW_INTERNAL;
    if (b->code == HW_OK && !(items = hw_calloc((size_t)told, item_bytes)))
        b->code = HW_NO_MEMORY;
    *n = items ? (size_t)told : 0;
    return items;
}

static void take_sample(hw_claim_bytes *b, hw_claim_sample *s)
{
    s->name = need_text(b);
    s->shows = take_room(b, sizeof *s->shows, &s->n_shows);
    for (size_t i = 0; i < s->n_shows && b->code == HW_OK; i++) {
        s->shows[i].spec = need_text(b);
        s->shows[i].accounting = (hw_accounting)take_u64(b);
        s->shows[i].pinned = take_u64(b) != 0;
        s->shows[i].peak = take_u64(b);
    }
}

hw_code hw_claim_finding_receive(const char *bytes, size_t n_bytes, hw_claim_finding *f,
                                 hw_error *err)
{
    hw_claim_bytes b = {.at = bytes, .end = bytes + n_bytes};
    f->code = (hw_code)take_u64(&b);
    f->message = take_text(&b);
    f->verdict = (hw_claim_verdict)take_u64(&b);
    f->figure = take_text(&b);
    f->condition = take_text(&b);
    f->seconds = take_real(&b);
    f->tried = take_room(&b, sizeof *f->tried, &f->n_tried);
    for (size_t i = 0; i < f->n_tried && b.code == HW_OK; i++) {
        f->tried[i].reading = need_text(&b);
        f->tried[i].outcome = need_text(&b);
        f->tried[i].holds = take_u64(&b) != 0;
    }
    f->values = take_room(&b, sizeof *f->values, &f->n_values);
    for (size_t i = 0; i < f->n_values && b.code == HW_OK; i++) {
        f->values[i].name = need_text(&b);
        f->values[i].unit = need_text(&b);
        f->values[i].value = take_real(&b);
        f->values[i].measured = take_u64(&b) != 0;
    }
    f->samples = take_room(&b, sizeof *f->samples, &f->n_samples);
    for (size_t i = 0; i < f->n_samples && b.code == HW_OK; i++)
        take_sample(&b, &f->samples[i]);
    if (b.code == HW_NO_MEMORY)
        return hw_fail_memory(err, "what an experiment found");
    if (b.code != HW_OK || b.at != b.end)
        return hw_fail(err, HW_INTERNAL, "what its process told is torn after %td bytes",
                       b.at - bytes);
    return HW_OK;
}
