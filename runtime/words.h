/* What has a name, and calls on it, as a person reads them: /left, sem_open(/left).
 * SPDX-License-Identifier: MIT */
#ifndef RT_WORDS_H
#define RT_WORDS_H

#include "rt.h"

#include <string.h>

struct rt_words { char text[128]; };

/* function NULL: the name alone. Bytes that could be taken for something else in a line of text become '?'. The words stay in `w`. */
RT_INLINE const char *rt_words(struct rt_words *w, const char *function, const char *name, size_t length)
{
    size_t used = function ? strlen(function) : 0;
    memset(w, 0, sizeof *w);
    memcpy(w->text, function ? function : "", used);
    if (function)
        w->text[used++] = '(';
    for (size_t i = 0; i < length && used + 2 < sizeof w->text; i++) {
        unsigned char byte = (unsigned char)name[i];
        w->text[used++] = byte > ' ' && byte < 127 && !strchr("()\"#", byte) ? (char)byte : '?';
    }
    if (function)
        w->text[used] = ')';
    return w->text;
}

/* "read(eventfd, channel 3", and then `end`. */
RT_INLINE const char *rt_eventfd_words(struct rt_words *w, const char *function, int channel, const char *end)
{
    const char digits[] = {(char)('0' + channel / 10), (char)('0' + channel % 10), 0};
    const char *parts[] = {function, "(eventfd, channel ", digits + (channel < 10), end};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; used += strlen(parts[i++]))
        memcpy(w->text + used, parts[i], strlen(parts[i]) + 1);
    return w->text;
}

#endif
