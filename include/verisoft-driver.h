/* What a test driver in C or C++ calls (doc/drivers.md): choices, checks and steps around a black box, under `verisoft test`. Without it the
 * same program runs by itself: choices are random, a check that fails ends it.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_DRIVER_H
#define VERISOFT_DRIVER_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((weak)) int vs_has_asked;          /* one for all sources of a driver: something was asked for already */

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

/* The next line that comes, without its end; what there is no room for is left out. */
static inline void vs_hear(char *out, size_t room)
{
    size_t at = 0;
    int escaped = 0;
    for (char c; ; ) {
        ssize_t n = read(vs_socket(), &c, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(125);
        if (c == '\n')
            break;
        if (c == '\\' && !escaped) {
            escaped = 1;
            continue;
        }
        if (at + 1 < room)
            out[at++] = escaped && c == 't' ? '\t' : escaped && c == 'n' ? '\n' : c;
        escaped = 0;
    }
    out[at] = '\0';
}

/* One request; its answer comes to `out`. Who is not answered has no more to do. What is cut off here is longer than VeriSoft takes, and refused there. */
static inline void vs_ask(const char *const field[], int count, char *out, size_t room)
{
    static char line[65536 + 4096];
    size_t at = 0, sent = 0;
    vs_has_asked = 1;
    for (int i = 0; i < count && field[i]; i++) {
        if (i)
            line[at++] = '\t';
        at = vs_escape(line, at, sizeof line - 8, field[i]);
    }
    line[at++] = '\n';
    for (ssize_t n; sent < at; sent += (size_t)n)
        if ((n = write(vs_socket(), line + sent, at - sent)) <= 0) {
            if (n == 0 || errno != EINTR)
                _exit(125);
            n = 0;
        }
    vs_hear(out, room);
}

static inline unsigned vs_request(const char *place, const char *what, const char *first, const char *second)
{
    const char *const field[] = { place, what, first, second };
    char answer[16];
    vs_ask(field, 4, answer, sizeof answer);
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

/* The next message of the queue; without VeriSoft there is none, and it is empty. */
static inline char *vs_receive_at(const char *place, const char *queue, char *out, size_t room)
{
    const char *const field[] = { place, "receive", queue };
    out[0] = '\0';
    if (vs_socket() >= 0)
        vs_ask(field, 3, out, room);
    return out;
}

static inline void vs_event_at(const char *place, const char *object, const char *operation, const char *words)
{
    const char *const field[] = { place, "event", object, operation, words };
    char answer[16];
    if (vs_socket() >= 0)
        vs_ask(field, 5, answer, sizeof answer);
}

#define VS_DRIVER_TEXT(x) #x
#define VS_DRIVER_LINE(file, line) file ":" VS_DRIVER_TEXT(line)
#define VS_DRIVER_PLACE VS_DRIVER_LINE(__FILE__, __LINE__)

#define vs_toss(most)            vs_toss_at(VS_DRIVER_PLACE, most)               /* any of 0 to most */
#define vs_check(expression)     vs_check_at(VS_DRIVER_PLACE, !!(expression), #expression)
#define vs_assume(expression)    vs_assume_at(VS_DRIVER_PLACE, !!(expression), #expression)
#define vs_step(interface)       vs_say_at(VS_DRIVER_PLACE, "step", interface, NULL)      /* then speak to the box; "" where the suite declares none */
#define vs_look(interface)       vs_say_at(VS_DRIVER_PLACE, "look", interface, NULL)      /* the same, where nothing is changed */
#define vs_wait(semaphore)       vs_say_at(VS_DRIVER_PLACE, "wait", semaphore, NULL)
#define vs_signal(semaphore)     vs_say_at(VS_DRIVER_PLACE, "signal", semaphore, NULL)
#define vs_send(queue, message)  vs_say_at(VS_DRIVER_PLACE, "send", queue, message)
#define vs_receive(queue, out, room) vs_receive_at(VS_DRIVER_PLACE, queue, out, room)
/* Beside a real call: it is ordered and waits as this operation of a queue, semaphore or interface of the suite does. */
#define vs_event(object, operation, words) vs_event_at(VS_DRIVER_PLACE, object, operation, words)
#define vs_print(words)          vs_say_at(VS_DRIVER_PLACE, "print", words, NULL)
#define vs_answer(words)         vs_say_at(VS_DRIVER_PLACE, "answer", words, NULL)        /* what the box said: it is compared */

#endif
