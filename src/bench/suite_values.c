/* The values of the keys of a suite, checked.  See suite_internal.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suite_internal.h"
#include "core/byte_text.h"
#include "model/model.h"

hw_code hw_suite_count(const hw_suite_reader *r, const char *key, const char *text, uint64_t *value,
                       hw_error *err)
{
    char *end;
    errno = 0;
    /* No base 0, for which 010 is eight. */
    unsigned long long number = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno == ERANGE)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s = %s: give a whole number below 2^64", key,
                             text);
    *value = number;
    return HW_OK;
}

hw_code hw_suite_seconds(const hw_suite_reader *r, const char *key, const char *text, double *value,
                         hw_error *err)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < 0)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s = %s: give seconds, 0 for none", key, text);
    *value = number;
    return HW_OK;
}

hw_code hw_suite_bytes(const hw_suite_reader *r, const char *key, const char *text, uint64_t *value,
                       hw_error *err)
{
    hw_code code = hw_bytes_of_text(text, value);
    if (code == HW_BAD_INPUT)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s = %s: give a whole number of bytes, or of " HW_BYTE_UNITS
                             " (\"2GiB\"), 0 for none",
                             key, text);
    if (code != HW_OK)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "%s = %s: this exceeds 2^64-1 bytes", key, text);
    return HW_OK;
}

hw_code hw_suite_accountings(const hw_suite_reader *r, char *text, bool accounting[2],
                             hw_error *err)
{
    accounting[0] = accounting[1] = false;
    while (*text) {
        size_t n = strcspn(text, " ,\t");
        char end = text[n];
        text[n] = '\0';
        bool known = false;
        for (unsigned a = 0; a < 2; a++) {
            if (strcmp(text, hw_accounting_name((hw_accounting)a)) == 0)
                known = accounting[a] = true;
        }
        if (n && !known)
            return hw_suite_fail(r, HW_BAD_INPUT, err,
                                 "accounting = %s: give alloc-first, free-first or both of them",
                                 text);
        text += n + (end != '\0');
    }
    if (!accounting[0] && !accounting[1])
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "accounting is empty: give alloc-first, free-first or both");
    return HW_OK;
}

hw_code hw_suite_pinned(const hw_suite_reader *r, const char *text, bool pinned[2], hw_error *err)
{
    bool both = strcmp(text, "both") == 0;
    pinned[0] = both || strcmp(text, "no") == 0;
    pinned[1] = both || strcmp(text, "yes") == 0;
    if (!pinned[0] && !pinned[1])
        return hw_suite_fail(r, HW_BAD_INPUT, err, "pin-inputs = %s: give no, yes or both", text);
    return HW_OK;
}
