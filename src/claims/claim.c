/* What an experiment tells, collected.  See claim.h. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "claims/finding.h"
#include "core/memory.h"
#include "core/rng.h"
#include "io/io.h"

static char *copy_text(const char *text)
{
    return hw_copy(text, strlen(text) + 1, 1);
}

static char *print_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : HW_NEW(char, (size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

hw_code hw_claim_condition(hw_claim_run *run, hw_error *err, const char *format, ...)
{
    hw_claim_finding *f = run->finding;
    va_list arguments;
    if (f->condition || f->verdict != HW_VERDICT_OPEN)
        return hw_fail(err, HW_INTERNAL, "%s tells its condition twice or too late", f->row->id);
    va_start(arguments, format);
    f->condition = print_text(format, arguments);
    va_end(arguments);
    return f->condition ? HW_OK : hw_fail_memory(err, "a condition");
}

hw_code hw_claim_conclude(hw_claim_run *run, hw_claim_verdict verdict, hw_error *err,
                          const char *figure, ...)
{
    hw_claim_finding *f = run->finding;
    va_list arguments;
    if (f->verdict != HW_VERDICT_OPEN || verdict == HW_VERDICT_OPEN)
        return hw_fail(err, HW_INTERNAL, "%s concludes twice or without a verdict", f->row->id);
    if ((verdict == HW_VERDICT_HOLDS_ONLY_IF) != (f->condition != NULL))
        return hw_fail(err, HW_INTERNAL, "%s %s", f->row->id,
                       f->condition ? "tells a condition, but its verdict needs none"
                                    : "holds only under a condition, which it does not tell");
    va_start(arguments, figure);
    f->figure = print_text(figure, arguments);
    va_end(arguments);
    if (!f->figure)
        return hw_fail_memory(err, "a figure");
    f->figure[0] = (char)toupper((unsigned char)f->figure[0]);
    f->verdict = verdict;
    return HW_OK;
}

hw_code hw_claim_reading(hw_claim_run *run, const char *reading, bool holds, hw_error *err,
                         const char *outcome, ...)
{
    hw_claim_finding *f = run->finding;
    va_list arguments;
    if (!hw_grow((void **)&f->tried, &f->tried_room, f->n_tried + 1, sizeof *f->tried))
        return hw_fail_memory(err, "readings");
    hw_claim_tried *t = &f->tried[f->n_tried++];
    va_start(arguments, outcome);
    *t = (hw_claim_tried){
        .reading = copy_text(reading), .outcome = print_text(outcome, arguments), .holds = holds};
    va_end(arguments);
    return t->reading && t->outcome ? HW_OK : hw_fail_memory(err, "a reading");
}

const hw_claim_value *hw_claim_value_find(const hw_claim_finding *f, const char *name,
                                          size_t length)
{
    for (size_t i = 0; i < f->n_values; i++)
        if (strncmp(f->values[i].name, name, length) == 0 && f->values[i].name[length] == '\0')
            return &f->values[i];
    return NULL;
}

static hw_code add_value(hw_claim_run *run, const char *name, double value, const char *unit,
                         bool measured, hw_error *err)
{
    hw_claim_finding *f = run->finding;
    size_t length = strlen(name);
    bool fine = length > 0 && isfinite(value) && !hw_claim_value_find(f, name, length);
    for (size_t i = 0; i < length; i++)
        fine = fine && (isalnum((unsigned char)name[i]) || name[i] == '-');
    if (!fine)
        return hw_fail(err, HW_INTERNAL, "%s: the number \"%s\" is taken, misnamed or not finite",
                       f->row->id, name);
    if (!hw_grow((void **)&f->values, &f->value_room, f->n_values + 1, sizeof *f->values))
        return hw_fail_memory(err, "numbers of a claim");
    hw_claim_value *v = &f->values[f->n_values++];
    *v = (hw_claim_value){
        .name = copy_text(name), .unit = copy_text(unit), .value = value, .measured = measured};
    return v->name && v->unit ? HW_OK : hw_fail_memory(err, "a number of a claim");
}

hw_code hw_claim_number(hw_claim_run *run, const char *name, double value, const char *unit,
                        hw_error *err)
{
    return add_value(run, name, value, unit, strcmp(unit, "seconds") == 0, err);
}

hw_code hw_claim_measured(hw_claim_run *run, const char *name, double value, const char *unit,
                          hw_error *err)
{
    return add_value(run, name, value, unit, true, err);
}

static hw_code write_example(const char *folder, const char *name, const hw_graph *graph,
                             hw_error *err)
{
    size_t room = strlen(folder) + strlen(name) + sizeof "/.json";
    char *path = HW_NEW(char, room);
    hw_output output;
    if (!path)
        return hw_fail_memory(err, "a path");
    (void)snprintf(path, room, "%s/%s.json", folder, name);
    hw_code code = hw_output_open_inside(path, &output, err);
    if (code == HW_OK) {
        code = hw_graph_write(graph, HW_FORMAT_JSON, output.stream, err);
        if (code == HW_OK)
            code = hw_output_commit(&output, err);
        else
            hw_output_abandon(&output);
    }
    free(path);
    return code;
}

hw_code hw_claim_example(hw_claim_run *run, const char *name, const hw_graph *graph, hw_error *err)
{
    hw_claim_finding *f = run->finding;
    size_t room = strlen(f->row->id) + strlen(name) + 2;
    if (!hw_grow((void **)&f->samples, &f->sample_room, f->n_samples + 1, sizeof *f->samples))
        return hw_fail_memory(err, "examples");
    hw_claim_sample *s = &f->samples[f->n_samples++];
    *s = (hw_claim_sample){.name = HW_NEW(char, room)};
    if (!s->name)
        return hw_fail_memory(err, "an example");
    (void)snprintf(s->name, room, "%s-%s", f->row->id, name);
    for (size_t i = 0; i + 1 < f->n_samples; i++)
        if (strcmp(f->samples[i].name, s->name) == 0)
            return hw_fail(err, HW_INTERNAL, "%s gives the example %s twice", f->row->id, name);
    return run->examples ? write_example(run->examples, s->name, graph, err) : HW_OK;
}

hw_code hw_claim_shows(hw_claim_run *run, const hw_model *m, const char *spec, uint64_t peak,
                       hw_error *err)
{
    hw_claim_finding *f = run->finding;
    if (f->n_samples == 0)
        return hw_fail(err, HW_INTERNAL, "%s shows something on no example", f->row->id);
    hw_claim_sample *s = &f->samples[f->n_samples - 1];
    if (!hw_grow((void **)&s->shows, &s->room, s->n_shows + 1, sizeof *s->shows))
        return hw_fail_memory(err, "what an example shows");
    hw_claim_showing *w = &s->shows[s->n_shows++];
    *w = (hw_claim_showing){.spec = copy_text(spec),
                            .accounting = m->accounting,
                            .pinned = m->pin_inputs,
                            .peak = peak};
    return w->spec ? HW_OK : hw_fail_memory(err, "what an example shows");
}

uint64_t hw_claim_seed(const hw_claim_run *run)
{
    return hw_instance_seed(run->seed, run->finding->row->id, 0);
}

uint32_t hw_claim_effort(const hw_claim_run *run, uint32_t quick, uint32_t full)
{
    return run->quick ? quick : full;
}

bool hw_claim_stopped(const hw_claim_run *run)
{
    return run->stop && *run->stop;
}

const volatile sig_atomic_t *hw_claim_stop_flag(const hw_claim_run *run)
{
    return run->stop;
}

const char *hw_claim_graphs(const hw_claim_run *run)
{
    return run->graphs;
}

void hw_claim_finding_clear(hw_claim_finding *f)
{
    for (size_t i = 0; i < f->n_tried; i++) {
        free(f->tried[i].reading);
        free(f->tried[i].outcome);
    }
    for (size_t i = 0; i < f->n_values; i++) {
        free(f->values[i].name);
        free(f->values[i].unit);
    }
    for (size_t i = 0; i < f->n_samples; i++) {
        for (size_t k = 0; k < f->samples[i].n_shows; k++)
            free(f->samples[i].shows[k].spec);
        free(f->samples[i].shows);
        free(f->samples[i].name);
    }
    free(f->tried);
    free(f->values);
    free(f->samples);
    free(f->message);
    free(f->figure);
    free(f->condition);
    *f = (hw_claim_finding){0};
}
