/* Numbers with a fraction as text.  See real.h. */
#include "core/real.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t plain; /* 0 where there is none to be had: then all is as it was */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void hw_point_begin(hw_point *p)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_plain);
    p->before = uselocale(plain);
}

void hw_point_end(const hw_point *p)
{
    (void)uselocale(p->before);
}

double hw_real_read(const char *text, char **end)
{
    hw_point point;
    hw_point_begin(&point);
    double value = strtod(text, end);
    hw_point_end(&point);
    return value;
}

const char *hw_real_text(double value, char text[HW_REAL_TEXT])
{
    enum { MOST_DIGITS = 17 };
    hw_point point;
    hw_point_begin(&point);
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        (void)snprintf(text, HW_REAL_TEXT, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (back >= value && back <= value)
            break;
    }
    hw_point_end(&point);
    return text;
}
