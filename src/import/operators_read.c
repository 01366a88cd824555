/* Rows of a file for the table of operator types.  See operators.h. */
#include <string.h>
#include <strings.h>

#include "core/params.h"
#include "import/operators.h"
#include "io/input.h"

static const struct {
    const char *name;
    unsigned trait;
} words[] = {
    {"view", HW_OPERATOR_VIEW},
    {"elementwise", HW_OPERATOR_ELEMENTWISE},
    {"random", HW_OPERATOR_RANDOM},
    {"state", HW_OPERATOR_STATE},
    {"io", HW_OPERATOR_IO},
    {"convolution", HW_OPERATOR_CONVOLUTION},
    {"norm", HW_OPERATOR_NORM},
    {"activation", HW_OPERATOR_ACTIVATION},
    {"constant", HW_OPERATOR_CONSTANT},
    {"inplace", HW_OPERATOR_INPLACE},
    {"none", 0},
};
enum { N_WORDS = sizeof words / sizeof words[0] };

/* The next word of *at, cut off by a NUL; NULL: there is none. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    if (*word == '\0')
        return NULL;
    *at = word + strcspn(word, " \t");
    if (**at)
        *(*at)++ = '\0';
    return word;
}

static hw_code add_trait(const hw_input *in, const char *word, unsigned *traits, hw_error *err)
{
    const char *names[N_WORDS];
    for (size_t i = 0; i < N_WORDS; i++) {
        if (strcasecmp(word, words[i].name) == 0) {
            *traits |= words[i].trait;
            return HW_OK;
        }
        names[i] = words[i].name;
    }
    const char *near = hw_nearest_name(word, names, N_WORDS);
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%llu: '%.40s' is no trait of an operator%s%s%s: a line is NAME TRAIT..., "
                   "with view, elementwise, inplace, random, state, io, convolution, norm, "
                   "activation, constant or none",
                   in->name, (unsigned long long)in->line, word, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
}

/* One line, a string without its comment. */
static hw_code read_row(hw_operators *table, const hw_input *in, char *line, hw_error *err)
{
    unsigned traits = 0;
    char *name = next_word(&line), *word = name ? next_word(&line) : NULL;
    if (!name)
        return HW_OK;
    if (!word)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%llu: operator type '%.60s' has no trait: a line is NAME TRAIT..., "
                       "with none for an operator that has none",
                       in->name, (unsigned long long)in->line, name);
    hw_code code = HW_OK;
    for (; code == HW_OK && word; word = next_word(&line))
        code = add_trait(in, word, &traits, err);
    return code == HW_OK ? hw_operators_set(table, name, traits, err) : code;
}

hw_code hw_operators_read(hw_operators *table, const char *path, hw_error *err)
{
    hw_input in;
    hw_code code = hw_input_open(&in, path, err);
    while (code == HW_OK) {
        char *line;
        size_t length;
        code = hw_input_line(&in, &line, &length, err);
        if (code != HW_OK || !line)
            break;
        if (memchr(line, '\0', length)) {
            code = hw_fail(err, HW_BAD_INPUT,
                           "%s:%llu: holds a NUL byte: this is no text file of operator types",
                           in.name, (unsigned long long)in.line);
            break;
        }
        line[length] = '\0';
        line[strcspn(line, "#")] = '\0';
        code = read_row(table, &in, line, err);
    }
    hw_input_close(&in);
    return code;
}
