/*
 * Shapes by ONNX's own inference: the program highwater-onnx-shapes
 * (onnx_shapes.cc) gets the model without its weights on its standard input
 * and gives it back with what it found.  What comes back is read as carefully
 * as a file.  See onnx_internal.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "import/onnx_internal.h"
#include "io/program.h"

static const char program_name[] = "highwater-onnx-shapes";

static hw_code no_file(hw_error *err)
{
    return hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
}

static FILE *scratch(void)
{
    FILE *file = tmpfile();
    if (file)
        (void)fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

/* The nodes of the main graph stand in `order`, or (back) as they stood before that. */
static bool permute(Onnx__GraphProto *g, const uint32_t *order, bool back)
{
    Onnx__NodeProto **node = HW_NEW(Onnx__NodeProto *, g->n_node);
    if (!node)
        return false;
    for (size_t i = 0; i < g->n_node; i++)
        node[back ? order[i] : i] = g->node[back ? i : order[i]];
    if (g->n_node > 0)
        memcpy(g->node, node, g->n_node * sizeof(Onnx__NodeProto *));
    free((void *)node);
    return true;
}

static hw_code send(Onnx__ModelProto *model, FILE *to, hw_error *err)
{
    size_t n = onnx__model_proto__get_packed_size(model);
    uint8_t *bytes = HW_NEW(uint8_t, n);
    if (!bytes)
        return hw_fail_memory(err, "a model");
    (void)onnx__model_proto__pack(model, bytes);
    bool fine =
        fwrite(bytes, 1, n, to) == n && fflush(to) == 0 && lseek(fileno(to), 0, SEEK_SET) == 0;
    free(bytes);
    return fine ? HW_OK : no_file(err);
}

/* What the program wrote; NULL in *out: it is no model of as many nodes. */
static hw_code receive(hw_onnx_job *job, FILE *from, hw_onnx_memory *memory, Onnx__ModelProto **out,
                       hw_error *err)
{
    hw_onnx_bytes bytes = {0};
    hw_onnx_facts facts = {0};
    hw_input in = {.fd = dup(fileno(from)), .name = hw_copy("", 1, 1)};
    hw_error why;
    hw_code code = HW_OK;
    *out = NULL;
    if (in.fd < 0 || !in.name || lseek(in.fd, 0, SEEK_SET) != 0)
        code = no_file(&why);
    else
        code = hw_onnx_skim(&in, &bytes, &facts, &why);
    if (code == HW_OK)
        code = hw_onnx_unpack(&bytes, memory, out, &why);
    if (code == HW_BAD_INPUT)
        code = HW_OK;
    else if (code != HW_OK && err)
        *err = why;
    if (*out && (!(*out)->graph || (*out)->graph->n_node != job->model->graph->n_node)) {
        hw_onnx_release(memory, *out);
        *out = NULL;
    }
    free(bytes.data);
    hw_input_close(&in);
    return code;
}

/* Why the program failed: in the job, its first line on standard error or how it ended. */
static void explain(hw_onnx_job *job, FILE *complaints, int status)
{
    char line[100] = "";
    rewind(complaints);
    if (!fgets(line, sizeof line, complaints))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    if (WIFSIGNALED(status))
        (void)snprintf(job->complaint, sizeof job->complaint,
                       "the inference of shapes was ended by signal %d", WTERMSIG(status));
    else
        (void)snprintf(job->complaint, sizeof job->complaint, "the inference of shapes failed%s%s",
                       *line ? ": " : "", line);
    job->no_shapes = job->complaint;
}

static hw_code run(hw_onnx_job *job, const char *program, FILE *file[3], hw_error *err)
{
    const char *const argument[] = {program, NULL};
    const int files[3] = {fileno(file[0]), fileno(file[1]), fileno(file[2])};
    hw_onnx_memory memory = {0};
    Onnx__ModelProto *model = NULL;
    int status = 0;
    hw_code code = send(job->model, file[0], err);
    if (code == HW_OK)
        code = hw_program_run(argument, "libonnx-dev", files, &status, err);
    if (code != HW_OK)
        return code;
    if (WIFSIGNALED(status) &&
        (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGHUP))
        return hw_fail(err, HW_STOPPED, "a signal came while shapes were inferred");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        explain(job, file[2], status);
        return HW_OK;
    }
    code = receive(job, file[1], &memory, &model, err);
    if (code == HW_OK && !model)
        job->no_shapes = "the inference of shapes gave back another model";
    if (!model)
        return code;
    hw_onnx_release(&job->memory, job->model);
    job->model = model;
    job->memory = memory;
    return HW_OK;
}

hw_code hw_onnx_infer(hw_onnx_job *job, const uint32_t *order, hw_error *err)
{
    char *program = hw_program_find(program_name);
    FILE *file[3] = {NULL, NULL, NULL};
    hw_code code = HW_OK;
    if (!program && errno == ENOMEM)
        return hw_fail_memory(err, "starting a program");
    if (!program) {
        job->no_shapes = "the program highwater-onnx-shapes, which infers shapes, is not there: "
                         "install libonnx-dev and g++, and build anew";
        return HW_OK;
    }
    for (size_t i = 0; code == HW_OK && i < 3; i++) {
        file[i] = scratch();
        if (!file[i])
            code = no_file(err);
    }
    if (code == HW_OK && !permute(job->model->graph, order, false))
        code = hw_fail_memory(err, "the order of nodes");
    if (code == HW_OK) {
        code = run(job, program, file, err);
        /* Also where the model is another now: its nodes stand as those that were sent. */
        if (!permute(job->model->graph, order, true) && code == HW_OK)
            code = hw_fail_memory(err, "the order of nodes");
    }
    for (size_t i = 0; i < 3; i++)
        if (file[i])
            (void)fclose(file[i]);
    free(program);
    return code;
}
