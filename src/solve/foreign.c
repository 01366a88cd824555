/* Solvers that run a program of the user's: what is common to them.  See foreign.h. */
#include "solve/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "io/command.h"

/* The value of a parameter; NULL: not given. */
static const char *value_of(const hw_solver_row *row, const hw_param_value *values,
                            const char *name, size_t *length)
{
    *length = 0;
    for (size_t i = 0; row->foreign && values && i < row->n_params; i++)
        if (strcmp(row->params[i].name, name) == 0) {
            *length = hw_param_length(&row->params[i], values[i]);
            return *length ? values[i].text : NULL;
        }
    return NULL;
}

const char *hw_foreign_command(const hw_solver_row *row, const hw_param_value *values)
{
    size_t unused;
    return value_of(row, values, "command", &unused);
}

bool hw_foreign_name(const hw_solver_row *row, const hw_param_value *values,
                     char text[HW_FOREIGN_NAME])
{
    size_t length;
    const char *name = value_of(row, values, "name", &length);
    text[0] = '\0';
    if (!name || length >= HW_FOREIGN_NAME)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    return true;
}

hw_code hw_foreign_check(const hw_solver_row *row, const hw_param_value *values, hw_error *err)
{
    char name[HW_FOREIGN_NAME], **words;
    const char *command = hw_foreign_command(row, values);
    if (!command)
        return hw_fail(err, HW_USAGE,
                       "solver %s runs a program of yours: write %s:command=PROGRAM ARGUMENT...",
                       row->name, row->name);
    if (hw_foreign_name(row, values, name) && hw_solver_find(name, strlen(name)))
        return hw_fail(err, HW_USAGE,
                       "solver %s: name=%s is that of a solver of the program: choose another",
                       row->name, name);
    hw_code code = hw_command_split(command, &words, err);
    if (code == HW_USAGE)
        hw_error_prefix(err, "solver %s: command=%.100s: ", row->name, command);
    free((void *)words);
    return code;
}

bool hw_foreign_failed(const hw_solver_row *row, hw_code code)
{
    return row->foreign && (code == HW_CHECK_FAILED || code == HW_CRASHED || code == HW_LIMIT ||
                            code == HW_NO_MEMORY);
}
