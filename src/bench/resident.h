/* Resident memory of this process, as Linux keeps it (/proc/self). */
#ifndef HW_BENCH_RESIDENT_H
#define HW_BENCH_RESIDENT_H

#include "bench/record.h"

/* Let the peak begin anew at what is resident now; false: not possible here. */
bool hw_resident_reset(void);

/* Bytes resident at most since the last reset (VmHWM), and now (VmRSS). */
hw_maybe_u64 hw_resident_peak_bytes(void);
hw_maybe_u64 hw_resident_bytes(void);

/* Bytes that RLIMIT_DATA counts (VmData). */
hw_maybe_u64 hw_data_bytes(void);

#endif
