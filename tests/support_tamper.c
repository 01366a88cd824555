/* Every change of one byte of a text.  See support_tamper.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support_random.h"
#include "tests/support_tamper.h"

enum { BITS = 8, WAY_DIGIT = BITS, WAY_SPACE, WAY_NEWLINE, WAY_QUOTE, WAY_LEFT_OUT, WAY_DOUBLED };

size_t tampered(const char *bytes, size_t n, size_t place, unsigned way, char *out)
{
    char was = bytes[place];
    size_t kept = place + 1; /* what follows the byte begins here */
    size_t at = place;
    memcpy(out, bytes, place);
    if (way == TAMPER_CUT)
        return place;
    if (way < BITS)
        out[at++] = (char)((unsigned char)was ^ 1u << way);
    else if (way == WAY_DIGIT)
        out[at++] = was >= '0' && was < '9' ? (char)(was + 1) : '0';
    else if (way == WAY_DOUBLED)
        out[at++] = was, out[at++] = was;
    else if (way != WAY_LEFT_OUT)
        out[at++] = way == WAY_SPACE ? ' ' : way == WAY_NEWLINE ? '\n' : '"';
    if (at == kept && out[place] == was)
        return SIZE_MAX;
    memcpy(out + at, bytes + kept, n - kept);
    return at + n - kept;
}

static tamper_walk begin(const char *bytes, size_t n, uint64_t *state)
{
    tamper_walk w = {.bytes = bytes, .n = n, .out = malloc(n + 1), .state = state};
    assert_non_null(w.out);
    return w;
}

tamper_walk tamper_all(const char *bytes, size_t n)
{
    return begin(bytes, n, NULL);
}

tamper_walk tamper_some(const char *bytes, size_t n, uint64_t *state)
{
    return begin(bytes, n, state);
}

int tamper_next(tamper_walk *w)
{
    while (w->place < w->n) {
        unsigned way = w->state ? random_below(w->state, TAMPER_WAYS) : w->way;
        w->n_out = tampered(w->bytes, w->n, w->place, way, w->out);
        if (w->state || ++w->way == TAMPER_WAYS) {
            w->way = 0;
            w->place++;
        }
        if (w->n_out != SIZE_MAX)
            return 1;
    }
    free(w->out);
    w->out = NULL;
    return 0;
}
