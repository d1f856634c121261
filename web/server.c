/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "web/server.h"

#include "base/memory.h"
#include "web/admission.h"
#include "web/browser.h"
#include "web/clients.h"
#include "web/listen.h"
#include "web/page.h"

#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    SECRET_BYTES = 16,
    SECRET_DIGITS = 2 * SECRET_BYTES,
    MOST_BYTES = 16 << 20,               /* of a request: a scenario may be long */
    MOST_BYTES_OF_ALL = 4 * MOST_BYTES,  /* of the requests that are being read */
    MOST_CLIENTS = 400,                  /* then clients.h says who goes */
    MOST_CONNECTIONS = 2 * MOST_CLIENTS, /* never reached: the library would stop to listen */
    IDLE_SECONDS = 30,                   /* a client that says no more is dropped */
    WAIT_MS = 20000,                     /* protocol.md */
    NAP_MS = 1000,                       /* the library stops listening while files are short, and wakes nobody when it could go on */
    LAST_MS = 500,                       /* for what is still to be answered at the end */
};

struct server {
    const struct site *site;
    struct MHD_Daemon *daemon;
    char               secret[SECRET_DIGITS + 1];
    char               ticket[SECRET_DIGITS + 1];    /* leads to the secret once; "": it did */
    char               hosts[2][ADMISSION_HOST];     /* what a browser may call us */
    struct gate       *gate;             /* NULL: who knows the secret may do all */
    const char        *listens;          /* at which address, with a gate */
    int                port;
    int                browser;          /* descriptor of browser.h; -1: none */
    struct web_request    *waiting;          /* those that wait for a change */
    uint32_t           requests;         /* that are not answered yet */
    bool               ends;             /* nobody is let wait any more: the library aborts when it is stopped while somebody does */
    size_t             bytes;            /* of their bodies */
    struct clients     clients;
};

/* One request of a client, from its first line to its answer. */
struct web_request {
    struct server         *server;
    struct MHD_Connection *connection;
    char                  *body;
    size_t                 length, room;
    bool                   too_long, too_much;   /* for one; of all together */
    struct guest         guest;                /* who asks, where there is a gate */
    bool                   suspended;            /* in the list of those that wait */
    uint64_t               seq;                  /* the one that it knows */
    int64_t                until;                /* when it is answered at the latest; 0: it is new */
    struct web_request        *next, **link;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

static uint64_t seq_of(const struct server *s) { return s->site->seq(s->site->self); }
static bool is_over(const struct server *s) { return s->site->over(s->site->self); }

/* ---- answers ---- */

static const char *const headers[][2] = {
    { "Content-Security-Policy",
      "default-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self'; "
      "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cache-Control", "no-store" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
};

/* Takes the response. */
static enum MHD_Result answer(struct web_request *r, unsigned status, const char *type, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    enum MHD_Result queued = MHD_queue_response(r->connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result refuse(struct web_request *r, unsigned status, const char *words)
{
    return answer(r, status, "text/plain; charset=utf-8",
                  MHD_create_response_from_buffer(strlen(words), (char *)words, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result not_found(struct web_request *r)
{
    return refuse(r, MHD_HTTP_NOT_FOUND, "Not found.\n");
}

static enum MHD_Result not_allowed(struct web_request *r, const char *methods)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, methods);
    return answer(r, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", response);
}

/* Takes the object. */
static enum MHD_Result answer_json(struct web_request *r, unsigned status, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        return refuse(r, MHD_HTTP_INTERNAL_SERVER_ERROR, "The answer cannot be written as JSON.\n");
    return answer(r, status, "application/json", MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

/* ---- the page ---- */

/* Of this site: the files of one are in a folder of their own, and the first has none. */
static const struct page_file *page_find(const struct site *site, const char *name)
{
    size_t folder = strlen(site->page);
    for (const struct page_file *f = page_files; f->name && (folder || !strchr(name, '/')); f++)
        if (!strncmp(f->name, site->page, folder) && !strcmp(f->name + folder, name))
            return f;
    return NULL;
}

bool server_has_page(const struct site *site)
{
    return page_find(site, "index.html") != NULL;
}

static enum MHD_Result answer_page(struct web_request *r, const char *name)
{
    const struct page_file *f = page_find(r->server->site, *name ? name : "index.html");
    if (!f)
        return not_found(r);
    size_t length = (size_t)(f->end - f->start);
    return answer(r, MHD_HTTP_OK, f->type, MHD_create_response_from_buffer(length, (void *)f->start, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result answer_redirect(struct web_request *r)
{
    char address[SECRET_DIGITS + 3];
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    snprintf(address, sizeof address, "/%s/", r->server->secret);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, address);
    return answer(r, MHD_HTTP_SEE_OTHER, "text/plain; charset=utf-8", response);
}

/* ---- a request of the protocol ---- */

static void keep(struct web_request *r, const char *bytes, size_t length)
{
    r->too_long |= length > MOST_BYTES - r->length;
    r->too_much |= length > MOST_BYTES_OF_ALL - r->server->bytes;
    if (r->too_long || r->too_much)
        return;
    while (r->room < r->length + length) {
        r->room = r->room ? 2 * r->room : 4096;
        r->body = memory_resize(r->body, r->room);
    }
    memcpy(r->body + r->length, bytes, length);
    r->length += length;
    r->server->bytes += length;
}

static enum MHD_Result answer_do(struct web_request *r)
{
    json_error_t error;
    if (r->too_long)
        return refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "The request is too long.\n");
    if (r->too_much)
        return refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many long requests at once; ask again.\n");
    json_t *request = json_loadb(r->length ? r->body : "", r->length, JSON_REJECT_DUPLICATES, &error);
    if (!request)
        return answer_json(r, MHD_HTTP_BAD_REQUEST, json_pack("{s:b, s:o}", "ok", 0, "error",
                           json_sprintf("not JSON: %s (line %d)", error.text, error.line)));
    const struct site *site = r->server->site;
    bool may = r->guest.role == RIGHTS_EDITOR || site->reads(site->self, request);
    json_t *reply = may ? site->handle(site->self, request) : json_pack("{s:b, s:s}", "ok", 0, "error", "who may only read changes nothing; an editor can");
    json_decref(request);
    return answer_json(r, may ? MHD_HTTP_OK : MHD_HTTP_FORBIDDEN, reply);
}

/* ---- coming in, and leaving ---- */

static enum MHD_Result answer_cookie(struct web_request *r, unsigned status, const char *cookie, const char *words)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(words), (char *)words, MHD_RESPMEM_PERSISTENT);
    if (response && *cookie)
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    return answer(r, status, "text/plain; charset=utf-8", response);
}

static enum MHD_Result answer_enter(struct web_request *r)
{
    char cookie[GATE_COOKIE] = "";
    unsigned status = gate_enter(r->server->gate, r->connection, r->body, r->length, cookie);
    return answer_cookie(r, status, cookie, status == MHD_HTTP_OK ? "Welcome.\n" : status == MHD_HTTP_TOO_MANY_REQUESTS ? "Too many tries; wait a little.\n"
                         : "There is no such account, or it has another password.\n");
}

static enum MHD_Result answer_leave(struct web_request *r)
{
    char cookie[GATE_COOKIE];
    gate_leave(r->server->gate, r->connection, cookie);
    return answer_cookie(r, MHD_HTTP_OK, cookie, "Goodbye.\n");
}

/* Who asks, and the token that his requests must bring. */
static enum MHD_Result answer_session(struct web_request *r)
{
    return answer_json(r, MHD_HTTP_OK, json_pack("{s:o, s:s, s:s}", "user", *r->guest.name ? json_string(r->guest.name) : json_null(), "role", gate_roles[r->guest.role],
                                                 "token", r->guest.token));
}

/* ---- waiting for a change ---- */

static void leave_list(struct web_request *r)
{
    if (!r->suspended)
        return;
    *r->link = r->next;
    if (r->next)
        r->next->link = r->link;
    r->suspended = false;
}

static void join_list(struct web_request *r)
{
    r->next = r->server->waiting;
    r->link = &r->server->waiting;
    if (r->next)
        r->next->link = &r->next;
    r->server->waiting = r;
    r->suspended = true;
}

static bool is_due(const struct web_request *r, int64_t now)
{
    return seq_of(r->server) != r->seq || now >= r->until || is_over(r->server) || r->server->ends;
}

static enum MHD_Result answer_wait(struct web_request *r)
{
    int64_t now = now_ms();
    if (!r->until) {
        const char *seq = MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, "seq");
        r->seq = seq ? strtoull(seq, NULL, 10) : 0;
        r->until = now + WAIT_MS;
    }
    if (is_due(r, now))
        return answer_json(r, MHD_HTTP_OK, json_pack("{s:I}", "seq", (json_int_t)seq_of(r->server)));
    join_list(r);
    MHD_suspend_connection(r->connection);
    return MHD_YES;
}

static void wake(struct web_request *r)
{
    leave_list(r);
    r->until = 1;                            /* long ago: it is answered now, and not put to sleep again */
    MHD_resume_connection(r->connection);
}

/* A suspended connection is watched by nobody: we look whether its client is still there. */
static bool is_gone(const struct web_request *r)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd fd = { .fd = info ? info->connect_fd : -1, .events = POLLRDHUP };
    return poll(&fd, 1, 0) > 0;
}

/* Milliseconds until the next of them is due, -1: none, 0: some are to be answered now. */
static int64_t wake_those_due(struct server *s)
{
    int64_t now = now_ms(), soonest = -1;
    for (struct web_request *r = s->waiting, *next; r; r = next) {
        int64_t left = is_due(r, now) || is_gone(r) ? 0 : r->until - now;
        next = r->next;
        if (!left)
            wake(r);
        if (soonest < 0 || left < soonest)
            soonest = left;
    }
    return soonest;
}

/* ---- one request ---- */

enum route { TO_NOBODY, TO_TICKET, TO_REDIRECT, TO_DO, TO_WAIT, TO_PAGE, TO_SESSION, TO_ENTER, TO_LEAVE };

static enum route route_of_name(const struct server *s, const char *name)
{
    static const struct { const char *name; enum route route; bool gate; } routes[] = {
        { "do", TO_DO, false }, { "wait", TO_WAIT, false }, { "session", TO_SESSION, false }, { "login", TO_ENTER, true }, { "logout", TO_LEAVE, true } };
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (!strcmp(name, routes[i].name) && (s->gate || !routes[i].gate))
            return routes[i].route;
    return TO_PAGE;
}

static enum route route_of(const struct server *s, const char *url, const char **name)
{
    const char *first = url + (*url == '/');
    size_t length = strcspn(first, "/");
    if (s->gate)
        return route_of_name(s, *name = first);
    if (admission_same(s->ticket, first, length))
        return TO_TICKET;
    if (!admission_same(s->secret, first, length))
        return TO_NOBODY;
    if (!first[length])
        return TO_REDIRECT;
    *name = first + length + 1;
    return route_of_name(s, *name);
}

static struct client *client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static bool is_post(enum route route) { return route == TO_DO || route == TO_ENTER || route == TO_LEAVE; }

/* What is seen by whoever is not in: the page to come in by. */
static bool is_open(enum route route, const char *name)
{
    static const char *const names[] = { "", "login.js", "page.css", "icon.svg" };
    for (size_t i = 0; route == TO_PAGE && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return route == TO_ENTER;
}

/* Refuses, or gives MHD_YES without an answer. All that anybody may do is decided here, and in answer_do. */
static enum MHD_Result admit_guest(struct web_request *r, enum route route, const char *name)
{
    r->guest.role = RIGHTS_EDITOR;
    if (!r->server->gate)
        return MHD_YES;
    bool known = gate_knows(r->server->gate, r->connection, &r->guest);
    if (!known && !is_open(route, name))
        return refuse(r, MHD_HTTP_UNAUTHORIZED, "Log in first.\n");
    if (known && (route == TO_DO || route == TO_LEAVE) && !gate_token(&r->guest, r->connection))
        return refuse(r, MHD_HTTP_FORBIDDEN, "The request lacks the token of its session.\n");
    return MHD_YES;
}

/* Before the body is read. Refuses, or gives MHD_YES without an answer. */
static enum MHD_Result admit(struct web_request *r, enum route route, const char *name, const char *method)
{
    if (route == TO_NOBODY)
        return not_found(r);
    if (!admission_is_ours(r->connection, r->server->gate ? NULL : r->server->hosts))
        return refuse(r, MHD_HTTP_FORBIDDEN, "Only our own page may ask.\n");
    if (is_post(route) && strcmp(method, MHD_HTTP_METHOD_POST))
        return not_allowed(r, "POST");
    if (!is_post(route) && strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
        return not_allowed(r, "GET, HEAD");
    if (is_post(route) && !admission_says_json(r->connection))
        return refuse(r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "A request is application/json.\n");
    if (is_post(route) && admission_announces(r->connection, MOST_BYTES))
        return refuse(r, MHD_HTTP_CONTENT_TOO_LARGE, "The request is too long.\n");
    clients_heard(&r->server->clients, client_of(r->connection));
    return admit_guest(r, route, name);
}

static struct web_request *begin(struct server *s, struct MHD_Connection *connection)
{
    struct web_request *r = memory_get(sizeof *r);
    r->server = s;
    r->connection = connection;
    s->requests++;
    return r;
}

static enum MHD_Result handle(void *self, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state)
{
    struct server *s = self;
    const char *name = NULL;
    enum route route = route_of(s, url, &name);
    (void)version;
    if (!*state) {
        *state = begin(s, connection);
        return admit(*state, route, name, method);
    }
    struct web_request *r = *state;
    if (*size) {
        if (is_post(route))
            keep(r, data, *size);
        *size = 0;
        return MHD_YES;
    }
    switch (route) {
    case TO_TICKET:   s->ticket[0] = '\0'; return answer_redirect(r);
    case TO_REDIRECT: return answer_redirect(r);
    case TO_DO:       return answer_do(r);
    case TO_WAIT:     return answer_wait(r);
    case TO_PAGE:     return answer_page(r, r->guest.role == RIGHTS_NONE && !*name ? "login.html" : name);
    case TO_SESSION:  return answer_session(r);
    case TO_ENTER:    return answer_enter(r);
    case TO_LEAVE:    return answer_leave(r);
    case TO_NOBODY:   break;
    }
    return not_found(r);
}

/* Names of ours need no %XX: an address stays as it was sent. */
static size_t keep_escapes(void *self, struct MHD_Connection *connection, char *text)
{
    (void)self, (void)connection;
    return strlen(text);
}

static void end(void *self, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    struct server *s = self;
    struct web_request *r = *state;
    (void)connection, (void)code;
    if (!r)
        return;
    leave_list(r);
    s->requests--;
    s->bytes -= r->length;
    free(r->body);
    free(r);
    *state = NULL;
}

static void comes_or_leaves(void *self, struct MHD_Connection *connection, void **client, enum MHD_ConnectionNotificationCode which)
{
    struct server *s = self;
    if (which == MHD_CONNECTION_NOTIFY_CLOSED)
        clients_leave(&s->clients, *client);
    else
        *client = clients_come(&s->clients, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
}

/* ---- the server ---- */

static int make_secret(char secret[SECRET_DIGITS + 1], const struct site *site, struct err *err)
{
    unsigned char bytes[SECRET_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return fail_errno(err, "the system gives no random bytes for the address of %s", site->name);
    for (int i = 0; i < SECRET_BYTES; i++)
        sprintf(secret + 2 * i, "%02x", bytes[i]);
    return 0;
}

static int start(struct server *s, const struct server_settings *settings, struct err *err)
{
    int rc = make_secret(s->secret, s->site, err);
    if (!rc)
        rc = make_secret(s->ticket, s->site, err);
    s->port = settings->port;
    int fd = rc ? rc : listen_open(settings->listen, &s->port, s->site->name, err);
    if (fd < 0)
        return fd;
    snprintf(s->hosts[0], sizeof s->hosts[0], "127.0.0.1:%d", s->port);
    snprintf(s->hosts[1], sizeof s->hosts[1], "localhost:%d", s->port);
    clients_init(&s->clients, clients_room(MOST_CLIENTS));
    s->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, s,
                                 MHD_OPTION_LISTEN_SOCKET, fd,
                                 MHD_OPTION_NOTIFY_COMPLETED, end, s,
                                 MHD_OPTION_NOTIFY_CONNECTION, comes_or_leaves, s,
                                 MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
                                 MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
                                 MHD_OPTION_END);
    if (s->daemon)
        return 0;
    close(fd);
    return fail(err, "the web server of %s does not start%s%s", s->site->name, s->site->without ? "; " : "", s->site->without ? s->site->without : "");
}

/* Every user of this machine can see the arguments of the browser: it gets an address that is good for one time. */
static void announce(struct server *s, bool browser)
{
    char address[SECRET_DIGITS + 64];
    if (s->gate)
        snprintf(address, sizeof address, "http://%.*s:%d/", (int)(strrchr(s->listens, ':') - s->listens), s->listens, s->port);
    else
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", s->port, s->secret);
    printf("%s: %s\nCtrl-C ends it.\n", s->site->title, address);
    fflush(stdout);
    if (s->site->opened)
        s->site->opened(s->site->self, address);
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", s->port, s->ticket);
    s->browser = browser ? browser_open(address) : -1;
    if (browser && s->browser < 0)
        fprintf(stderr, "verisoft: no browser could be opened; the address is above\n");
}

static void hear_browser(struct server *s)
{
    int status = browser_status(s->browser);
    s->browser = -1;
    if (status)
        fprintf(stderr, "verisoft: %s ended with status %d; if there is no page, its address is above\n", browser_program(),
                status);
}

/* Signals are let in only while we sleep, so that none comes between the question and the sleep. */
static void sleep_until_asked(struct server *s, int64_t most, const volatile int *interrupt)
{
    sigset_t signals, before;
    MHD_UNSIGNED_LONG_LONG timeout;
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd fds[] = { { .fd = info->epoll_fd, .events = POLLIN }, { .fd = s->browser, .events = POLLIN } };
    if (most < 0 || most > NAP_MS)
        most = NAP_MS;
    if (MHD_get_timeout(s->daemon, &timeout) == MHD_YES && timeout < (uint64_t)most)
        most = (int64_t)timeout;
    struct timespec time = { most / 1000, most % 1000 * 1000000 };
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    if (!*interrupt)
        ppoll(fds, 2, &time, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (fds[1].revents)
        hear_browser(s);
}

static void serve(struct server *s, const volatile int *interrupt)
{
    while (!*interrupt && !is_over(s)) {
        MHD_run(s->daemon);
        int64_t beside = s->site->tick ? s->site->tick(s->site->self) : -1, due = wake_those_due(s);
        if (!is_over(s))
            sleep_until_asked(s, beside >= 0 && (due < 0 || beside < due) ? beside : due, interrupt);
    }
}

/* Whoever has asked gets the answer. */
static void finish(struct server *s, const volatile int *interrupt)
{
    int64_t until = now_ms() + LAST_MS, left;
    s->ends = true;
    while (s->requests && !*interrupt && (left = until - now_ms()) > 0) {
        while (s->waiting)
            wake(s->waiting);
        MHD_run(s->daemon);
        if (s->requests)
            sleep_until_asked(s, left, interrupt);
    }
    while (s->waiting)
        wake(s->waiting);
    MHD_run(s->daemon);
    MHD_stop_daemon(s->daemon);
}

int server_run(const struct site *site, const struct server_settings *settings, struct err *err)
{
    struct server s = { .site = site, .browser = -1, .listens = settings->listen };
    assert(!settings->listen == !settings->keeper && (!settings->keeper || site->reads));
    int rc = start(&s, settings, err);
    if (rc)
        return rc;
    s.gate = settings->keeper ? gate_new(settings->keeper) : NULL;
    announce(&s, settings->browser && !s.gate);
    if (!settings->browser || s.gate)
        s.ticket[0] = '\0';
    serve(&s, settings->interrupt);
    finish(&s, settings->interrupt);
    gate_free(s.gate);
    if (s.browser >= 0)
        close(s.browser);
    return *settings->interrupt ? -EINTR : 0;
}
