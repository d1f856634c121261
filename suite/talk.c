/* SPDX-License-Identifier: MIT */
#include "suite/talk.h"

#include "base/memory.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIELDS = 5 };                     /* place, request, and what belongs to it */

struct sentence { char *field[FIELDS]; int count; };

void talk_init(struct talk *t, int socket) { *t = (struct talk){ .socket = socket }; }

void talk_fini(struct talk *t)
{
    if (t->socket >= 0)
        close(t->socket);
    prose_fini(&t->line);
    prose_fini(&t->notes);
    *t = (struct talk){ .socket = -1 };
}

const char talk_spoke_twice[] = "made a request before the last one was answered: do two of its processes speak at once?";

bool talk_speaks(const struct talk *t)
{
    char byte;
    return t->socket >= 0 && recv(t->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void tell(struct talk *t, const char *text, size_t length)
{
    while (length) {
        ssize_t sent = send(t->socket, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return;                      /* one who is gone is seen when it is listened to */
        text += sent < 0 ? 0 : sent;
        length -= sent < 0 ? 0 : (size_t)sent;
    }
}

static void tell_text(struct talk *t, const char *text)
{
    struct prose line = { 0 };
    for (; *text; text++)
        prose_add(&line, *text == '\\' ? "\\\\" : *text == '\t' ? "\\t" : *text == '\n' ? "\\n" : "%c", *text);
    prose_add(&line, "\n");
    tell(t, line.text, line.length);
    prose_fini(&line);
}

void talk_tell(struct talk *t, uint32_t result, const struct texts *texts)
{
    char text[16];
    if (t->awaits == AWAITS_TEXT)
        tell_text(t, texts_string(texts, result));
    else
        tell(t, text, (size_t)snprintf(text, sizeof text, "%u\n", t->awaits == AWAITS_NOTHING ? 0 : result));
}

/* ---- a line ---- */

/* \\ \t \n as in C, in place. */
static void unescape(char *text)
{
    char *out = text;
    for (; *text; text++)
        if (*text == '\\' && text[1]) {
            text++;
            *out++ = *text == 't' ? '\t' : *text == 'n' ? '\n' : *text;
        } else {
            *out++ = *text;
        }
    *out = '\0';
}

static bool take_apart(char *line, struct sentence *r)
{
    *r = (struct sentence){ 0 };
    for (char *at = line, *next; at; at = next) {
        next = strchr(at, '\t');
        if (next)
            *next++ = '\0';
        if (r->count == FIELDS)
            return false;
        unescape(at);
        r->field[r->count++] = at;
    }
    return r->count >= 2;
}

static bool number(const char *text, long most, int32_t *value)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    *value = (int32_t)n;
    return !errno && end != text && !*end && n >= 0 && n <= most;
}

/* ---- requests ---- */

struct hearing { struct talk *talk; const struct suite *suite; struct texts *texts; struct op *op; const char *a, *b, *c; };

static bool toss(struct hearing *h)
{
    h->op->type = TYPE_TOSS;
    h->op->code = TOSS_TOSS;
    return number(h->a, MAX_TOSS, &h->op->arg[0]);
}

static bool check(struct hearing *h)
{
    h->op->type = TYPE_ASSERT;
    h->op->code = ASSERT_ASSERT;
    h->op->text = texts_number(h->texts, h->b);
    return number(h->a, 1, &h->op->arg[0]);
}

static bool assume(struct hearing *h)
{
    h->op->type = TYPE_ABORT;
    h->op->code = ABORT_ABORT;
    h->op->text = texts_number(h->texts, h->b);
    return number(h->a, 1, &h->op->arg[0]);
}

/* An unnamed one means the box, which is one interface unless more are declared. */
static bool at_interface(struct hearing *h, uint8_t code)
{
    static const char *const names[] = { [STEP_STEP] = "step", [STEP_LOOK] = "look" };
    bool words = !h->suite->declared && !*h->b;          /* what is no interface's name, where there is none, is for the report */
    h->b = words ? h->a : h->b;
    h->a = words ? "" : h->a;
    int which = suite_interface(h->suite, h->a);
    char *does = *h->a ? prose_make("%s(%s)%s%s", names[code], h->a, *h->b ? ": " : "", h->b)
                       : prose_make("%s%s%s", names[code], *h->b ? ": " : "", h->b);
    h->op->type = TYPE_STEP;
    h->op->code = code;
    h->op->object = (uint32_t)which;
    h->op->text = texts_number(h->texts, does);
    free(does);
    return which >= 0;
}

static bool at_semaphore(struct hearing *h, uint8_t code)
{
    int which = suite_object(&h->suite->semaphores, h->a);
    h->op->type = TYPE_COUNTER;
    h->op->code = code;
    h->op->object = h->suite->interface_count + (uint32_t)which;
    h->op->arg[1] = which >= 0 ? h->suite->semaphores.items[which].value : 0;
    return which >= 0;
}

static bool at_queue(struct hearing *h, uint8_t code)
{
    int which = suite_object(&h->suite->queues, h->a);
    h->op->type = TYPE_QUEUE;
    h->op->code = code;
    h->op->object = h->suite->interface_count + h->suite->semaphores.count + (uint32_t)which;
    h->op->text = code == QUEUE_SEND ? texts_number(h->texts, h->b) : 0;
    return which >= 0;
}

static bool step(struct hearing *h)      { return at_interface(h, STEP_STEP); }
static bool look(struct hearing *h)      { return at_interface(h, STEP_LOOK); }
static bool wait_for(struct hearing *h)  { return at_semaphore(h, COUNTER_WAIT); }
static bool signal_to(struct hearing *h) { return at_semaphore(h, COUNTER_POST); }
static bool send_to(struct hearing *h)   { return at_queue(h, QUEUE_SEND); }

static bool receive(struct hearing *h)
{
    h->talk->awaits = AWAITS_TEXT;
    return at_queue(h, QUEUE_RECEIVE);
}

/* A real call, as an operation of the kind that it names: it is ordered, counted and waits as that one does, and carries its data itself. */
static bool event(struct hearing *h)
{
    const char *kind = h->b;
    h->talk->awaits = AWAITS_NOTHING;
    h->b = h->c;
    return !strcmp(kind, "send") ? at_queue(h, QUEUE_SEND) : !strcmp(kind, "receive") ? at_queue(h, QUEUE_RECEIVE)
         : !strcmp(kind, "wait") ? wait_for(h) : !strcmp(kind, "signal") ? signal_to(h)
         : !strcmp(kind, "step") ? step(h) : !strcmp(kind, "look") && look(h);
}

static const struct { const char *name; bool (*means)(struct hearing *); const char *wants; } requests[] = {
    { "toss",   toss,      "a number that is not too large" },
    { "check",  check,     "0 or 1, and words" },
    { "assume", assume,    "0 or 1, and words" },
    { "step",   step,      "an interface that the suite declares, or none where it declares none" },
    { "wait",   wait_for,  "a semaphore of the suite" },
    { "look",   look,      "an interface that the suite declares, or none where it declares none" },
    { "signal", signal_to, "a semaphore of the suite" },
    { "send",   send_to,   "a queue of the suite, and a message" },
    { "receive", receive,  "a queue of the suite" },
    { "event",  event,     "a queue and send or receive, a semaphore and wait or signal, or an interface and step or look" },
};

static enum heard nonsense(struct hearing *h, const char *format, const char *one, const char *two)
{
    char *words = prose_make(format, one, two);
    prose_one_line(words);
    h->op->text = texts_number(h->texts, words);
    free(words);
    return HEARD_NONSENSE;
}

/* What is printed is no operation: the driver goes on at once. */
static bool is_note(struct talk *t, const struct sentence *r)
{
    bool prints = !strcmp(r->field[1], "print"), answers = !strcmp(r->field[1], "answer");
    if ((!prints && !answers) || r->count != 3)
        return false;
    prose_one_line(r->field[2]);
    prose_add(&t->notes, "%s%s%s", t->notes.length ? "\n" : "", answers ? "the box answered: " : "", r->field[2]);
    tell(t, "0\n", 2);
    return true;
}

static enum heard unwanted(struct hearing *h, const struct sentence *r, const char *wants)
{
    const char *of = r->count > 2 ? r->field[2] : "";
    char *said = prose_make("%s%s%.60s", r->field[1], *of ? " " : "", of);
    enum heard heard = nonsense(h, "asked for %s, which wants %s", said, wants);
    free(said);
    return heard;
}

static enum heard understand(struct talk *t, char *line, struct hearing *h)
{
    struct sentence r;
    if (!take_apart(line, &r))
        return nonsense(h, "said what is no request: %.60s%s", line, "");
    if (is_note(t, &r))
        return HEARD_NOTE;
    h->op->place = texts_number(h->texts, r.field[0]);
    h->a = r.count > 2 ? r.field[2] : "";
    h->b = r.count > 3 ? r.field[3] : "";
    h->c = r.count > 4 ? r.field[4] : "";
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (!strcmp(requests[i].name, r.field[1]))
            return requests[i].means(h) ? HEARD_OPERATION : unwanted(h, &r, requests[i].wants);
    return nonsense(h, "asked for %.60s, which there is not%s", r.field[1], "");
}

enum heard talk_hear(struct talk *t, const struct suite *suite, struct texts *texts, struct op *op)
{
    char bytes[4096];
    struct hearing h = { t, suite, texts, op, "", "", "" };
    t->awaits = AWAITS_NUMBER;
    op->object = NO_OBJECT;
    ssize_t length = recv(t->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR ? HEARD_NOTHING : HEARD_END;
    if (length == 0)
        return HEARD_END;
    prose_bytes(&t->line, bytes, (size_t)length);
    char *end = memchr(t->line.text, '\n', t->line.length);
    if (memchr(bytes, '\0', (size_t)length))
        return nonsense(&h, "said what is no request: %s%s", "a NUL", "");
    if (t->line.length > TALK_LONGEST)
        return nonsense(&h, "said what is no request: %s%s", "a line of more than 65536 bytes, or without end", "");
    if (!end)
        return HEARD_NOTHING;
    int unread = 0;                      /* what it has not read of our answers to those before */
    if (!ioctl(t->socket, SIOCOUTQ, &unread) && unread > 0)
        return nonsense(&h, "%s%s", talk_spoke_twice, "");
    if (end + 1 != t->line.text + t->line.length)
        return nonsense(&h, "%s%s", talk_spoke_twice, "");
    *end = '\0';
    enum heard heard = understand(t, t->line.text, &h);
    t->line.length = 0;
    return heard;
}
