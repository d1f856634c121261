/* Streams of the C library (FILE) on numbers that are ours: they read and write through us, as if it were the kernel.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "insides.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

static ssize_t read_stream(void *fd, char *buffer, size_t bytes) { return read((int)(long)fd, buffer, bytes); }

static ssize_t write_stream(void *fd, const char *buffer, size_t bytes)
{
    ssize_t done = write((int)(long)fd, buffer, bytes);
    return done < 0 ? 0 : done;
}

static FILE *streams[RT_DESCRIPTORS];        /* that we made; NULL: none */
static int   streams_end;            /* those from here on were never made */

static int keep_open(void *fd)
{
    streams[(long)fd] = NULL;
    return 0;
}

static int close_stream(void *fd)
{
    keep_open(fd);
    return close((int)(long)fd);
}

/* It has no lock: a thread that waits in it must not keep the others out. */
static FILE *stream_on(int fd, const char *mode, cookie_close_function_t *end)
{
    FILE *f = fopencookie((void *)(long)fd, mode, (cookie_io_functions_t){read_stream, write_stream, NULL, end});
    if (!f)
        return NULL;
    __fsetlocking(f, FSETLOCKING_BYCALLER);
    *rt_stream_number(f) = fd;
    streams_end = fd < streams_end ? streams_end : fd + 1;
    return streams[fd] = f;
}

FILE *rt_stream_on(int fd, const char *mode) { return stream_on(fd, mode, close_stream); }

bool rt_flushes(void)
{
    for (int fd = 0; fd < streams_end; fd++)
        if (streams[fd] && __fwriting(streams[fd]))
            return true;
    return false;
}

/* The C library would do this later than the process ends for us. */
static void flush_streams(int status, void *unused)
{
    (void)status, (void)unused;
    for (int fd = 0; fd < streams_end; fd++)
        if (streams[fd] && __fwriting(streams[fd]))
            RT_NEXT(fflush)(streams[fd]);
}

/* After that of the process, so that it is called before. */
void rt_stdio_begin(void)
{
    RT_NEXT(on_exit)(flush_streams, NULL);
}

static FILE *standard[3];            /* those of the start, while others stand for them */

static FILE **standard_at(int fd) { return fd == 0 ? &stdin : fd == 1 ? &stdout : &stderr; }

void rt_replace_stream(int fd)
{
    if (fd > 2 || standard[fd])
        return;
    FILE **at = standard_at(fd), *new = stream_on(fd, fd == 0 ? "r" : "w", keep_open);
    if (!new)
        return;
    if (fd > 0)
        RT_NEXT(fflush)(*at);
    if (fd == 2)
        setvbuf(new, NULL, _IONBF, 0);
    standard[fd] = *at;
    *at = new;
}

void rt_restore_stream(int fd)
{
    if (fd > 2 || !standard[fd])
        return;
    *standard_at(fd) = standard[fd];
    standard[fd] = NULL;
}

RT_GROUPED(FILE *, fdopen, (int fd, const char *mode), (fd, mode),
    NEXT, DO(rt_file_of(fd) ? rt_stream_on(fd, mode) : RT_NEXT(fdopen)(fd, mode)))
