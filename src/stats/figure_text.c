/* How a figure is rounded for people.  See figures.h. */
#include <math.h>
#include <stdio.h>

#include "stats/figures.h"

/* Three digits that count, without more than `most` decimals. */
static void three_digits(double value, int most, char *text)
{
    int before = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;
    int decimals = before >= 3 ? 0 : 3 - before;
    (void)snprintf(text, HW_FIGURE_CELL, "%.*f", decimals < most ? decimals : most, value);
}

static void large_text(double value, bool latex, char *text)
{
    if (fabs(value) < 1e4) {
        three_digits(value, value == floor(value) ? 0 : 2, text);
        return;
    }
    int exponent = (int)floor(log10(fabs(value)));
    double digits = value / pow(10, exponent);
    if (digits >= 9.995) {
        digits /= 10;
        exponent++;
    }
    (void)snprintf(text, HW_FIGURE_CELL, latex ? "\\ensuremath{%.2f\\times10^{%d}}" : "%.2fe%d",
                   digits, exponent);
}

void hw_figure_text(double value, hw_figure_kind kind, bool latex, char text[HW_FIGURE_CELL])
{
    text[0] = '\0';
    if (isnan(value))
        return;
    if (isinf(value)) {
        (void)snprintf(text, HW_FIGURE_CELL, latex ? "\\ensuremath{\\infty}" : "\xE2\x88\x9E");
        return;
    }
    switch (kind) {
    case HW_FIGURE_TEXT:
        break;
    case HW_FIGURE_COUNT:
        (void)snprintf(text, HW_FIGURE_CELL, "%.0f", value);
        break;
    case HW_FIGURE_SHARE:
        (void)snprintf(text, HW_FIGURE_CELL, "%.1f", 100 * value);
        break;
    case HW_FIGURE_PERCENT:
        (void)snprintf(text, HW_FIGURE_CELL, "%.1f", value);
        break;
    case HW_FIGURE_SECONDS:
        three_digits(1e3 * value, 4, text);
        break;
    case HW_FIGURE_P:
        if (value < 1e-3)
            (void)snprintf(text, HW_FIGURE_CELL, latex ? "\\ensuremath{<0.001}" : "<0.001");
        else
            (void)snprintf(text, HW_FIGURE_CELL, "%.3f", value);
        break;
    case HW_FIGURE_REAL:
        (void)snprintf(text, HW_FIGURE_CELL, "%.2f", value);
        break;
    case HW_FIGURE_FINE:
        (void)snprintf(text, HW_FIGURE_CELL, "%.3f", value);
        break;
    case HW_FIGURE_LARGE:
        large_text(value, latex, text);
        break;
    }
}
