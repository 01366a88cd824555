/* Values of options, checked; messages; numbers for people.  See cli.h. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "core/byte_text.h"
#include "core/control.h"

const char *hw_cli_next(const hw_cli *c, const char *name, size_t *cursor)
{
    while (*cursor < c->n_given) {
        const hw_given *given = &c->given[(*cursor)++];
        if (!given->is_parameter && strcmp(given->name, name) == 0)
            return given->value ? given->value : "";
    }
    return NULL;
}

const char *hw_cli_value(const hw_cli *c, const char *name)
{
    const char *last = NULL, *value;
    for (size_t cursor = 0; (value = hw_cli_next(c, name, &cursor)) != NULL;)
        last = value;
    return last;
}

bool hw_cli_has(const hw_cli *c, const char *name)
{
    return hw_cli_value(c, name) != NULL;
}

bool hw_read_u64(const char *text, uint64_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (hex ? 2 : 0);
    size_t length = strlen(digits);
    if (length == 0 || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != length)
        return false;
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE)
        return false;
    *value = number;
    return true;
}

hw_code hw_cli_u64(const hw_cli *c, const char *name, uint64_t low, uint64_t high, uint64_t *value,
                   hw_error *err)
{
    const char *text = hw_cli_value(c, name);
    uint64_t number;
    if (!text)
        return HW_OK;
    if (!hw_read_u64(text, &number) || number < low || number > high)
        return hw_fail(err, HW_USAGE,
                       "option --%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, name,
                       text, low, high);
    *value = number;
    return HW_OK;
}

hw_code hw_cli_seconds(const hw_cli *c, const char *name, double *value, hw_error *err)
{
    const char *text = hw_cli_value(c, name);
    if (!text)
        return HW_OK;
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number <= 0)
        return hw_fail(err, HW_USAGE, "option --%s: '%s' is no time: give seconds above 0", name,
                       text);
    *value = number;
    return HW_OK;
}

hw_code hw_cli_bytes(const hw_cli *c, const char *name, uint64_t *value, hw_error *err)
{
    const char *text = hw_cli_value(c, name);
    if (!text)
        return HW_OK;
    hw_code code = hw_bytes_of_text(text, value);
    if (code == HW_BAD_INPUT)
        return hw_fail(err, HW_USAGE,
                       "option --%s: '%s' is no size: give a whole number of bytes, or "
                       "of " HW_BYTE_UNITS " (\"2GiB\")",
                       name, text);
    if (code != HW_OK)
        return hw_fail(err, HW_USAGE, "option --%s: '%s' exceeds 2^64-1 bytes", name, text);
    return HW_OK;
}

const char *hw_cli_values_of(const hw_command *command, const char *option)
{
    static const hw_option_values shared[] = {{"accounting", "alloc-first|free-first"}};
    for (size_t i = 0; i < command->n_values; i++)
        if (strcmp(command->values[i].option, option) == 0)
            return command->values[i].values;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        if (strcmp(shared[i].option, option) == 0)
            return shared[i].values;
    return NULL;
}

hw_code hw_cli_choice(const hw_cli *c, const char *name, unsigned *value, hw_error *err)
{
    const char *text = hw_cli_value(c, name), *choices = hw_cli_values_of(c->command, name);
    if (!text)
        return HW_OK;
    if (!choices)
        return hw_fail(err, HW_INTERNAL, "option --%s has no row of values", name);
    const hw_param_row row = {.name = name, .type = HW_PARAM_CHOICE, .choices = choices};
    hw_param_value chosen;
    if (hw_params_set(&row, 1, "option", name, text, &chosen, NULL) != HW_OK)
        return hw_fail(err, HW_USAGE, "option --%s: '%s' is none of %s", name, text, choices);
    *value = (unsigned)chosen.i;
    return HW_OK;
}

/* Names out of files stand in texts: a terminal must not act on them. */
static void say(const char *message)
{
    char text[HW_MESSAGE_BYTES];
    (void)hw_control_tame(message, text, sizeof text);
    (void)fflush(stdout); /* so that a terminal shows both in their order */
    (void)fprintf(stderr, "highwater: %s\n", text);
}

void hw_cli_note(const hw_cli *c, const char *format, ...)
{
    char text[HW_MESSAGE_BYTES];
    if (c->quiet)
        return;
    va_list ap;
    va_start(ap, format);
    (void)vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    say(text);
}

void hw_cli_complain(const hw_error *err)
{
    say(err->message);
}

void hw_cli_detail(const hw_cli *c, const char *format, ...)
{
    char text[HW_MESSAGE_BYTES];
    if (c->quiet || c->verbose == 0)
        return;
    va_list ap;
    va_start(ap, format);
    (void)vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    say(text);
}

void hw_bytes_text(uint64_t bytes, char text[HW_BYTES_TEXT])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double amount = (double)bytes;
    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        amount /= 1024;
    if (unit == 0)
        (void)snprintf(text, HW_BYTES_TEXT, "%" PRIu64 " B", bytes);
    else
        (void)snprintf(text, HW_BYTES_TEXT, "%" PRIu64 " (%.2f %s)", bytes, amount, units[unit]);
}
