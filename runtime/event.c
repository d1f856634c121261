/* VS_event: an operation beside a real call, on what the program names. Without a controller it does nothing; the real call does.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "group.h"
#include "thread.h"
#include "../include/verisoft.h"
#undef VS_event

#include <string.h>
#pragma GCC poison malloc calloc free printf

static const struct { const char *name; uint8_t code; int32_t kind; } operations[] = {
    {"send", EVENT_SEND, EVENT_OF_QUEUE},    {"receive", EVENT_RECEIVE, EVENT_OF_QUEUE},
    {"wait", EVENT_WAIT, EVENT_OF_SEMAPHORE}, {"signal", EVENT_SIGNAL, EVENT_OF_SEMAPHORE},
    {"step", EVENT_STEP, EVENT_OF_ORDER},    {"look", EVENT_LOOK, EVENT_OF_ORDER},
};

/* Its place in the table; -1: there is none. */
static int find(const char *name)
{
    for (unsigned i = 0; name && i < sizeof operations / sizeof *operations; i++)
        if (!strcmp(operations[i].name, name))
            return (int)i;
    return -1;
}

/* Of all processes of the program, by the name alone: no address is like it. */
static uint64_t key_of(const char *name, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
    return hash >> 4 | UINT64_C(1) << 60;
}

/* The number behind the colon; 0: there is none; -1: it is none. */
static int32_t number_in(const char *colon)
{
    int32_t number = 0;
    for (const char *at = *colon ? colon + 1 : colon; *at; at++) {
        if (*at < '0' || *at > '9' || number > EVENT_MOST)
            return -1;
        number = 10 * number + *at - '0';
    }
    return number <= EVENT_MOST ? number : -1;
}

struct writer { char text[256]; size_t used; };

static void add(struct writer *w, const char *text, size_t length)       /* what could end a line, or its place in one, becomes '?' */
{
    for (size_t i = 0; i < length && w->used + 2 < sizeof w->text; i++)
        w->text[w->used++] = (unsigned char)text[i] >= ' ' && !strchr("()#\"", text[i]) ? text[i] : '?';
}

static void describe(struct writer *w, const char *object, size_t length, const char *operation, const char *words)
{
    *w = (struct writer){.text = "VS_event(", .used = sizeof "VS_event(" - 1};
    add(w, object, length);
    add(w, ", ", 2);
    add(w, operation, strlen(operation));
    if (words) {
        add(w, ", ", 2);
        add(w, words, strlen(words));
    }
    w->text[w->used] = ')';
}

RT_INLINE int group_event(const char *object, const char *operation, const char *words)
{
    int which = find(operation);
    size_t length = object ? strcspn(object, ":") : 0;
    int32_t number = length ? number_in(object + length) : -1;
    if (which < 0)
        RT_MISUSE("VS_event: its operation must be send, receive, wait, signal, step or look");
    if (!length || number < 0)
        RT_MISUSE("VS_event: its object must have a name, and may have a colon and a number from 0 to 32767 behind it");
    struct writer w;
    describe(&w, object, length, operation, words);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_EVENT, .code = operations[which].code, .index = -1, .text = w.text,
                           .object = key_of(object, length), .arg = {number, operations[which].kind}};
    RT_ENTER(&call);
    rt_thread.tells = true;
    return 0;
}

RT_FUNCTION(int, VS_event, (const char *object, const char *operation, const char *words), (object, operation, words),
    DO(0), NEED_GROUP, DO(group_event(object, operation, words)))
RT_FUNCTION(int, VS_event_plain, (const char *object, const char *operation), (object, operation),
    DO(0), NEED_GROUP, DO(group_event(object, operation, NULL)))
