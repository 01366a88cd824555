/*
 * Files that grow beside their target, remembered so that a second signal can
 * remove them.  See cli.h.
 *
 * A slot holds a copy of the temporary name until the file is in place or
 * gone: the handler may look at it at any moment.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/memory.h"

enum { MOST_UNFINISHED = 4 };

static _Atomic(char *) unfinished[MOST_UNFINISHED];

void hw_cli_remove_unfinished(void)
{
    for (size_t i = 0; i < MOST_UNFINISHED; i++) {
        const char *path = atomic_load(&unfinished[i]);
        if (path)
            (void)unlink(path);
    }
}

static void remember(const hw_output *o)
{
    char *held = o->temporary ? hw_copy(o->temporary, strlen(o->temporary) + 1, 1) : NULL;
    for (size_t i = 0; held && i < MOST_UNFINISHED; i++)
        if (!atomic_load(&unfinished[i])) {
            atomic_store(&unfinished[i], held);
            return;
        }
    free(held); /* out of memory or of slots: only a second signal would tell */
}

hw_code hw_cli_open(const char *path, hw_output *o, hw_error *err)
{
    hw_code code = hw_output_open(path, o, err);
    if (code == HW_OK)
        remember(o);
    return code;
}

hw_code hw_cli_open_inside(const char *path, hw_output *o, hw_error *err)
{
    hw_code code = hw_output_open_inside(path, o, err);
    if (code == HW_OK)
        remember(o);
    return code;
}

static size_t slot_of(const hw_output *o)
{
    for (size_t i = 0; o->temporary && i < MOST_UNFINISHED; i++) {
        const char *held = atomic_load(&unfinished[i]);
        if (held && strcmp(held, o->temporary) == 0)
            return i;
    }
    return MOST_UNFINISHED;
}

static void empty(size_t slot)
{
    if (slot < MOST_UNFINISHED)
        free(atomic_exchange(&unfinished[slot], NULL));
}

hw_code hw_cli_commit(hw_output *o, hw_error *err)
{
    size_t slot = slot_of(o);
    hw_code code = hw_output_commit(o, err);
    empty(slot);
    return code;
}

void hw_cli_abandon(hw_output *o)
{
    size_t slot = slot_of(o);
    hw_output_abandon(o);
    empty(slot);
}
