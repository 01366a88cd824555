/* The second route to every figure.  See search_confirm.h. */
#include "adversary/search_confirm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solve/called.h"

/* How the source of a found graph ends; what hw_find_of_graph() reads. */
static const char lane_words[] = " --lane ", evaluation_words[] = ", evaluation ";

hw_code hw_find_graph(const hw_search *s, const char *command, uint64_t lane, const hw_find *find,
                      hw_graph **out, hw_error *err)
{
    char name[128], solver[HW_FOREIGN_NAME], word[HW_FOREIGN_NAME];
    size_t size = strlen(command) + 96;
    char *source = HW_NEW(char, size);
    *out = NULL;
    if (!source)
        return hw_fail_memory(err, "the source of a graph");
    (void)snprintf(
        name, sizeof name, "adversary-%s-%" PRIu32 "-lane%" PRIu64,
        hw_solver_word(hw_solver_short(s->goal.row, s->goal.values, solver), word, sizeof word),
        find->genome.n, lane);
    (void)snprintf(source, size, "%s%s%" PRIu64 "%s%" PRIu64, command, lane_words, lane,
                   evaluation_words, find->evaluation);
    hw_code code = hw_genome_graph(&find->genome, name, source, out, err);
    free(source);
    return code;
}

/* Keep a graph on which two routes disagree; its name into path[]. */
static const char *keep(const hw_search_options *options, const hw_graph *graph, char *path,
                        size_t size)
{
    hw_output o;
    hw_error ignored;
    (void)snprintf(path, size, "%s/highwater-disagreement.json",
                   options->folder ? options->folder : ".");
    if (hw_output_open_inside(path, &o, &ignored) != HW_OK)
        return "no file: it could not be written";
    (void)hw_graph_write(graph, HW_FORMAT_JSON, o.stream, &ignored);
    return hw_output_commit(&o, &ignored) == HW_OK ? path : "no file: it could not be written";
}

static bool same_ratio(const hw_rating *a, const hw_rating *b)
{
    return a->counts == b->counts && a->ratio.over == b->ratio.over &&
           a->ratio.under == b->ratio.under;
}

hw_code hw_find_confirm(const hw_search *s, const hw_search_options *options, uint64_t lane,
                        const hw_find *find, hw_graph **graph, hw_error *err)
{
    char path[512];
    hw_rating rating;
    hw_code code = hw_find_graph(s, options->command, lane, find, graph, err);
    if (code == HW_OK)
        code = hw_goal_rate(&s->goal, *graph, &rating, err);
    if (code != HW_OK || same_ratio(&rating, &find->rating))
        return code;
    if (find->rating.counts && !rating.counts) /* its states are as many: it is no limit of ours */
        return hw_fail(err, HW_LIMIT,
                       "lane %" PRIu64 ", evaluation %" PRIu64 ": what was proven in the search is "
                       "not by the checked solvers: free memory, and let it run again",
                       lane, find->evaluation);
    return hw_fail(err, HW_INTERNAL,
                   "lane %" PRIu64 ", evaluation %" PRIu64 ": two routes to one graph's figures "
                   "disagree: %" PRIu64 " / %" PRIu64 " in the search, %" PRIu64 " / %" PRIu64
                   "%s by the checked solvers: it is in %s",
                   lane, find->evaluation, find->rating.ratio.over, find->rating.ratio.under,
                   rating.ratio.over, rating.ratio.under, rating.counts ? "" : " (not proven)",
                   keep(options, *graph, path, sizeof path));
}

/* The lane and the evaluation that end the text. */
static bool read_where(const char *text, uint64_t *lane, uint64_t *evaluation)
{
    const char *where = NULL;
    char *end;
    for (const char *at = text; at && (at = strstr(at, lane_words)) != NULL; at++)
        where = at + strlen(lane_words);
    if (!where)
        return false;
    *lane = strtoull(where, &end, 10);
    if (strncmp(end, evaluation_words, strlen(evaluation_words)) != 0)
        return false;
    where = end + strlen(evaluation_words);
    *evaluation = strtoull(where, &end, 10);
    return end != where && *end == '\0';
}

hw_code hw_find_of_graph(const hw_search *s, const hw_graph *graph, uint64_t *lane, hw_find *find,
                         hw_error *err)
{
    if (!read_where(graph->source, lane, &find->evaluation))
        return hw_fail(err, HW_USAGE, "its source does not say in which lane it was found");
    hw_code code = hw_genome_of_graph(graph, &find->genome, err);
    return code == HW_OK ? hw_goal_rate(&s->goal, graph, &find->rating, err) : code;
}
