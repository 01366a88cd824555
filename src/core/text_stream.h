/*
 * Texts built by the functions of stdio.
 *
 * As open_memstream(), whose streams lose what they find no memory for and yet
 * close well (glibc 2.36: neither fprintf() nor ferror() tell), so that a text
 * ends or has a hole anywhere.  Here fclose() fails.
 */
#ifndef HW_CORE_TEXT_STREAM_H
#define HW_CORE_TEXT_STREAM_H

#include <stdio.h>

/*
 * A stream whose bytes are at *text, a string of *size bytes, after fflush() and
 * fclose().  *text is never NULL once this returns a stream, and is to be freed
 * by the caller after fclose(), whatever that returned: not 0 when memory ran
 * out for any part.  It can only be written to, from front to back.
 * NULL: out of memory; *text is NULL then.
 */
FILE *hw_text_stream(char **text, size_t *size);

#endif
