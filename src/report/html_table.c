/* Tables of figures.  See html_table.h; tables of CSV files are in html_csv.c. */
#include "report/html_table.h"

#include <inttypes.h>
#include <math.h>

#include "bench/cells.h"
#include "report/html.h"

static const char dash[] = "<td class=\"n\">\xE2\x80\x93</td>";

void hw_html_table_open(FILE *out, const char *caption, const hw_html_column *columns, size_t n)
{
    (void)fputs("<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"", out);
    hw_html_text(out, caption);
    (void)fputs("\">\n<table class=\"sortable\"><caption>", out);
    hw_html_text(out, caption);
    (void)fputs("</caption>\n<thead><tr>", out);
    for (size_t i = 0; i < n; i++) {
        (void)fprintf(out, "<th scope=\"col\"%s", columns[i].is_number ? " class=\"n\"" : "");
        if (columns[i].help) {
            (void)fputs(" title=\"", out);
            hw_html_text(out, columns[i].help);
            (void)fputc('"', out);
        }
        (void)fputc('>', out);
        hw_html_text(out, columns[i].name);
        (void)fputs("</th>", out);
    }
    (void)fputs("</tr></thead>\n<tbody>\n", out);
}

void hw_html_table_close(FILE *out)
{
    (void)fputs("</tbody></table>\n</div>\n", out);
}

void hw_html_row_open(FILE *out)
{
    (void)fputs("<tr>", out);
}

void hw_html_row_close(FILE *out)
{
    (void)fputs("</tr>\n", out);
}

void hw_html_cell_text(FILE *out, const char *text)
{
    (void)fputs("<td>", out);
    hw_html_text(out, text);
    (void)fputs("</td>", out);
}

void hw_html_cell_count(FILE *out, uint64_t value)
{
    (void)fprintf(out, "<td class=\"n\" data-v=\"%" PRIu64 "\">", value);
    hw_html_count(out, value);
    (void)fputs("</td>", out);
}

void hw_html_cell_real(FILE *out, double value, const char *unit)
{
    if (isnan(value)) {
        (void)fputs(dash, out);
        return;
    }
    (void)fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%.1f", value, value);
    hw_html_text(out, unit);
    (void)fputs("</td>", out);
}

void hw_html_cell_seconds(FILE *out, double seconds)
{
    char text[HW_DURATION_TEXT];
    if (isnan(seconds)) {
        (void)fputs(dash, out);
        return;
    }
    hw_duration_text(seconds, text);
    (void)fprintf(out, "<td class=\"n\" data-v=\"%.9g\">", seconds);
    hw_html_text(out, text);
    (void)fputs("</td>", out);
}

void hw_html_cell_share(FILE *out, const hw_share *share)
{
    if (share->n == 0) {
        (void)fputs(dash, out);
        return;
    }
    (void)fprintf(out,
                  "<td class=\"n share\" data-v=\"%.9g\" style=\"--f:%.4f\">"
                  "<span>%.1f\xE2\x80\xAF%%</span> <small>%.1f\xE2\x80\x93%.1f</small></td>",
                  share->share, share->share, 100 * share->share, 100 * share->low,
                  100 * share->high);
}
