/* Memory over the steps inside gnuplot scripts: units and data blocks. */
#ifndef HW_IO_MEMORY_CURVE_H
#define HW_IO_MEMORY_CURVE_H

#include <stdio.h>

#include "model/log.h"

typedef struct hw_curve_unit {
    const char *name;
    double bytes;
} hw_curve_unit;

/* The unit in which `bytes` is a number of one to four digits. */
hw_curve_unit hw_curve_unit_for(uint64_t bytes);

/* "1536 B", "12.5 MiB". */
void hw_curve_put_bytes(FILE *out, uint64_t bytes);

/* Several steps share a point where they are many: the largest figure counts. */
uint32_t hw_curve_steps_a_point(const hw_log *log);

/*
 * The data block $NAME: bytes[0 .. n_steps) of the steps of a log, to be drawn
 * `with steps`: step i from i - 0.5 to i + 0.5, and from `first` on what lives
 * before step 0.  At most some thousand points.
 */
void hw_curve_put(FILE *out, const hw_log *log, const char *name, const uint64_t *bytes,
                  double first, hw_curve_unit unit);

#endif
