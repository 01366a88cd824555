/*
 * Numbers with a fraction as text: with a point, whatever the locale of the
 * program around the library.
 *
 * A locale with a decimal comma would refuse "0.3", and write JSON that is none
 * and parameters that are others, and so other instances.
 */
#ifndef HW_CORE_REAL_H
#define HW_CORE_REAL_H

#include <locale.h>

/* What the thread used before. */
typedef struct hw_point {
    locale_t before;
} hw_point;

/* From begin to end stdio and strtod() take and make points, in this thread alone. */
void hw_point_begin(hw_point *p);
void hw_point_end(const hw_point *p);

/* As strtod(). */
double hw_real_read(const char *text, char **end);

/* The shortest text that reads back as the finite value.  Returns text. */
enum { HW_REAL_TEXT = 40 };
const char *hw_real_text(double value, char text[HW_REAL_TEXT]);

#endif
