/* Control characters in names and messages, which a terminal may act on. */
#ifndef HW_CORE_CONTROL_H
#define HW_CORE_CONTROL_H

#include <stddef.h>
#include <stdio.h>

/*
 * Bytes of the control character at p that a terminal may take for a command:
 * 1 for C0 and DEL, 2 for C1 in UTF-8, 0: it is another character, or the end.
 */
static inline size_t hw_control_bytes(const char *p)
{
    const unsigned char *c = (const unsigned char *)p;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
        return 2;
    return (c[0] && c[0] < 0x20) || c[0] == 0x7f;
}

/*
 * A text out of a file, or a message with such a text in it, as a terminal may
 * have it: each of them as '?'.  Cut where out, of size > 0 bytes, is full; out
 * may be the text itself.  Returns how many bytes of text were taken.
 */
size_t hw_control_tame(const char *text, char *out, size_t size);

/* Write it so; write errors stay in the stream. */
void hw_control_put(FILE *out, const char *text);

#endif
