/* SPDX-License-Identifier: MIT */
#include "simulator/pen.h"

enum { UNKNOWN = 0xfffd };

static bool is_character(uint32_t c, int bytes)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    return c >= least[bytes] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe && (c < 0x7f || c > 0x9f);
}

uint32_t pen_character(const char **text, const char *end)
{
    unsigned char first = (unsigned char)*(*text)++;
    if (first == '\t' || first == '\n' || first == '\r')
        return ' ';
    if (first < 0x80)
        return first < 0x20 || first == 0x7f ? UNKNOWN : first;
    int bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || end - *text < bytes - 1)
        return UNKNOWN;
    uint32_t c = first & (0x7fu >> bytes);
    for (int i = 0; i < bytes - 1; i++) {
        unsigned char next = (unsigned char)(*text)[i];
        if ((next & 0xc0) != 0x80)
            return UNKNOWN;
        c = c << 6 | (next & 0x3f);
    }
    if (!is_character(c, bytes))
        return UNKNOWN;
    *text += bytes - 1;
    return c;
}

size_t pen_columns(const char *text, size_t length)
{
    size_t columns = 0;
    for (const char *end = text + length; text < end; columns++)
        pen_character(&text, end);
    return columns;
}
