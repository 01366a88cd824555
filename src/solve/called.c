/* What a solver is called.  See called.h. */
#include "solve/called.h"

#include <stdio.h>
#include <string.h>

const char *hw_solver_called(const hw_solver_row *row, const hw_param_value *values,
                             char text[HW_SPEC_TEXT])
{
    char name[HW_FOREIGN_NAME];
    if (hw_foreign_name(row, values, name))
        (void)snprintf(text, HW_SPEC_TEXT, "%s", name);
    else
        (void)hw_params_spec(row->name, row->params, row->n_params, values, text, HW_SPEC_TEXT);
    return text;
}

const char *hw_solver_short(const hw_solver_row *row, const hw_param_value *values,
                            char text[HW_FOREIGN_NAME])
{
    static const char more[] = "...";
    if (hw_foreign_name(row, values, text))
        return text;
    const char *whole = hw_foreign_command(row, values);
    if (!whole)
        whole = row->name;
    size_t n = strlen(whole);
    bool cut = n >= HW_FOREIGN_NAME;
    if (cut) { /* at a character */
        n = HW_FOREIGN_NAME - sizeof more;
        while (n > 0 && ((unsigned char)whole[n] & 0xc0) == 0x80)
            n--;
    }
    (void)snprintf(text, HW_FOREIGN_NAME, "%.*s%s", (int)n, whole, cut ? more : "");
    return text;
}

const char *hw_solver_word(const char *called, char *word, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
    size_t length = 0;
    for (const char *c = called; *c && length + 1 < size; c++)
        if (*c != '=')
            word[length++] = strchr(plain, *c) ? *c : '-';
    word[length] = '\0';
    return word;
}
