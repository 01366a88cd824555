/* Why a result is none of a suite. */
#ifndef HW_MERGE_FOREIGN_H
#define HW_MERGE_FOREIGN_H

#include "bench/record.h"
#include "bench/suite.h"

/*
 * The nearest reason why hw_plan_find() does not find the record, as a part of
 * a sentence, cut to size.  O(sources).
 */
void hw_foreign_reason(const hw_suite *suite, const hw_record *r, char *why, size_t size);

#endif
