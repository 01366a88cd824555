/* Resident memory of this process.  See resident.h. */
#include "bench/resident.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hw_resident_reset(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool done = write(file, "5", 1) == 1;
    return close(file) == 0 && done;
}

static hw_maybe_u64 status_bytes(const char *key)
{
    hw_maybe_u64 found = {false, 0};
    FILE *file = fopen("/proc/self/status", "re");
    if (!file)
        return found;
    char line[256];
    size_t length = strlen(key);
    while (!found.known && fgets(line, sizeof line, file))
        if (strncmp(line, key, length) == 0)
            found = hw_known(strtoull(line + length, NULL, 10) * 1024);
    (void)fclose(file);
    return found;
}

hw_maybe_u64 hw_resident_peak_bytes(void)
{
    return status_bytes("VmHWM:");
}

hw_maybe_u64 hw_resident_bytes(void)
{
    return status_bytes("VmRSS:");
}

hw_maybe_u64 hw_data_bytes(void)
{
    return status_bytes("VmData:");
}
