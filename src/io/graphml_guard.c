/*
 * Settings of igraph around our calls.  See graphml.h.
 *
 * igraph hands its message to a handler without context, so the last one is
 * kept in a variable of the thread, between begin and end alone.
 */
#include <string.h>

#include "io/graphml.h"

static _Thread_local char complaint[256];

static void keep_message(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)file;
    (void)line;
    (void)code;
    size_t n = 0;
    for (; n < sizeof complaint - 1 && reason[n] && reason[n] != '\n'; n++) {
        unsigned char byte = (unsigned char)reason[n];
        complaint[n] = byte < 0x20 || byte >= 0x7f ? '?' : reason[n];
    }
    while (n > 0 && (complaint[n - 1] == '.' || complaint[n - 1] == ' '))
        n--;
    complaint[n] = '\0';
    IGRAPH_FINALLY_FREE();
}

static void keep_quiet(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

hw_code hw_igraph_begin(hw_igraph_guard *guard, hw_error *err)
{
    hw_code code = hw_igraph_load(err);
    complaint[0] = '\0';
    if (code != HW_OK)
        return code;
    guard->error_handler = igraph_set_error_handler(keep_message);
    guard->warning_handler = igraph_set_warning_handler(keep_quiet);
    guard->attributes = igraph_set_attribute_table(hw_igraph.attributes);
    return HW_OK;
}

void hw_igraph_end(const hw_igraph_guard *guard)
{
    (void)igraph_set_error_handler(guard->error_handler);
    (void)igraph_set_warning_handler(guard->warning_handler);
    (void)igraph_set_attribute_table(guard->attributes);
}

const char *hw_igraph_complaint(void)
{
    return complaint;
}
