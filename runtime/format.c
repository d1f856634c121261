/* Formats of printf: which strings it reads, and what it writes (%n). What is not understood (positions) is passed over: it ends there.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#pragma GCC poison malloc calloc free printf

enum length { PLAIN, LONG, LONG_DOUBLE };

struct directive { int precision; enum length length; char type; };     /* precision: -1: none */

static const char *read_number(const char *at, va_list *list, int *number)
{
    if (*at == '*') {
        *number = va_arg(*list, int);
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        *number = 10 * *number + (*at - '0');
    return at;
}

static const char *read_directive(const char *at, va_list *list, struct directive *d)       /* behind the % */
{
    int width;
    *d = (struct directive){.precision = -1};
    at = read_number(at + strspn(at, "-+ #0'I"), list, &width);
    if (*at == '.')
        at = read_number(at + 1, list, &d->precision);
    for (; *at && strchr("hlLqjzt", *at); at++)
        d->length = *at == 'L' ? LONG_DOUBLE : *at == 'h' ? PLAIN : LONG;
    d->type = *at;
    return *at ? at + 1 : at;
}

static void note_string(const void *s, const struct directive *d, uint64_t place)
{
    bool wide = d->length == LONG || d->type == 'S';
    uint64_t most = d->precision < 0 ? UINT32_MAX : (uint64_t)d->precision;
    uint64_t bytes = !s ? 0 : wide ? (wcslen(s) + 1) * sizeof(wchar_t) : strnlen(s, most);
    if (bytes || (s && !wide && most))
        rt_accesses_note(s, wide || bytes == most ? bytes : bytes + 1, 0, place);
}

/* True: it is understood. */
static bool pass(const struct directive *d, va_list *list, uint64_t place)
{
    switch (d->type) {
    case '%': case 'm': return true;
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B': case 'c': case 'C':
        d->length == PLAIN ? (void)va_arg(*list, int) : (void)va_arg(*list, long);
        return true;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        d->length == LONG_DOUBLE ? (void)va_arg(*list, long double) : (void)va_arg(*list, double);
        return true;
    case 'p': va_arg(*list, void *); return true;
    case 's': case 'S': note_string(va_arg(*list, const void *), d, place); return true;
    case 'n': rt_accesses_note(va_arg(*list, void *), d->length == PLAIN ? sizeof(int) : sizeof(long), ACCESS_IS_WRITE, place); return true;
    default:  return false;
    }
}

void rt_format_reads(const char *format, va_list given, uint64_t place)
{
    va_list list;
    struct directive d;
    bool goes_on = true;
    va_copy(list, given);
    for (const char *at = format; goes_on && (at = strchr(at, '%'));) {
        at = read_directive(at + 1, &list, &d);
        goes_on = pass(&d, &list, place);
    }
    va_end(list);
}
