/* What drawings and tables are called.  See page_internal.h. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_parse.h"
#include "report/page_internal.h"

/* The row of a drawing in plots.json, or NULL; *at is its place. */
static const json_t *find(const json_t *titles, const char *name, size_t *at)
{
    for (*at = 0; *at < json_array_size(titles); ++*at) {
        const json_t *row = json_array_get(titles, *at);
        const char *file = json_string_value(json_object_get(row, "file"));
        if (file && strcmp(file, name) == 0)
            return row;
    }
    return NULL;
}

static const json_t *titled(const json_t *titles, const char *name)
{
    size_t at;
    return find(titles, name, &at);
}

/* Text that fits, cut between characters: what is not UTF-8 is escaped later. */
static void cut(char *to, size_t size, const char *text)
{
    size_t n = strlen(text);
    if (n >= size)
        for (n = size - 1; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
            n--;
    memcpy(to, text, n);
    to[n] = '\0';
}

/* The files that the scripts of this project write; others are called by their names. */
static const struct {
    const char *name, *caption;
} captions[] = {
    {"campaign.csv", "What was run, section by section"},
    {"density.csv", "Gaps by the number of edges a node"},
    {"effort.csv", "What the proofs cost"},
    {"families.csv", "Every solver by family"},
    {"features.csv", "Gaps with views, in-place pairs, workspace, inputs"},
    {"laws.csv", "Gaps by the law of tensor sizes"},
    {"nets.csv", "Real architectures"},
    {"nodes.csv", "Gaps by the number of nodes"},
    {"pairs.csv", "Solvers two by two, on the same graphs"},
    {"solvers.csv", "Every solver"},
    {"sparse.csv", "Sparse random graphs of 10 nodes"},
    {"stats.csv", "Figures of every solver"},
    {"ten.csv", "Graphs of 10 nodes"},
    {"ten-families.csv", "Graphs of 10 nodes by family"},
    {"wide.csv", "Graphs of 64 nodes and more"},
    {"cactus.svg", "Instances settled against time"},
    {"counts.svg", "Orders, down-sets and prefixes against the number of nodes"},
    {"families.svg", "The gap by family"},
    {"gaps.svg", "How far each solver is from the optimum"},
    {"gaps-real.svg", "How far each solver is from the optimum, on real graphs"},
    {"heat.svg", "The gap over the number of nodes and of edges a node"},
    {"optimal.svg", "Share of optimal answers against the number of nodes"},
    {"pareto.svg", "The gap against the time that it takes"},
    {"profile.svg", "Performance profile of the peaks"},
    {"profile-real.svg", "Performance profile of the peaks, on real graphs"},
    {"rivals.svg", "Performance profile without the best solver"},
    {"runtime.svg", "Time of a run against the number of nodes"},
    {"shares.svg", "Shares within 5 % and above 20 % of the optimum"},
};

void hw_page_caption(const struct json_t *titles, const char *name, char text[HW_PAGE_CAPTION])
{
    const char *title = json_string_value(json_object_get(titled(titles, name), "title"));
    const size_t size = HW_PAGE_CAPTION;
    if (title && *title) {
        cut(text, size, title);
        return;
    }
    const char *dot = strrchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);
    for (size_t i = 0; i < sizeof captions / sizeof captions[0]; i++)
        if (strcmp(captions[i].name, name) == 0) {
            (void)snprintf(text, size, "%s", captions[i].caption);
            return;
        }
    n = n < size ? n : size - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = name[i] == '-' || name[i] == '_' ? ' ' : name[i];
    text[n] = '\0';
    if (n && text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
}

void hw_page_label(const struct json_t *titles, const char *name, char text[HW_PAGE_LABEL])
{
    char title[HW_PAGE_CAPTION], whole[2 * HW_PAGE_LABEL];
    const char *more = json_string_value(json_object_get(titled(titles, name), "caption"));
    hw_page_caption(titles, name, title);
    (void)snprintf(whole, sizeof whole, "%s%s%.*s", title, more && *more ? ": " : "", HW_PAGE_LABEL,
                   more ? more : "");
    cut(text, HW_PAGE_LABEL, whole);
}

size_t hw_page_place(const struct json_t *titles, const char *name)
{
    size_t at;
    (void)find(titles, name, &at);
    return at;
}

struct json_t *hw_page_titles(const char *text, size_t n, bool *lacked)
{
    json_error_t problem;
    json_t *titles = hw_json_load(text, n, &problem, lacked);
    if (!json_is_array(titles)) {
        json_decref(titles);
        return NULL;
    }
    return titles;
}

void hw_page_titles_free(struct json_t *titles)
{
    json_decref(titles);
}
