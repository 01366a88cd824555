/*
 * C19: does a decoder fall from 2.9 GB to 1.8 GB, by 38 %, against level order?
 *
 * Decoders of text and of images by shape arithmetic, in every reading of how
 * such a graph is written: attention as one node for all heads, as exporters
 * write it; a node for each head; training; without in-place work.  Level,
 * source and depth-first order against greedy and the proven optimum.
 *
 * NEAR: a reading gives the article's fall when the fall from level order to
 * the optimum is within so many points of 38 %, or larger.
 * The two sizes are looked for apart: over widths and numbers of tokens, the
 * decoder with a node for each head whose level order and optimum round to both.
 */
#include <string.h>

#include "claims/graphs.h"
#include "claims/measure.h"

#define FALL 38.0
#define NEAR 5.0

typedef enum reading_kind {
    WHOLE,
    WHOLE_PLAIN,
    HEADS,
    HEADS_PLAIN,
    TRAINING,
    IMAGES,
    REAL_FILES,
    READINGS
} reading_kind;

static const char *const reading_names[READINGS] = {
    "attention of all heads in one node, as exported",
    "the same without in-place work",
    "attention with a node for each head",
    "a node for each head, without in-place work",
    "training of a decoder",
    "a decoder of images (U-Net)",
    "decoders among the graph files",
};
static const char *const number_names[READINGS] = {
    "whole", "whole-plain", "heads", "heads-plain", "training", "images", "files"};

static const struct {
    reading_kind kind;
    const char *spec;
    uint32_t tokens;
    bool quick;
} decoders[] = {
    {WHOLE, "nets:net=gpt2", 1024, true},
    {WHOLE, "nets:net=gpt2,sequence=4096", 4096, false},
    {WHOLE, "nets:net=gpt2,sequence=8192", 8192, true},
    {WHOLE, "nets:net=transformer-block", 512, false},
    {WHOLE_PLAIN, "nets:net=gpt2,inplace=no", 1024, false},
    {WHOLE_PLAIN, "nets:net=gpt2,inplace=no,sequence=8192", 8192, true},
    {HEADS, "nets:net=gpt2-heads", 1024, true},
    {HEADS, "nets:net=gpt2-heads,sequence=2048", 2048, false},
    {HEADS, "nets:net=gpt2-heads,sequence=4096", 4096, true},
    {HEADS, "nets:net=gpt2-heads,sequence=5120", 5120, false},
    {HEADS, "nets:net=gpt2-heads,sequence=6144", 6144, true},
    {HEADS, "nets:net=gpt2-heads,sequence=7168", 7168, false},
    {HEADS, "nets:net=gpt2-heads,sequence=8192", 8192, true},
    {HEADS_PLAIN, "nets:net=gpt2-heads,inplace=no,sequence=4096", 4096, false},
    {HEADS_PLAIN, "nets:net=gpt2-heads,inplace=no,sequence=8192", 8192, true},
    {TRAINING, "nets:net=transformer-block,mode=training", 512, true},
    {TRAINING, "nets:net=transformer-block,mode=training,batch=8", 512, false},
    {TRAINING, "nets:net=gpt2,mode=training", 1024, false},
    {TRAINING, "nets:net=gpt2-heads,mode=training,layers=4", 1024, false},
    {IMAGES, "nets:net=unet", 0, true},
    {IMAGES, "nets:net=unet,mode=training", 0, false},
};

typedef struct decoder {
    uint64_t level, source, dfs, greedy, optimum;
} decoder;

static hw_code measure(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                       decoder *d, hw_error *err)
{
    hw_code code = hw_claim_peak_of(run, g, accounting, "level", &d->level, err);
    if (code == HW_OK)
        code = hw_claim_peak_of(run, g, accounting, "source", &d->source, err);
    if (code == HW_OK)
        code = hw_claim_peak_of(run, g, accounting, "dfs", &d->dfs, err);
    if (code == HW_OK)
        code = hw_claim_peak_of(run, g, accounting, "greedy", &d->greedy, err);
    if (code == HW_OK)
        code = hw_claim_least(run, g, accounting, 1000000, &d->optimum, err);
    return code;
}

typedef struct outcome {
    uint64_t n;
    double level, source, greedy; /* the greatest falls to the optimum; greedy: level to greedy */
    uint32_t tokens;              /* the fewest with the article's fall; 0: none                */
    decoder at;                   /* the one of the greatest fall from level order              */
} outcome;

static void note(outcome *to, const decoder *d, uint32_t tokens)
{
    double level = hw_claim_percent_below(d->level, d->optimum);
    double source = hw_claim_percent_below(d->source, d->optimum);
    double greedy = hw_claim_percent_below(d->level, d->greedy);
    if (to->n++ == 0 || level > to->level) {
        to->level = level;
        to->at = *d;
    }
    to->source = to->n == 1 || source > to->source ? source : to->source;
    to->greedy = to->n == 1 || greedy > to->greedy ? greedy : to->greedy;
    if (level >= FALL - NEAR && (to->tokens == 0 || tokens < to->tokens))
        to->tokens = tokens;
}

static hw_code measure_nets(const hw_claim_run *run, hw_accounting accounting, outcome *o,
                            hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof decoders / sizeof decoders[0]; i++) {
        hw_graph *g = NULL;
        decoder d;
        if (!decoders[i].quick && !hw_claim_effort(run, 0, 1))
            continue;
        code = hw_claim_generate(decoders[i].spec, 0, 0, &g, err);
        if (code == HW_OK)
            code = measure(run, g, accounting, &d, err);
        if (code == HW_OK)
            note(&o[decoders[i].kind], &d, decoders[i].tokens);
        hw_graph_free(g);
    }
    return code;
}

typedef struct files {
    const hw_claim_run *run;
    hw_accounting accounting;
    outcome *to;
} files;

/* Files say by their names what they are. */
static hw_code take_file(void *context, const char *name, unsigned kind, const hw_graph *g,
                         hw_error *err)
{
    files *f = context;
    decoder d;
    (void)kind;
    if (!strstr(name, "gpt") && !strstr(name, "transformer") && !strstr(name, "decoder"))
        return HW_OK;
    hw_code code = measure(f->run, g, f->accounting, &d, err);
    if (code == HW_OK)
        note(f->to, &d, 0);
    return code;
}

static hw_code measure_all(const hw_claim_run *run, hw_accounting accounting, outcome *o,
                           hw_error *err)
{
    files f = {run, accounting, &o[REAL_FILES]};
    hw_code code = measure_nets(run, accounting, o, err);
    return code == HW_OK ? hw_claim_each_graph(run, HW_CLAIM_FILES, take_file, &f, err) : code;
}

/* ---- Both sizes of the claim. ---- */

typedef struct both_sizes {
    uint32_t heads, tokens; /* 0: none found */
    uint64_t level, optimum, source;
} both_sizes;

/* Tenths of a GB (10^9 bytes), rounded. */
static uint64_t tenths(uint64_t bytes)
{
    return (bytes + 50000000) / 100000000;
}

static hw_code find_both(const hw_claim_run *run, hw_accounting accounting, both_sizes *b,
                         hw_error *err)
{
    uint32_t step = hw_claim_effort(run, 400, 100);
    hw_code code = HW_OK;
    for (uint32_t heads = 8; code == HW_OK && heads <= 12; heads++)
        for (uint32_t tokens = 6500; code == HW_OK && tokens <= 10500; tokens += step) {
            char spec[96];
            uint64_t level = 0, optimum = 0, source = 0;
            hw_graph *g = NULL;
            (void)snprintf(spec, sizeof spec, "nets:net=gpt2-heads,layers=2,width=%u,sequence=%u",
                           64 * heads, tokens);
            code = hw_claim_generate(spec, 0, 0, &g, err);
            if (code == HW_OK)
                code = hw_claim_peak_of(run, g, accounting, "level", &level, err);
            if (code == HW_OK && tenths(level) == 29)
                code = hw_claim_least(run, g, accounting, 1000000, &optimum, err);
            if (code == HW_OK && tenths(optimum) == 18 && b->tokens == 0) {
                code = hw_claim_peak_of(run, g, accounting, "source", &source, err);
                *b = (both_sizes){heads, tokens, level, optimum, source};
            }
            hw_graph_free(g);
        }
    return code;
}

/* The decoder that meets both, small enough to keep: two layers peak as twelve do. */
static hw_code example(hw_claim_run *run, const both_sizes *b, hw_error *err)
{
    char spec[96];
    hw_graph *g = NULL;
    hw_model *m = NULL;
    if (b->tokens == 0)
        return HW_OK;
    (void)snprintf(spec, sizeof spec, "nets:net=gpt2-heads,layers=2,width=%u,sequence=%u",
                   64 * b->heads, b->tokens);
    hw_code code = hw_claim_generate(spec, 0, 0, &g, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "both-sizes", g, err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, "level", b->level, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, "exact", b->optimum, err);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

/* ---- The report. ---- */

static double gb(uint64_t bytes)
{
    return (double)bytes / 1e9;
}

static hw_code tell_kind(hw_claim_run *run, const outcome *o, int kind, hw_accounting accounting,
                         hw_error *err)
{
    char reading[128], name[64];
    (void)snprintf(reading, sizeof reading, "%s, %s", reading_names[kind],
                   hw_accounting_name(accounting));
    hw_code code = hw_claim_reading(
        run, reading, o->level >= FALL - NEAR, err,
        "at most %.1f %% below level order (%.3f GB to %.3f GB; depth-first %.3f GB), %.1f %% with "
        "greedy; at most %.1f %% below the source order",
        o->level, gb(o->at.level), gb(o->at.optimum), gb(o->at.dfs), o->greedy, o->source);
    (void)snprintf(name, sizeof name, "%s-%s-fall", number_names[kind],
                   hw_accounting_name(accounting));
    return code == HW_OK ? hw_claim_number(run, name, o->level, "per cent", err) : code;
}

static hw_code tell(hw_claim_run *run, outcome o[2][READINGS], both_sizes b[2], hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; kind < READINGS; kind++)
        for (int a = 0; code == HW_OK && a < 2 && o[a][kind].n; a++)
            code = tell_kind(run, &o[a][kind], kind, (hw_accounting)a, err);
    for (int a = 0; code == HW_OK && a < 2; a++) {
        const char *accounting = hw_accounting_name((hw_accounting)a);
        char reading[128];
        (void)snprintf(reading, sizeof reading, "a node for each head, both sizes at once, %s",
                       accounting);
        if (b[a].tokens)
            code = hw_claim_reading(
                run, reading, true, err,
                "%u heads and %u tokens, chosen to meet both figures: %.3f GB in level order, "
                "%.3f GB at the optimum, %.3f GB in source order: two free parameters can do that, "
                "and it shows no more than that the claim is possible",
                b[a].heads, b[a].tokens, gb(b[a].level), gb(b[a].optimum), gb(b[a].source));
        else
            code = hw_claim_reading(run, reading, false, err,
                                    "no number of heads (8 to 12) and tokens (6,500 to 10,500) "
                                    "tried meets both figures");
    }
    return code;
}

static bool near_all(outcome o[2][READINGS])
{
    for (int kind = 0; kind < READINGS; kind++)
        if (o[0][kind].n && (o[0][kind].level < FALL - NEAR || o[1][kind].level < FALL - NEAR))
            return false;
    return true;
}

static hw_code decide(hw_claim_run *run, outcome o[2][READINGS], hw_error *err)
{
    const outcome *heads = &o[HW_ALLOC_FIRST][HEADS], *whole = &o[HW_ALLOC_FIRST][WHOLE];
    bool with_heads = heads->tokens && o[HW_FREE_FIRST][HEADS].tokens;
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (near_all(o))
        verdict = HW_VERDICT_HOLDS;
    else if (with_heads) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "attention is written with a node for each head%s, and there are enough tokens (from "
            "%u on, of those tried): then level order makes the scores of all heads before it uses "
            "any",
            o[HW_ALLOC_FIRST][HEADS_PLAIN].level < FALL - NEAR
                ? ", nodes work in place (under alloc-first)"
                : "",
            heads->tokens);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "with a node for each head %.1f %% below level order (%.3f GB to %.3f GB) and %.1f %% "
        "below "
        "the source order; with attention in one node %.1f %%; training %.1f %%; U-Net %.1f %%",
        heads->level, gb(heads->at.level), gb(heads->at.optimum), heads->source, whole->level,
        o[HW_ALLOC_FIRST][TRAINING].level, o[HW_ALLOC_FIRST][IMAGES].level);
}

hw_code hw_claim_c19(hw_claim_run *run, hw_error *err)
{
    outcome o[2][READINGS] = {{{0}}};
    both_sizes b[2] = {{0}};
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        code = measure_all(run, (hw_accounting)a, o[a], err);
        if (code == HW_OK)
            code = find_both(run, (hw_accounting)a, &b[a], err);
    }
    if (code == HW_OK)
        code = example(run, &b[HW_ALLOC_FIRST], err);
    if (code == HW_OK)
        code = tell(run, o, b, err);
    return code == HW_OK ? decide(run, o, err) : code;
}
