/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/clang/preprocess.h"

#include "base/child.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

static const char *preprocessor(void)
{
    const char *set = getenv("CLANG");
    return set && *set ? set : "clang";
}

/* ---- starting ---- */

static int in_memory(const char *text)
{
    int fd = memfd_create("source", MFD_CLOEXEC);
    size_t length = strlen(text);
    for (ssize_t put; fd >= 0 && length; text += put, length -= (size_t)put)
        if ((put = write(fd, text, length)) <= 0) {
            close(fd);
            return -1;
        }
    return fd;
}

int preprocess_add(struct preprocess *p, const char *file, const char *text, struct err *err)
{
    int fd = in_memory(text);
    if (fd < 0)
        return fail_errno(err, "%s: cannot be handed to the preprocessor", file);
    ARRAY_GROW(p->texts, p->count, p->room);
    p->texts[p->count++] = fd;
    return 0;
}

static char *name_of(const struct preprocess *p, int which)
{
    return prose_make("/proc/self/fd/%d", p->texts[which]);
}

/* The driver of clang would start itself again for each of several files; its parser takes them all. That one has its own last. */
static _Noreturn void become(const struct preprocess *p, const char *file, char *const *options)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? prose_make("%.*s", (int)(slash - file) + 1, file) : prose_make(".");
    char *first[] = { (char *)preprocessor(), "-E", "-x", "c", "-std=gnu11", "-DVERIFY", "-iquote", folder };
    int n = sizeof first / sizeof *first, count = 0;
    while (options[count])
        count++;
    char **words = memory_get(((size_t)(n + count) + 2 * (size_t)p->count + 1) * sizeof *words);
    memcpy(words, first, sizeof first);
    for (int i = 0; i < count; i++)
        words[n++] = options[i];
    for (int i = 0; i < p->count; i++) {
        fcntl(p->texts[i], F_SETFD, 0);
        if (i + 1 < p->count)
            words[n++] = "-Xclang";
        words[n++] = name_of(p, i);
    }
    execvp(words[0], words);
    _exit(CANNOT_RUN);
}

int preprocess_start(struct preprocess *p, const char *file, char *const *options, struct err *err)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC))
        return fail_errno(err, "%s: cannot be handed to the preprocessor", file);
    pid_t self = getpid();
    p->pid = fork();
    if (!p->pid) {
        child_dies_with(self);
        dup2(pipes[1], STDOUT_FILENO);
        become(p, file, options);
    }
    close(pipes[1]);
    p->pipe = pipes[0];
    if (p->pid > 0)
        return 0;
    p->pid = 0;
    close(pipes[0]);
    return fail_errno(err, "%s cannot be started", preprocessor());
}

/* ---- reading ---- */

static int wait_for(struct preprocess *p)
{
    int status = 0;
    close(p->pipe);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        ;
    p->pid = 0;
    return status;
}

static bool read_more(struct preprocess *p)
{
    char part[1 << 16];
    ssize_t got;
    while ((got = read(p->pipe, part, sizeof part)) < 0 && errno == EINTR)
        ;
    if (got > 0)
        prose_bytes(&p->read, part, (size_t)got);
    return got > 0;
}

/* Where the text after the next one begins in what was read; NULL: not yet. *from: where to look, moved on. */
static char *begin_of(const struct preprocess *p, const char *mark, size_t *from)
{
    size_t length = strlen(mark);
    char *found = p->read.length > *from ? memmem(p->read.text + *from, p->read.length - *from, mark, length) : NULL;
    *from = p->read.length > length ? p->read.length - length : 0;
    return found;
}

static char *cut(struct preprocess *p, size_t length)
{
    struct prose rest = { 0 };
    prose_bytes(&rest, p->read.text + length, p->read.length - length);
    p->read.text[length] = '\0';
    char *text = prose_take(&p->read);
    p->read = rest;
    return text;
}

static char *how_it_ended(int status, struct err *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_RUN)
        fail(err, "%s: no such program; install clang (apt-get install clang), or set CLANG to yours", preprocessor());
    else if (WIFSIGNALED(status))
        fail(err, "the preprocessor (%s -E) was ended by a signal: %s", preprocessor(), strsignal(WTERMSIG(status)));
    else
        fail(err, "the preprocessor failed, for the reason above");
    return NULL;
}

static char *last(struct preprocess *p, const char *file, struct err *err)
{
    int status = wait_for(p);
    if (status)
        return how_it_ended(status, err);
    if (p->next == p->count)
        return prose_take(&p->read);
    fail(err, "%s: %s -E wrote nothing of it; set CLANG to a clang of version 14 or later", file, preprocessor());
    return NULL;
}

char *preprocess_next(struct preprocess *p, const char *file, struct err *err)
{
    assert(p->pid > 0 && p->next < p->count);
    p->next++;
    char *name = p->next < p->count ? name_of(p, p->next) : NULL, *mark = name ? prose_make("# 1 \"%s\"\n", name) : NULL, *there = NULL;
    size_t from = 0;
    while (!(mark && (there = begin_of(p, mark, &from))) && read_more(p))
        ;
    free(name);
    free(mark);
    return there ? cut(p, (size_t)(there - p->read.text)) : last(p, file, err);
}

void preprocess_fini(struct preprocess *p)
{
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        wait_for(p);
    }
    for (int i = 0; i < p->count; i++)
        close(p->texts[i]);
    free(p->texts);
    prose_fini(&p->read);
    *p = (struct preprocess){ 0 };
}
