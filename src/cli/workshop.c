/* SPDX-License-Identifier: MIT */
#include "cli/workshop.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void watch(void *arg, pid_t group)
{
    scratch_watch(arg, group);
}

static int wait_for(void *arg, pid_t child)
{
    (void)arg;
    return signals_wait(child);
}

static bool stopped(void *arg)
{
    (void)arg;
    return *signals_interrupt();
}

/* Of a process that does nothing else: it has one. */
static struct shop own;

static int another(struct workshop *w, struct err *err)
{
    int failed = shop_open(&own, err);
    *w = own.workshop;
    return failed;
}

static void leave(struct workshop *w)
{
    (void)w;
    shop_close(&own);
}

int shop_open(struct shop *s, struct err *err)
{
    *s = (struct shop){ .scratch.socket = -1 };
    int failed = home_find(&s->home, err);
    if (!failed)
        failed = scratch_open(&s->scratch, err);
    s->workshop = (struct workshop){
        .folder = s->scratch.folder, .parser = s->home.parser[0] ? s->home.parser : NULL, .include = s->home.include,
        .watch = watch, .wait = wait_for, .stopped = stopped, .another = another, .leave = leave, .arg = &s->scratch,
    };
    return failed;
}

void shop_close(struct shop *s)
{
    scratch_close(&s->scratch);
}

int shop_make(int failed, int (*make)(const void *request, struct extraction *, const struct workshop *, struct err *), const void *request,
              struct err *err)
{
    struct extraction x = { 0 };
    struct shop shop = { .scratch.socket = -1 };
    if (!failed)
        failed = shop_open(&shop, err);
    if (!failed)
        failed = make(request, &x, &shop.workshop, err);
    int code = failed ? command_failed(failed, err) : EXIT_COMPLETE;
    extract_fini(&x);
    shop_close(&shop);
    return code;
}

static int put(const void *text, FILE *out)
{
    return fputs(text, out) < 0 || fflush(out) ? -errno : 0;
}

int shop_give(const char *file, const char *what, const char *text, struct err *err)
{
    if (file)
        return file_write(file, what, put, text, err);
    return put(text, stdout) ? fail_errno(err, "standard output cannot be written") : 0;
}

bool shop_is_preprocessors(const char *word)
{
    static const char *const begin[] = { "-D", "-I", "-U", "-std", "-f", "-m" };
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (!strncmp(word, begin[i], strlen(begin[i])))
            return true;
    return false;
}
