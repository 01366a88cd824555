/* Digests of units and sections.  See digest.h. */
#include <sys/types.h>

#include <inttypes.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "merge/digest_internal.h"
#include "merge/strip.h"

static void put_digest(SHA2_CTX *context, char text[HW_DIGEST_TEXT])
{
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, context);
    for (size_t i = 0; i < HW_DIGEST_DIGITS / 2; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* The stripped lines of the unit, to be freed; *skipped: some were left out. */
static hw_code strip_unit(const hw_merged_unit *unit, const bool *skip, char **text, size_t *size,
                          hw_error *err)
{
    size_t longest = 0;
    unsigned what = HW_STRIP_KEY;
    *text = NULL;
    for (size_t i = 0; i < unit->n; i++) {
        longest = unit->run[i].length > longest ? unit->run[i].length : longest;
        if (skip && skip[i])
            what |= HW_STRIP_VERDICT;
    }
    char *line = HW_NEW(char, longest + 1);
    FILE *out = line ? hw_text_stream(text, size) : NULL;
    hw_code code = out ? HW_OK : hw_fail_memory(err, "a digest");
    for (size_t i = 0; code == HW_OK && i < unit->n; i++) {
        if (skip && skip[i])
            continue;
        memcpy(line, unit->run[i].text, unit->run[i].length);
        code = hw_strip_line(line, unit->run[i].length - 1, what, out, err);
    }
    bool failed = out && ferror(out) != 0;
    if (out && fclose(out) != 0)
        failed = true;
    if (code == HW_OK && failed)
        code = hw_fail_memory(err, "a digest");
    free(line);
    return code;
}

hw_code hw_unit_digest(const hw_merged_unit *unit, const bool *skip, char text[HW_DIGEST_TEXT],
                       hw_error *err)
{
    char *stripped;
    size_t size = 0;
    hw_code code = strip_unit(unit, skip, &stripped, &size, err);
    SHA2_CTX context;
    SHA256Init(&context);
    if (code == HW_OK && size)
        SHA256Update(&context, (const uint8_t *)stripped, size);
    put_digest(&context, text);
    free(stripped);
    return code;
}

void hw_section_digest(const hw_suite_section *section, char text[HW_DIGEST_TEXT])
{
    SHA2_CTX context;
    SHA256Init(&context);
    for (size_t i = 0; i < section->n_solvers; i++) {
        const hw_suite_solver *s = &section->solvers[i];
        char limits[160];
        (void)snprintf(limits, sizeof limits,
                       "%" PRIu64 " states, %.17g seconds, %" PRIu64 " bytes, %" PRIu64 " nodes",
                       s->limits.solver.states, s->limits.solver.seconds,
                       s->limits.solver.memory_bytes, s->limits.most_nodes);
        SHA256Update(&context, (const uint8_t *)s->spec, strlen(s->spec) + 1);
        SHA256Update(&context, (const uint8_t *)limits, strlen(limits) + 1);
    }
    put_digest(&context, text);
}

void hw_digest_key(const hw_suite_unit *unit, char text[HW_DIGEST_KEY_TEXT])
{
    (void)snprintf(text, HW_DIGEST_KEY_TEXT, "%s%s",
                   hw_accounting_name((hw_accounting)unit->accounting),
                   unit->pinned ? " pinned" : "");
}
