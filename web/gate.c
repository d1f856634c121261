/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "web/gate.h"

#include "base/memory.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    MOST_SESSIONS = 1024,            /* then the one that was used least recently ends */
    IDLE_HOURS = 12,
    DAYS = 7,
    FREE_TRIES = 3,                  /* wrong passwords for one name before one has to wait */
    MOST_WAIT = 300,                 /* seconds */
    MOST_TRIES = 5,                  /* in a second, by all */
    FAILURES = 512,                  /* names, by a hash, of which wrong passwords are counted */
    MOST_PASSWORD = 512
};

const char *const gate_roles[] = { "", "reader", "editor" };

struct session { char id[GATE_DIGITS + 1], token[GATE_DIGITS + 1], name[GATE_NAME + 1]; time_t began, used; };
struct failure { uint32_t count; time_t until; };

struct gate {
    struct gate_keeper keeper;
    struct session     sessions[MOST_SESSIONS];
    struct failure     failures[FAILURES];
    time_t             second;       /* of these tries */
    int                tries;
};

static time_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return t.tv_sec + 1;
}

struct gate *gate_new(const struct gate_keeper *keeper)
{
    struct gate *g = memory_get(sizeof *g);
    g->keeper = *keeper;
    return g;
}

void gate_free(struct gate *g)
{
    if (g)
        explicit_bzero(g, sizeof *g);
    free(g);
}

bool gate_name_is_fine(const char *name)
{
    size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    return length && length <= GATE_NAME && !name[length];
}

static bool make_number(char digits[GATE_DIGITS + 1])
{
    unsigned char bytes[GATE_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    return true;
}

/* Takes the same time wherever they differ. */
static bool same(const char *ours, const char *theirs)
{
    unsigned char difference = 0;
    if (!theirs || strlen(theirs) != GATE_DIGITS)
        return false;
    for (size_t i = 0; i < GATE_DIGITS; i++)
        difference |= (unsigned char)(ours[i] ^ theirs[i]);
    return !difference;
}

/* ---- sessions ---- */

static bool is_over(const struct session *s, time_t when)
{
    return !s->used || when - s->used > IDLE_HOURS * 3600 || when - s->began > DAYS * 24 * 3600;
}

static struct session *session_of(struct gate *g, struct MHD_Connection *connection)
{
    const char *id = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, "verisoft");
    struct session *found = NULL;
    time_t when = now();
    for (struct session *s = g->sessions; id && s < g->sessions + MOST_SESSIONS; s++)
        if (!is_over(s, when) && same(s->id, id))
            found = s;
    return found;
}

static struct session *free_session(struct gate *g)
{
    struct session *least = g->sessions;
    time_t when = now();
    for (struct session *s = g->sessions; s < g->sessions + MOST_SESSIONS; s++) {
        if (is_over(s, when))
            return s;
        least = s->used < least->used ? s : least;
    }
    return least;
}

bool gate_knows(struct gate *g, struct MHD_Connection *connection, struct guest *to)
{
    struct session *s = session_of(g, connection);
    *to = (struct guest){ .role = s ? g->keeper.role(g->keeper.self, s->name) : RIGHTS_NONE };
    if (to->role == RIGHTS_NONE)
        return false;
    s->used = now();
    memcpy(to->name, s->name, sizeof to->name);
    memcpy(to->token, s->token, sizeof to->token);
    return true;
}

bool gate_token(const struct guest *v, struct MHD_Connection *connection)
{
    return same(v->token, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-VeriSoft-Token"));
}

/* Over TLS, which a proxy tells, the browser must not send it otherwise. */
static void make_cookie(struct MHD_Connection *connection, const char *id, int seconds, char cookie[GATE_COOKIE])
{
    const char *way = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Forwarded-Proto");
    int length = snprintf(cookie, GATE_COOKIE, "verisoft=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s", id, seconds, way && !strcmp(way, "https") ? "; Secure" : "");
    assert(length > 0 && length < GATE_COOKIE);
}

void gate_leave(struct gate *g, struct MHD_Connection *connection, char cookie[GATE_COOKIE])
{
    struct session *s = session_of(g, connection);
    if (s)
        explicit_bzero(s, sizeof *s);
    make_cookie(connection, "", 0, cookie);
}

/* ---- coming in ---- */

static struct failure *failures_of(struct gate *g, const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return &g->failures[hash % FAILURES];
}

/* Of one that guesses: he has to wait; and so have all, when they are too many. */
static bool must_wait(struct gate *g, const struct failure *f, time_t when)
{
    if (g->second != when) {
        g->second = when;
        g->tries = 0;
    }
    return when < f->until || ++g->tries > MOST_TRIES;
}

static void note_failure(struct failure *f, time_t when)
{
    uint32_t more = ++f->count > FREE_TRIES ? f->count - FREE_TRIES : 0;
    time_t wait = more > 8 ? MOST_WAIT : more ? (time_t)1 << more : 0;
    f->until = when + (wait < MOST_WAIT ? wait : MOST_WAIT);
}

static unsigned begin_session(struct gate *g, struct MHD_Connection *connection, const char *name, char cookie[GATE_COOKIE])
{
    struct session *s = free_session(g);
    *s = (struct session){ .began = now(), .used = now() };
    snprintf(s->name, sizeof s->name, "%s", name);
    if (!make_number(s->id) || !make_number(s->token)) {
        *s = (struct session){ .used = 0 };
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
    make_cookie(connection, s->id, IDLE_HOURS * 3600, cookie);
    return MHD_HTTP_OK;
}

static unsigned try_password(struct gate *g, struct MHD_Connection *connection, const char *name, const char *password, char cookie[GATE_COOKIE])
{
    struct failure *f = failures_of(g, name);
    time_t when = now();
    if (must_wait(g, f, when))
        return MHD_HTTP_TOO_MANY_REQUESTS;
    if (g->keeper.check(g->keeper.self, name, password) == RIGHTS_NONE) {
        note_failure(f, when);
        return MHD_HTTP_FORBIDDEN;
    }
    *f = (struct failure){ 0 };
    return begin_session(g, connection, name, cookie);
}

unsigned gate_enter(struct gate *g, struct MHD_Connection *connection, const char *body, size_t length, char cookie[GATE_COOKIE])
{
    json_t *given = json_loadb(length ? body : "", length, JSON_REJECT_DUPLICATES, NULL);
    const char *name = json_string_value(json_object_get(given, "name")), *password = json_string_value(json_object_get(given, "password"));
    bool fine = name && password && gate_name_is_fine(name) && strlen(password) <= MOST_PASSWORD;
    unsigned status = fine ? try_password(g, connection, name, password, cookie) : MHD_HTTP_FORBIDDEN;
    json_decref(given);
    return status;
}
