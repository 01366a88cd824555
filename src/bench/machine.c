/* What /proc and /sys say about the machine.  See machine.h. */
#include "bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The line of a file that begins with `key`; false: there is none. */
static bool find_line(const char *path, const char *key, char *line, int size)
{
    FILE *in = fopen(path, "re");
    bool found = false;
    if (!in)
        return false;
    while (!found && fgets(line, size, in))
        found = strncmp(line, key, strlen(key)) == 0;
    (void)fclose(in);
    return found;
}

unsigned hw_machine_cores(void)
{
    enum { LINE = 4096 };
    char line[LINE];
    unsigned n = 0;
    if (find_line("/proc/self/status", "Cpus_allowed:", line, LINE))
        for (const char *at = line + strlen("Cpus_allowed:"); *at; at++) {
            static const char digits[] = "0123456789abcdef", bits[] = "0112122312232334";
            const char *digit = strchr(digits, *at);
            n += digit ? (unsigned)(bits[digit - digits] - '0') : 0;
        }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (n == 0 || (online > 0 && n > (unsigned)online)) /* the mask may name absent ones */
        n = online > 0 ? (unsigned)online : 1;
    return n;
}

static double tick(void)
{
    long ticks = sysconf(_SC_CLK_TCK);
    return ticks > 0 ? 1 / (double)ticks : 0.01;
}

hw_machine_times hw_machine_times_now(void)
{
    enum { LINE = 512, USER = 0, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, N_TIMES };
    char line[LINE];
    double time[N_TIMES] = {0};
    if (!find_line("/proc/stat", "cpu ", line, LINE))
        return (hw_machine_times){.known = false};
    char *at = line + 3;
    for (int i = 0; i < N_TIMES; i++)
        time[i] = strtod(at, &at) * tick();
    return (hw_machine_times){.known = true,
                              .busy = time[USER] + time[NICE] + time[SYSTEM] + time[IRQ] +
                                      time[SOFTIRQ],
                              .stolen = time[STEAL]};
}

double hw_machine_load(void)
{
    enum { LINE = 128 };
    char line[LINE];
    return find_line("/proc/loadavg", "", line, LINE) ? strtod(line, NULL) : -1;
}

double hw_machine_cpu_of(pid_t pid)
{
    enum { LINE = 1024, BEFORE = 11, TIMES = 4 }; /* fields between the state and utime */
    char path[64], line[LINE];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    char *at = find_line(path, "", line, LINE) ? strrchr(line, ')') : NULL;
    double sum = 0;
    for (int i = 0; at && i <= BEFORE; i++)
        at = strchr(at + 1, ' ');
    for (int i = 0; at && i < TIMES; i++)
        sum += strtod(at, &at) * tick();
    return sum;
}

double hw_machine_cpu_own(void)
{
    static const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct rusage u;
        if (getrusage(who[i], &u) == 0)
            sum += (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
                   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

bool hw_machine_saves_power(void)
{
    enum { LINE = 64 };
    char line[LINE];
    return find_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave", line,
                     LINE);
}

uint64_t hw_machine_starved(void)
{
    enum { LINE = 128 };
    static const char key[] = "oom_kill ";
    char line[LINE];
    return find_line("/proc/vmstat", key, line, LINE) ? strtoull(line + strlen(key), NULL, 10) : 0;
}
