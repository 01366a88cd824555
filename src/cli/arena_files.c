/* Offsets, pictures and orders as files.  See arena_files.h. */
#include "cli/arena_files.h"

#include <stdlib.h>

#include "arena/arena_plot.h"
#include "cli/shared.h"
#include "cli/solve_files.h"
#include "core/memory.h"
#include "io/drawing.h"

hw_code hw_arena_files_read(const hw_cli *c, hw_arena_files *files, hw_error *err)
{
    *files = (hw_arena_files){.offsets = hw_cli_value(c, "offsets"),
                              .draw = hw_cli_value(c, "draw"),
                              .order = hw_cli_value(c, "order-out")};
    const struct {
        const char *option, *path;
        bool is_read;
    } file[] = {{"--check", hw_cli_value(c, "check"), true},
                {"-o", c->output_path, false},
                {"--offsets", files->offsets, false},
                {"--draw", files->draw, false},
                {"--order-out", files->order, false}};
    enum { N = sizeof file / sizeof file[0] };
    hw_code code = HW_OK;
    for (int i = 0; i < N; i++) {
        if (code == HW_OK && !file[i].is_read)
            code = hw_cli_check_output(c, file[i].option, file[i].path, err);
        for (int k = 0; k < i && code == HW_OK; k++)
            code =
                hw_cli_two_files(file[k].option, file[k].path, file[i].option, file[i].path, err);
    }
    if (code == HW_OK && files->draw)
        code = hw_drawing_check_ending(files->draw, err);
    return code;
}

static hw_code write_offsets(const char *path, const hw_arena_shown *shown, hw_error *err)
{
    hw_output file = {.stream = NULL};
    hw_code code = hw_cli_open(path, &file, err);
    if (code != HW_OK)
        return code;
    hw_arena_write(shown->arena, shown->placement->offset, file.stream);
    return hw_cli_commit(&file, err);
}

static hw_code draw(const char *path, const hw_arena_shown *shown, hw_error *err)
{
    const hw_arena *a = shown->arena;
    const char **names = HW_NEW(const char *, a->n_buffers);
    if (!names)
        return hw_fail_memory(err, "a plot");
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        uint32_t t = a->buffer[i].tensor;
        bool named = shown->graph && t != HW_NONE && *hw_tensor_name(shown->graph, t);
        names[i] = named ? hw_tensor_name(shown->graph, t) : a->label[i];
    }
    const hw_arena_picture picture = {.arena = a,
                                      .placement = shown->placement,
                                      .allocator = shown->allocator,
                                      .order = shown->order_name,
                                      .names = names};
    hw_code code = hw_arena_plot(&picture, path, err);
    free(names);
    return code;
}

hw_code hw_arena_files_write(const hw_arena_files *files, const hw_arena_shown *shown,
                             hw_error *err)
{
    hw_code code = HW_OK;
    if (files->order && shown->order)
        code = hw_solve_write_order(files->order, shown->graph, shown->order, err);
    if (code == HW_OK && files->offsets)
        code = write_offsets(files->offsets, shown, err);
    if (code == HW_OK && files->draw)
        code = draw(files->draw, shown, err);
    return code;
}
