/* Drawing and reading graphs for `highwater traits`.  See traits_sets.h. */
#include "cli/traits_sets.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "gen/family.h"
#include "io/folder.h"

void traits_set_clear(traits_set *s)
{
    hw_trait_report_clear(&s->report);
    hw_trait_clear(&s->sample);
    for (size_t i = 0; i < HW_TRAIT_GROUPINGS; i++) {
        for (uint32_t k = 0; k < s->names[i].n; k++)
            free(s->names[i].name[k]);
        free((void *)s->names[i].name);
        s->names[i] = (traits_names){.name = NULL};
    }
    free(s->hashes);
    s->hashes = NULL;
    s->n_hashes = s->hash_capacity = 0;
}

/* The number of a name, which is added where it is new. */
static hw_code number_of(traits_names *names, const char *name, uint32_t *number, hw_error *err)
{
    for (*number = 0; *number < names->n; (*number)++)
        if (strcmp(names->name[*number], name) == 0)
            return HW_OK;
    char *copy = hw_copy(name, strlen(name) + 1, 1);
    if (!copy || !hw_grow((void **)&names->name, &names->capacity, names->n + 1, sizeof(char *))) {
        free(copy);
        return hw_fail_memory(err, "the names of groups");
    }
    names->name[names->n++] = copy;
    return HW_OK;
}

void traits_progress(const hw_cli *c, size_t done, size_t of)
{
    if (c->quiet || !isatty(STDERR_FILENO) || done % 64)
        return;
    (void)fprintf(stderr, "\r\033[K");
    if (done > 0)
        (void)fprintf(stderr, "traits: %zu of %zu graphs", done, of);
    (void)fflush(stderr);
}

/* ---- Drawn graphs. ---- */

static const char *const preset_families[] = {
    "layered",
    "erdos:p=0.2",
    "erdos:p=0.35",
    "erdos:p=0.5",
    "random-order",
    "series-parallel",
    "series-parallel-order",
    "tree:direction=in",
    "tree:direction=out",
    "fan",
    "chains",
    "daggen",
};
static const char *const preset_sizes[] = {"uniform", "lognormal", "pareto", "bimodal"};
enum {
    N_FAMILIES = sizeof preset_families / sizeof preset_families[0],
    N_SIZES = sizeof preset_sizes / sizeof preset_sizes[0]
};

typedef struct source {
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    uint32_t group[HW_TRAIT_GROUPINGS];
} source;

static hw_code set(source *s, const char *name, const char *text, hw_error *err)
{
    char owner[80];
    (void)snprintf(owner, sizeof owner, "family %s", s->row->name);
    return hw_params_set(s->row->params, s->row->n_params, owner, name, text, s->values, err);
}

static hw_code open_source(traits_set *set_of, const char *family, const char *sizes, source *s,
                           hw_error *err)
{
    hw_code code = hw_family_parse(family, &s->row, s->values, err);
    s->group[1] = HW_NONE;
    if (code == HW_OK)
        code = number_of(&set_of->names[0], family, &s->group[0], err);
    if (code == HW_OK && sizes)
        code = number_of(&set_of->names[1], sizes, &s->group[1], err);
    if (code == HW_OK && sizes)
        code = set(s, "sizes", sizes, err);
    return code;
}

/* The families of --family, or each of the preset ones under each law. */
static hw_code open_sources(const hw_cli *c, traits_set *s, source **out, size_t *n, hw_error *err)
{
    const char *family;
    size_t room = (size_t)N_FAMILIES * N_SIZES;
    hw_code code = HW_OK;
    *n = 0;
    for (size_t cursor = 0; hw_cli_next(c, "family", &cursor);)
        room++;
    *out = HW_NEW0(source, room);
    if (!*out)
        return hw_fail_memory(err, "the families to draw from");
    for (size_t cursor = 0; code == HW_OK && (family = hw_cli_next(c, "family", &cursor));)
        code = open_source(s, family, NULL, &(*out)[(*n)++], err);
    for (size_t i = 0; code == HW_OK && !hw_cli_has(c, "family") && i < room; i++)
        code = open_source(s, preset_families[i % N_FAMILIES], preset_sizes[i / N_FAMILIES],
                           &(*out)[(*n)++], err);
    return code;
}

hw_code traits_draw_all(hw_cli *c, const traits_draw *draw, traits_set *s, hw_error *err)
{
    source *sources = NULL;
    size_t n = 0;
    char text[24];
    hw_code code = open_sources(c, s, &sources, &n, err);
    s->asked = draw->count;
    for (uint64_t i = 0; i < draw->count && code == HW_OK && n > 0 && !*c->stop; i++) {
        source *from = &sources[i % n];
        hw_graph *g = NULL;
        /* Each round of the families has one number of nodes. */
        uint64_t round = i / n, span = draw->most_nodes - draw->least_nodes + 1;
        (void)snprintf(text, sizeof text, "%" PRIu64, draw->least_nodes + round % span);
        code = set(from, "n", text, err);
        if (code == HW_OK)
            code = hw_generate(from->row, from->values, draw->seed, round, &g, err);
        if (code == HW_OK)
            code = hw_trait_add(&s->sample, g, from->group, err);
        traits_progress(c, i + 1, draw->count);
    }
    traits_progress(c, 0, 0);
    free(sources);
    return code;
}

/* ---- Files. ---- */

static bool is_folder(const char *path)
{
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Did this graph come before?  O(graphs). */
static hw_code look_up(traits_set *s, const hw_graph *g, bool *known, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(g, hash, err);
    *known = false;
    for (size_t i = 0; i < s->n_hashes && code == HW_OK && !*known; i++)
        *known = memcmp(s->hashes[i], hash, sizeof hash) == 0;
    if (code != HW_OK || *known)
        return code;
    if (!hw_grow((void **)&s->hashes, &s->hash_capacity, s->n_hashes + 1, sizeof hash))
        return hw_fail_memory(err, "the hashes of graphs");
    memcpy(s->hashes[s->n_hashes++], hash, sizeof hash);
    return HW_OK;
}

/* How files are read, and for whom. */
typedef struct reading {
    hw_cli *c;
    hw_cli_import import;
    uint32_t group;
    traits_set *set;
} reading;

/* named: on the command line, so that what the reader notes is of interest. */
static hw_code read_file(const reading *from, const char *path, bool named, hw_error *err)
{
    hw_cli *c = from->c;
    traits_set *s = from->set;
    hw_reader *r = NULL;
    hw_graph *g = NULL;
    hw_import_report report = {0};
    const uint32_t groups[HW_TRAIT_GROUPINGS] = {from->group, HW_NONE};
    hw_code code = hw_import_open(path, &from->import.options, &report, &r, err);
    if (code != HW_OK) {
        hw_import_report_clear(&report);
        return code;
    }
    while (!*c->stop && (code = hw_reader_next(r, &g, err)) == HW_OK && g) {
        bool known;
        code = look_up(s, g, &known, err);
        if (code != HW_OK || known) {
            s->again += known;
            hw_graph_free(g);
        } else {
            s->asked++;
            code = hw_trait_add(&s->sample, g, groups, err);
        }
        if (code != HW_OK)
            break;
    }
    if (named)
        hw_cli_reader_notes(c, r, &report, path);
    hw_reader_close(r);
    hw_import_report_clear(&report);
    return code;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);
    return n > k && strcmp(name + n - k, ending) == 0;
}

static int wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static hw_code read_folder(const reading *from, const char *folder, hw_error *err);

static hw_code read_entry(const reading *from, const char *path, hw_error *err) // NOLINT
{
    static const char *const endings[] = {".json", ".hwl", ".graphml", ".onnx", ".tflite"};
    bool wanted_ending = false;
    if (is_folder(path))
        return read_folder(from, path, err);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        wanted_ending = wanted_ending || ends_in(path, endings[i]);
    if (!wanted_ending)
        return HW_OK;
    hw_error why = {0};
    hw_code code = read_file(from, path, false, &why);
    if (code == HW_BAD_INPUT) { /* an order, the record of a search, ... */
        from->set->no_graphs++;
        hw_cli_detail(from->c, "left out: %s", why.message);
        return HW_OK;
    }
    if (code != HW_OK)
        *err = why;
    return code;
}

/* As deep as the folders are; a link that leads back is cut by the length of paths. */
static hw_code read_folder(const reading *from, const char *folder, // NOLINT(misc-no-recursion)
                           hw_error *err)
{
    struct dirent **entry = NULL;
    hw_code code = HW_OK;
    int n = scandir(folder, &entry, wanted, alphasort);
    if (n < 0)
        return hw_fail(err, HW_IO, "%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char *path = hw_folder_path(folder, entry[i]->d_name);
        if (!path && code == HW_OK)
            code = hw_fail_memory(err, "a path");
        if (path && code == HW_OK && !*from->c->stop)
            code = read_entry(from, path, err);
        free(path);
        free(entry[i]);
    }
    free((void *)entry);
    return code;
}

hw_code traits_read_all(hw_cli *c, traits_set *s, hw_error *err)
{
    reading from = {.c = c, .set = s};
    hw_code code = hw_cli_import_options(c, &from.import, err);
    for (size_t i = 0; i < c->n_args && code == HW_OK; i++) {
        size_t before = s->asked + s->again;
        code = number_of(&s->names[0], c->args[i], &from.group, err);
        if (code == HW_OK && is_folder(c->args[i]))
            code = read_folder(&from, c->args[i], err);
        else if (code == HW_OK)
            code = read_file(&from, c->args[i], true, err);
        if (code == HW_OK && s->asked + s->again == before && !*c->stop)
            code = hw_fail(err, HW_BAD_INPUT,
                           "%s: holds no graph: name files of graphs, or folders with some "
                           "(*.json, *.hwl, *.graphml, *.onnx, *.tflite)",
                           hw_cli_input_name(c->args[i]));
    }
    hw_cli_import_clear(&from.import);
    if (s->no_graphs)
        hw_cli_note(c, "files of the folders that hold no graph: %zu, left out (-v: which)",
                    s->no_graphs);
    if (s->again)
        hw_cli_note(c, "graphs that came before: %zu, not counted again", s->again);
    return code;
}
