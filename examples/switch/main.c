/* The switch: one queue of events, and a script on standard input that says what subscribers do.
 *
 *     line PORT NUMBER FEATURES [FORWARD]      provision a line: line 2 2002 CW,TWC 2003; - is no features
 *     trunk PORT
 *     PORT offhook | onhook | flash | dial DIGITS
 *     PORT ring TO | alert | busy | answer | disc          of a trunk: what the other switch does
 *     wait SECONDS
 *     bills
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- events ---- */

struct message { int to, event, from, with; };

enum { QUEUE = 256 };

static struct message queue[QUEUE];
static unsigned first, last;         /* the next to take, the next to put: positions that only grow */

void post(int to, int event, int from, int with)
{
    if (last - first == QUEUE) {
        fprintf(stderr, "more than %d events wait: this one is lost\n", QUEUE);
        return;
    }
    queue[last++ % QUEUE] = (struct message){ to, event, from, with };
}

void trace(const struct line *x, const char *format, ...)
{
    va_list args;
    printf("%5ld  %d ", now(), x->port);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void work(void)
{
    while (first != last) {
        struct message m = queue[first++ % QUEUE];
        struct line *x = port_line(m.to);
        if (!x) {
            if (m.event == Ering)
                post(m.from, Ebusy, m.to, Cnobody);
        } else if (x->port >= FIRST_TRUNK) {
            trunk(x, m.event, m.from, m.with);
        } else {
            line(x, m.event, m.from, m.with);
        }
    }
}

static void pass(long seconds)
{
    for (long until = now() + seconds; timer_advance(until);)
        work();
}

/* ---- the script ---- */

static const struct { const char *word; int event; } words[] = {
    { "offhook", Eoffhook }, { "onhook", Eonhook }, { "flash", Eflash }, { "ring", Ering },
    { "alert", Ealert }, { "busy", Ebusy }, { "answer", Eanswer }, { "disc", Edisc }
};

static bool act(int port, const char *word, const char *rest)
{
    struct line *x = port_line(port);
    if (!x)
        return false;
    if (!strcmp(word, "dial")) {
        for (; *rest >= '0' && *rest <= '9'; rest++) {
            post(port, Edigit, 0, *rest - '0');
            work();
        }
        return !*rest;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].word, word)) {
            const struct line *to = words[i].event == Ering ? line_numbered(rest) : NULL;
            post(port, words[i].event, port >= FIRST_TRUNK ? port : 0, to ? to->port : 0);
            work();
            return true;
        }
    return false;
}

static bool obey(const char *text)
{
    char a[32] = "", b[32] = "", c[32] = "", forward[32] = "";
    int port, fields = sscanf(text, "%31s %31s %31s", a, b, c);
    if (fields < 1 || a[0] == '#')
        return true;
    if (!strcmp(a, "line") && sscanf(text, "line %d %31s %31s %31s", &port, b, c, forward) >= 3)
        return port < FIRST_TRUNK && provision(port, b, c, forward);
    if (!strcmp(a, "trunk") && fields == 2)
        return atoi(b) >= FIRST_TRUNK && provision(atoi(b), "", "-", "");
    if (!strcmp(a, "wait") && fields == 2) {
        pass(atol(b));
        return true;
    }
    if (!strcmp(a, "bills")) {
        bill_print();
        return true;
    }
    return act(atoi(a), b, c);
}

int main(void)
{
    char text[256];
    for (int number = 1; fgets(text, sizeof text, stdin); number++) {
        text[strcspn(text, "\n")] = '\0';
        if (*text && *text != '#')
            printf("%5ld> %s\n", now(), text);
        if (!obey(text)) {
            fprintf(stderr, "line %d of the script: this cannot be done: %s\n", number, text);
            return 2;
        }
    }
    return 0;
}
