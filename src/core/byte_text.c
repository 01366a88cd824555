/* Reading sizes.  See byte_text.h. */
#include "core/byte_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes a unit is, or 0 when it is none. */
static uint64_t unit_bytes(const char *unit)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {
        {"", 1},
        {"B", 1},
        {"kB", 1000},
        {"KB", 1000},
        {"MB", 1000000},
        {"GB", 1000000000},
        {"TB", 1000000000000},
        {"KiB", UINT64_C(1) << 10},
        {"MiB", UINT64_C(1) << 20},
        {"GiB", UINT64_C(1) << 30},
        {"TiB", UINT64_C(1) << 40},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].bytes;
    return 0;
}

hw_code hw_bytes_of_text(const char *text, uint64_t *value)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t unit = unit_bytes(text + digits);
    if (digits == 0 || unit == 0)
        return HW_BAD_INPUT;
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno == ERANGE || number > UINT64_MAX / unit)
        return HW_LIMIT;
    *value = number * unit;
    return HW_OK;
}
