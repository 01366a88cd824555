/* Figures in cells.  See cells.h. */
#include "bench/cells.h"

#include <math.h>

void hw_duration_text(double seconds, char text[HW_DURATION_TEXT])
{
    static const struct {
        double below, factor;
        const char *unit;
    } units[] = {{1e-6, 1e9, "ns"}, {1e-3, 1e6, "\xC2\xB5s"}, {1, 1e3, "ms"}, {INFINITY, 1, "s"}};
    if (isnan(seconds)) {
        (void)snprintf(text, HW_DURATION_TEXT, "-");
        return;
    }
    size_t u = 0;
    while (seconds >= units[u].below)
        u++;
    double value = seconds * units[u].factor;
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    (void)snprintf(text, HW_DURATION_TEXT, "%.*f %s", decimals, value, units[u].unit);
}

bool hw_put_share(hw_grid *grid, size_t row, size_t column, const hw_share *s)
{
    if (s->n == 0)
        return hw_grid_put(grid, row, column, "-");
    return hw_grid_put(grid, row, column, "%.1f %% [%.1f, %.1f]", 100 * s->share, 100 * s->low,
                       100 * s->high);
}

bool hw_put_per_cent(hw_grid *grid, size_t row, size_t column, double value)
{
    if (isnan(value))
        return hw_grid_put(grid, row, column, "-");
    return hw_grid_put(grid, row, column, "%.1f %%", value);
}

bool hw_put_duration(hw_grid *grid, size_t row, size_t column, double seconds)
{
    char text[HW_DURATION_TEXT];
    hw_duration_text(seconds, text);
    return hw_grid_put(grid, row, column, "%s", text);
}

bool hw_put_number(hw_grid *grid, size_t row, size_t column, double value)
{
    return !isfinite(value) || hw_grid_put(grid, row, column, "%.9g", value);
}

bool hw_put_three(hw_grid *grid, size_t row, size_t column, const hw_share *s)
{
    return s->n == 0 || (hw_put_number(grid, row, column, s->share) &&
                         hw_put_number(grid, row, column + 1, s->low) &&
                         hw_put_number(grid, row, column + 2, s->high));
}

bool hw_put_fields(hw_grid *grid, size_t row, const hw_record *r, const hw_field *fields,
                   size_t n_fields)
{
    bool fine = true;
    for (size_t f = 0; fine && f < n_fields; f++) {
        char buffer[HW_FIELD_TEXT];
        fine = hw_grid_put(grid, row, f, "%s",
                           r ? hw_field_text(r, fields[f], buffer) : hw_field_name(fields[f]));
        grid->is_number[f] = fields[f] == HW_FIELD_NODES || fields[f] == HW_FIELD_DENSITY;
    }
    return fine;
}
