/* What a test driver in C or C++ calls (doc/drivers.md): choices, checks and steps around a black box, under `verisoft test`. Without it the
 * same program runs by itself: choices are random, a check that fails ends it.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_DRIVER_H
#define VERISOFT_DRIVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int vs_socket(void)                /* -1: nobody controls us */
{
    const char *number = getenv("VERISOFT_DRIVER");
    return number ? atoi(number) : -1;
}

static inline size_t vs_escape(char *out, size_t at, size_t room, const char *text)
{
    for (; *text && at + 3 < room; text++)
        if (*text == '\\' || *text == '\t' || *text == '\n') {
            out[at++] = '\\';
            out[at++] = *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\';
        } else {
            out[at++] = *text;
        }
    return at;
}

/* One request and its answer; who is not answered has no more to do. */
static inline unsigned vs_request(const char *place, const char *what, const char *first, const char *second)
{
    static char line[65536];
    const char *field[] = { place, what, first, second };
    size_t at = 0, sent = 0;
    for (int i = 0; i < 4 && field[i]; i++) {
        if (i)
            line[at++] = '\t';
        at = vs_escape(line, at, sizeof line - 8, field[i]);
    }
    line[at++] = '\n';
    for (ssize_t n; sent < at; sent += (size_t)n)
        if ((n = write(vs_socket(), line + sent, at - sent)) <= 0)
            _exit(125);
    char answer[16] = "";
    if (read(vs_socket(), answer, sizeof answer - 1) <= 0)
        _exit(125);
    return (unsigned)strtoul(answer, NULL, 10);
}

static inline unsigned vs_toss_at(const char *place, unsigned most)
{
    char number[16];
    snprintf(number, sizeof number, "%u", most);
    return vs_socket() < 0 ? (unsigned)rand() % (most + 1) : vs_request(place, "toss", number, NULL);
}

static inline void vs_check_at(const char *place, int holds, const char *words)
{
    if (vs_socket() >= 0) {
        vs_request(place, "check", holds ? "1" : "0", words);
    } else if (!holds) {
        fprintf(stderr, "%s: not so: %s\n", place, words);
        exit(1);
    }
}

static inline void vs_assume_at(const char *place, int holds, const char *words)
{
    if (vs_socket() >= 0)
        vs_request(place, "assume", holds ? "1" : "0", words);
    else if (!holds)
        exit(0);
}

static inline void vs_say_at(const char *place, const char *what, const char *first, const char *second)
{
    if (vs_socket() >= 0)
        vs_request(place, what, first, second);
}

#define VS_DRIVER_TEXT(x) #x
#define VS_DRIVER_LINE(file, line) file ":" VS_DRIVER_TEXT(line)
#define VS_DRIVER_PLACE VS_DRIVER_LINE(__FILE__, __LINE__)

#define vs_toss(most)            vs_toss_at(VS_DRIVER_PLACE, most)               /* any of 0 to most */
#define vs_check(expression)     vs_check_at(VS_DRIVER_PLACE, !!(expression), #expression)
#define vs_assume(expression)    vs_assume_at(VS_DRIVER_PLACE, !!(expression), #expression)
#define vs_step(interface)       vs_say_at(VS_DRIVER_PLACE, "step", interface, NULL)      /* then speak to the box; "" where the suite declares none */
#define vs_wait(semaphore)       vs_say_at(VS_DRIVER_PLACE, "wait", semaphore, NULL)
#define vs_signal(semaphore)     vs_say_at(VS_DRIVER_PLACE, "signal", semaphore, NULL)
#define vs_print(words)          vs_say_at(VS_DRIVER_PLACE, "print", words, NULL)
#define vs_answer(words)         vs_say_at(VS_DRIVER_PLACE, "answer", words, NULL)        /* what the box said: it is compared */

#endif
