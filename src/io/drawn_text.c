/* Names inside pictures.  See drawn_text.h. */
#include "io/drawn_text.h"

#include "core/control.h"

/* Bytes of the UTF-8 character at p, 0 when it is none. */
static size_t character_at(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    size_t length = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    if (u[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

size_t hw_drawn_characters(const char *text)
{
    size_t n = 0;
    for (size_t length; *text; text += length ? length : 1, n++)
        length = character_at(text);
    return n;
}

void hw_drawn_put(FILE *out, const char *text, size_t columns,
                  void (*put)(FILE *out, const char *character, size_t length))
{
    size_t all = hw_drawn_characters(text), length = 0;
    size_t front = all > columns ? columns / 2 : all, back = all > columns ? columns - front : 1;
    for (size_t n = 0; *text; n++, text += length ? length : 1) {
        length = character_at(text);
        if (n == front && all > columns)
            (void)fputs("\xe2\x80\xa6", out);
        if (n >= front && n <= all - back)
            continue;
        if (length == 0 || hw_control_bytes(text))
            put(out, "?", 1);
        else
            put(out, text, length);
    }
}
