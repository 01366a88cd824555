/* Keys of records to numbers, by a hash table.  See numbering.h. */
#include "bench/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct keys {
    hw_record_key key;
    const hw_field *fields;
    size_t n_fields;
} keys;

/* FNV-1a, 64 bits (Fowler, Noll and Vo 1991), with the end of the text. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

/* A step of a multiplicative hash, the high bits folded down. */
static uint64_t hash_number(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const keys *k, const hw_record *r)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char text[HW_FIELD_TEXT];
    for (size_t f = 0; k->key == HW_RECORD_KEY_FIELDS && f < k->n_fields; f++)
        hash = hash_text(hash, hw_field_text(r, k->fields[f], text));
    if (k->key == HW_RECORD_KEY_FIELDS)
        return hash_number(hash, 0);
    hash = hash_text(hash_text(hash, r->family), r->params);
    hash = hash_number(hash_number(hash, r->index), r->seed);
    if (k->key != HW_RECORD_KEY_INSTANCE)
        hash = hash_number(hash_text(hash_text(hash, r->section), r->accounting), r->pinned);
    if (k->key == HW_RECORD_KEY_RUN)
        hash = hash_number(hash_text(hash, r->solver), 0);
    return hash;
}

static bool same_instance(const hw_record *a, const hw_record *b)
{
    return a->index == b->index && a->seed == b->seed && strcmp(a->params, b->params) == 0 &&
           strcmp(a->family, b->family) == 0;
}

static bool is_same(const keys *k, const hw_record *a, const hw_record *b)
{
    if (k->key == HW_RECORD_KEY_INSTANCE)
        return same_instance(a, b);
    if (k->key != HW_RECORD_KEY_FIELDS)
        return hw_record_compare_units(a, b) == 0 &&
               (k->key == HW_RECORD_KEY_UNIT || strcmp(a->solver, b->solver) == 0);
    for (size_t f = 0; f < k->n_fields; f++) {
        char x[HW_FIELD_TEXT], y[HW_FIELD_TEXT];
        if (strcmp(hw_field_text(a, k->fields[f], x), hw_field_text(b, k->fields[f], y)) != 0)
            return false;
    }
    return true;
}

/* A key that has a number: the first record that has it. */
typedef struct slot {
    const hw_record *first; /* NULL: empty */
    uint64_t hash;
    size_t number;
} slot;

typedef struct table {
    slot *slots;
    size_t n_slots; /* a power of two */
} table;

static bool grow(table *t)
{
    table larger = {.n_slots = t->n_slots ? 2 * t->n_slots : 64};
    larger.slots = HW_NEW0(slot, larger.n_slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < t->n_slots; i++) {
        if (!t->slots[i].first)
            continue;
        size_t at = t->slots[i].hash & (larger.n_slots - 1);
        while (larger.slots[at].first)
            at = (at + 1) & (larger.n_slots - 1);
        larger.slots[at] = t->slots[i];
    }
    free(t->slots);
    *t = larger;
    return true;
}

hw_code hw_number_records(const hw_record *records, size_t n, hw_record_key key,
                          const hw_field *fields, size_t n_fields, size_t *number, size_t *count,
                          hw_error *err)
{
    keys k = {key, fields, n_fields};
    table t = {.n_slots = 0};
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (2 * (*count + 1) > t.n_slots && !grow(&t)) {
            free(t.slots);
            return hw_fail_memory(err, "groups of results");
        }
        uint64_t hash = hash_of(&k, &records[i]);
        slot *s = &t.slots[hash & (t.n_slots - 1)];
        while (s->first && (s->hash != hash || !is_same(&k, s->first, &records[i])))
            s = s + 1 == t.slots + t.n_slots ? t.slots : s + 1;
        if (!s->first)
            *s = (slot){&records[i], hash, (*count)++};
        number[i] = s->number;
    }
    free(t.slots);
    return HW_OK;
}
