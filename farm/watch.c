/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/watch.h"

#include "base/memory.h"
#include "base/prose.h"
#include "farm/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static const double QUIET = 0.3;     /* seconds without a change, before it is looked at */

struct daemon { int fd; double changed; struct mail_settings mail; char *said; };      /* changed: when, last; 0: since then it was looked at */

static int add_folder(struct daemon *w, const char *of, const char *file, struct err *err)
{
    const char *end = strrchr(of, '/');
    char *path = *file == '/' || !end ? memory_text(file) : prose_make("%.*s%s", (int)(end - of) + 1, of, file), *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = '\0';
    const char *folder = slash ? path : ".";
    int bad = inotify_add_watch(w->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR) < 0
            && errno != ENOENT                   /* headers may be looked for where there is nothing */
            ? fail_errno(err, "%s: the folder cannot be watched", folder) : 0;
    free(path);
    return bad;
}

static int add_sources(struct daemon *w, const struct farm *f, struct err *err)
{
    json_t *source;
    size_t i;
    int bad = add_folder(w, f->file, f->file[0] == '/' || !strrchr(f->file, '/') ? f->file : strrchr(f->file, '/') + 1, err);
    json_array_foreach(json_object_get(f->about, "watched"), i, source)
        if (!bad)
            bad = add_folder(w, f->file, json_string_value(source), err);
    return bad;
}

struct daemon *watch_new(struct farm *f, const struct mail_settings *mail, struct err *err)
{
    struct daemon *w = memory_get(sizeof *w);
    *w = (struct daemon){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .mail = *mail };
    int bad = w->fd < 0 ? fail_errno(err, "nothing can be watched") : add_sources(w, f, err);
    if (!bad)
        return w;
    watch_free(w);
    return NULL;
}

void watch_free(struct daemon *w)
{
    if (!w)
        return;
    if (w->fd >= 0)
        close(w->fd);
    free(w->said);
    free(w);
}

/* The database itself lies in such a folder, and changes all the time. */
static bool is_ours(const struct farm *f, const char *name)
{
    const char *slash = strrchr(f->database, '/'), *own = slash ? slash + 1 : f->database;
    return !strncmp(name, own, strlen(own));
}

static void read_changes(struct daemon *w, const struct farm *f)
{
    _Alignas(struct inotify_event) char bytes[4096];
    for (ssize_t got; (got = read(w->fd, bytes, sizeof bytes)) > 0;)
        for (char *at = bytes; at < bytes + got;) {
            const struct inotify_event *e = (const void *)at;
            if (!e->len || !is_ours(f, e->name))
                w->changed = farm_now();
            at += sizeof *e + e->len;
        }
}

/* Once for each reason, until there is another. */
static void say(struct daemon *w, const char *what)
{
    if (w->said && !strcmp(w->said, what))
        return;
    free(w->said);
    w->said = memory_text(what);
    if (*what)
        fprintf(stderr, "verisoft: %s\n", what);
}

static void look(struct daemon *w, struct farm *f)
{
    struct err err;
    bool changed;
    int started = 0, bad = farm_look(f, &changed, &err);
    if (!bad && changed)
        bad = queue_start_all(f, QUEUE_AS_A_WHOLE, &started, &err) ?: add_sources(w, f, &err);
    say(w, bad && bad != -EINTR ? err.text : "");
    if (started)
        printf("the source has changed: %d %s verified again\n", started, started == 1 ? "property is" : "properties are"), fflush(stdout);
}

void watch_step(struct daemon *w, struct farm *f, bool *looked)
{
    read_changes(w, f);
    *looked = w->changed && farm_now() - w->changed > QUIET;
    if (*looked) {
        w->changed = 0;
        look(w, f);
    }
    struct err err;
    if (w->mail.command && mail_step(f, &w->mail, &err))
        say(w, err.text);
}
