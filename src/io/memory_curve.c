/* Memory over the steps inside gnuplot scripts.  See memory_curve.h. */
#include "io/memory_curve.h"

#include <inttypes.h>

enum { MOST_POINTS = 3000 };

hw_curve_unit hw_curve_unit_for(uint64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    hw_curve_unit u = {names[0], 1};
    for (size_t i = 1; i < sizeof names / sizeof names[0] && (double)bytes / u.bytes >= 8192; i++)
        u = (hw_curve_unit){names[i], u.bytes * 1024};
    return u;
}

void hw_curve_put_bytes(FILE *out, uint64_t bytes)
{
    hw_curve_unit u = hw_curve_unit_for(bytes);
    (void)fprintf(out, "%.*f %s", u.bytes > 1 ? 1 : 0, (double)bytes / u.bytes, u.name);
}

uint32_t hw_curve_steps_a_point(const hw_log *log)
{
    return (uint32_t)(((uint64_t)log->n_steps + MOST_POINTS - 1) / MOST_POINTS);
}

void hw_curve_put(FILE *out, const hw_log *log, const char *name, const uint64_t *bytes,
                  double first, hw_curve_unit unit)
{
    uint32_t together = hw_curve_steps_a_point(log);
    double y = (double)log->live_empty / unit.bytes;
    (void)fprintf(out, "$%s << EOD\n%.1f %.9g\n", name, first, y);
    for (uint32_t i = 0; i < log->n_steps; i += together) {
        uint64_t most = 0;
        for (uint32_t k = i; k < log->n_steps && k - i < together; k++)
            most = bytes[k] > most ? bytes[k] : most;
        y = (double)most / unit.bytes;
        (void)fprintf(out, "%.1f %.9g\n", i - 0.5, y);
    }
    (void)fprintf(out, "%.1f %.9g\nEOD\n", log->n_steps - 0.5, y);
}
