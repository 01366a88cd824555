/* Lines of descent in a beam.  See beam_line.h. */
#include "solvers/beam_line.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static bool make_room(beam_lines *l)
{
    void *array = l->entry;
    if (l->count == UINT32_MAX ||
        !hw_grow(&array, &l->room, (size_t)l->count + 1, sizeof *l->entry))
        return false;
    l->entry = array;
    return true;
}

bool beam_lines_init(beam_lines *l)
{
    *l = (beam_lines){.spare = BEAM_ROOT};
    if (!make_room(l))
        return false;
    l->entry[l->count++] = (beam_entry){.before = BEAM_ROOT, .held = 1};
    return true;
}

void beam_lines_free(beam_lines *l)
{
    free(l->entry);
    memset(l, 0, sizeof *l);
}

bool beam_lines_add(beam_lines *l, uint32_t before, uint32_t item, uint32_t *made)
{
    uint32_t at = l->spare;
    if (at != BEAM_ROOT) {
        l->spare = l->entry[at].before;
    } else {
        if (!make_room(l))
            return false;
        at = l->count++;
    }
    l->entry[before].held++;
    l->entry[at] = (beam_entry){before, item, 1};
    *made = at;
    return true;
}

void beam_lines_drop(beam_lines *l, uint32_t entry)
{
    while (--l->entry[entry].held == 0) {
        uint32_t before = l->entry[entry].before;
        l->entry[entry].before = l->spare;
        l->spare = entry;
        entry = before;
    }
}
