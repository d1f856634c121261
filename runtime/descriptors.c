/* The numbers of files: open, dup, close and their like (descriptors.h has the idea).
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "inet.h"
#include "insides.h"
#include "plain_files.h"
#include "sys.h"
#include "timers.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

struct descriptor { uint8_t kind, file; bool close_on_exec; uint8_t opener; };   /* opener: 1 + process, of a file of the kernel; 0: nobody knows */

static struct descriptor table[RT_DESCRIPTORS] = {{.kind = RT_KERNEL}, {.kind = RT_KERNEL}, {.kind = RT_KERNEL}};
static struct rt_file files[RT_FILES];
static int  table_end = 3, files_end;        /* those from here on were never used */
static bool real_files;              /* the kernel has more open than standard input, output and error */

/* ---- the table ---- */

enum rt_kind rt_kind_of(int fd)
{
    return fd < 0 || fd >= RT_DESCRIPTORS ? RT_NONE : (enum rt_kind)table[fd].kind;
}

bool rt_has_opened(int fd) { return rt_kind_of(fd) == RT_KERNEL && table[fd].opener == 1 + rt_self(); }

struct rt_file *rt_file_of(int fd)
{
    return rt_kind_of(fd) > RT_KERNEL ? &files[table[fd].file] : NULL;
}

bool rt_is_input(int fd)
{
    if (fd != 0 || !rt || rt_kind_of(0) != RT_KERNEL)
        return false;
    struct rt_standard now = rt_look_at(0);
    return !memcmp(&now, &rt->standard[0], sizeof now);
}

static bool open_in_kernel(int fd) { return RT_SYS(SYS_fcntl, fd, F_GETFD) >= 0; }

static bool is_unused(int fd)
{
    if (table[fd].kind > RT_KERNEL)
        return false;
    if (fd > 2 && real_files)
        return !open_in_kernel(fd);
    return table[fd].kind == RT_NONE;
}

/* The first number that the program may not have. */
static uint64_t most_files(void)
{
    struct rlimit limit = {RLIM_INFINITY, 0};
    RT_SYS(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
    return limit.rlim_cur;
}

int rt_lowest_descriptor(int from)
{
    int fd = from < 0 ? 0 : from;
    while (fd < RT_DESCRIPTORS && !is_unused(fd))
        fd++;
    return (uint64_t)fd >= most_files() ? -EMFILE : fd < RT_DESCRIPTORS ? fd : RT_FULL;
}

static void set(int fd, int kind, int file, int flags)
{
    table_end = fd < table_end ? table_end : fd + 1;
    table[fd] = (struct descriptor){.kind = (uint8_t)kind, .file = (uint8_t)file, .close_on_exec = flags & O_CLOEXEC};
}

int rt_new_descriptor(const struct rt_file *new, int flags)
{
    int fd = rt_lowest_descriptor(0), file = 0;
    while (file < RT_FILES && files[file].kind)
        file++;
    if (fd < 0 || file == RT_FILES)
        return fd < 0 ? fd : RT_FULL;
    files_end = file < files_end ? files_end : file + 1;
    files[file] = *new;
    files[file].descriptors = 1;
    set(fd, new->kind, file, flags);
    return fd;
}

/* A number that the kernel gave becomes the one that the table gives. Its place in the file is the kernel's. The words are for
 * one that there is no room for. */
RT_INLINE long adopt(long fd, int flags, const char *words)
{
    if (fd == -1)
        return -errno;               /* of the C library */
    if (fd < 0)
        return fd;
    rt_kernel_keeps_state("open");
    int number = 0;
    while (number < RT_DESCRIPTORS && number != fd && !is_unused(number))
        number++;
    if (number == fd && rt_kind_of(number) > RT_KERNEL)
        number = rt_lowest_descriptor(0);
    real_files = true;
    if (number < 0 || number == RT_DESCRIPTORS) {
        RT_SYS(SYS_close, fd);
        if (number != -EMFILE)
            RT_REFUSE_SIZE(words);
        return -EMFILE;
    }
    if (number != fd) {
        RT_SYS(SYS_dup3, fd, number, flags & O_CLOEXEC);
        RT_SYS(SYS_close, fd);
    }
    set(number, RT_KERNEL, 0, flags);
    table[number].opener = (uint8_t)(1 + rt_self());
    return number;
}

/* ---- closing ---- */

/* Of the UNIX process that made it. At the end of that there is no need. */
RT_INLINE void end_timer(const struct rt_file *f)
{
    struct rt_timer *t = f->timer && f->number == rt_host() ? rt_timer_of(f->timer) : NULL;
    if (!t)
        return;
    rt_timer_set(t, 0, 0, "close", true);
    rt_close_channel(f->reads, true, f, 0);
}

/* Who closes a connection without having read all makes the other one see a reset, where it would see the end. It reads no more, and can still be
 * read from. */
static void note_unread(const struct rt_file *f)
{
    if (f->socket && f->socket != SOCK_DGRAM && !f->listens && f->reads != RT_NOWHERE && f->writes != RT_NOWHERE && rt_bytes_in(f->reads))
        rt_root->channels[f->writes].reset = true;
}

/* The file is closed when its last number is: only then others can see it. */
RT_INLINE void release(int fd)
{
    struct rt_file *f = rt_file_of(fd), before;
    if (!f) {
        table[fd].kind = RT_NONE;
        return;
    }
    before = *f;
    if (before.kind == RT_STREAM && before.descriptors == 1) {
        end_timer(&before);
        rt_close_channel(before.reads, false, &before, 0);
        note_unread(&before);
        rt_close_channel(before.writes, true, &before, 0);
        rt_close_name(&before, 0);
    }
    if (rt_file_of(fd) != f)
        return;                      /* another thread closed it meanwhile */
    table[fd].kind = RT_NONE;
    if (--f->descriptors == 0) {
        rt_epoll_forget(f);
        memset(f, 0, sizeof *f);
    }
}

/* The kernel keeps standard files open: what memory is put back to may have them. */
static long close_real(int fd)
{
    if (fd <= 2 && fd >= 0) {
        bool was = table[fd].kind == RT_KERNEL;
        table[fd].kind = RT_NONE;
        return was ? 0 : -EBADF;
    }
    if (rt_kind_of(fd) == RT_NONE && !real_files)
        return -EBADF;
    if (fd >= 0 && fd < RT_DESCRIPTORS)
        table[fd].kind = RT_NONE;
    return RT_SYS(SYS_close, fd);
}

RT_INLINE int close_here(int fd)
{
    rt_cancel_point("close", 0);
    if (!rt_file_of(fd))
        return (int)rt_answer(close_real(fd));
    release(fd);
    rt_restore_stream(fd);
    return 0;
}

RT_FUNCTION(int, close, (int fd), (fd), LIBC, KERNEL(SYS_close, fd), DO(close_here(fd)))

RT_INLINE int close_all(unsigned first, unsigned last, int flags)
{
    if (flags & ~CLOSE_RANGE_CLOEXEC)
        RT_REFUSE("close_range (with such flags)");
    for (int fd = 0; fd < RT_DESCRIPTORS; fd++)
        if ((unsigned)fd >= first && (unsigned)fd <= last && rt_kind_of(fd) != RT_NONE) {
            if (flags & CLOSE_RANGE_CLOEXEC)
                table[fd].close_on_exec = true;
            else if (rt_file_of(fd))
                release(fd);
            else
                close_real(fd);
        }
    return 0;
}

RT_GROUPED(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags),
    KERNEL(SYS_close_range, first, last, flags), DO(close_all(first, last, flags)))

RT_API void closefrom(int lowest)
{
    close_range((unsigned)(lowest < 0 ? 0 : lowest), ~0u, 0);
}

/* As the kernel does it, in the order of the numbers. No other thread is there any more. */
void rt_leave_files(void)
{
    const uint64_t *outer = *(uint64_t **)__builtin_frame_address(0);
    uint64_t place = rt_thread.end_place ? rt_thread.end_place : outer[1];         /* of _exit */
    uint8_t left[RT_FILES];
    for (int i = 0; i < files_end; i++)
        left[i] = files[i].descriptors;
    for (int fd = 0; fd < table_end; fd++) {
        const struct rt_file *f = rt_file_of(fd);
        if (!f || f->kind != RT_STREAM || --left[f - files])
            continue;
        struct rt_file closed = *f;
        rt_close_channel(closed.reads, false, &closed, place);
        note_unread(&closed);
        rt_close_channel(closed.writes, true, &closed, place);
        rt_close_name(&closed, place);
    }
    rt_leave_semaphores(place);
}

/* ---- copies ---- */

/* Does a copy at this number leave another file there than the one that memory is put back to? */
static bool replaces(int fd, int to)
{
    struct rt_standard one = rt_look_at(fd), other = rt_look_at(to);
    return to <= 2 && (memcmp(&one, &other, sizeof one) || RT_SYS(SYS_fcntl, fd, F_GETFL) != RT_SYS(SYS_fcntl, to, F_GETFL));
}

static long copy_to(int fd, int to, int flags)
{
    struct rt_file *f = rt_file_of(fd);
    if (f) {
        f->descriptors++;
        set(to, f->kind, table[fd].file, flags);
        rt_replace_stream(to);
        return to;
    }
    if (replaces(fd, to) || (rt->input && (fd == 0 || to == 0)))
        rt_kernel_keeps_state("dup");
    long result = RT_SYS(SYS_dup3, fd, to, flags & O_CLOEXEC);
    if (result >= 0) {
        set(to, RT_KERNEL, 0, flags);
        rt_restore_stream(to);
    }
    return result;
}

static long copy_from(int fd, int from, int flags)       /* to the lowest number that is not below `from` */
{
    if (rt_kind_of(fd) == RT_NONE && (!real_files || !open_in_kernel(fd)))
        return -EBADF;
    int to = rt_lowest_descriptor(from);
    return to < 0 ? to : copy_to(fd, to, flags);
}

RT_INLINE int copied(long result, const char *words)
{
    if (result == RT_FULL)
        RT_REFUSE_SIZE(words);
    return (int)rt_answer(result);
}

RT_GROUPED(int, dup, (int fd), (fd), KERNEL(SYS_dup, fd), DO(copied(copy_from(fd, 0, 0), "dup" RT_MANY_FILES)))

RT_INLINE int copy_over(int fd, int to, int flags, const char *words)
{
    if (rt_kind_of(fd) == RT_NONE || to < 0 || (uint64_t)to >= most_files())
        return (int)rt_answer(-EBADF);
    if (fd == to)
        return to;
    if (to >= RT_DESCRIPTORS)
        RT_REFUSE_SIZE(words);
    if (rt_file_of(to))
        release(to);
    return (int)rt_answer(copy_to(fd, to, flags));
}

RT_GROUPED(int, dup2, (int fd, int to), (fd, to), KERNEL(SYS_dup2, fd, to), DO(copy_over(fd, to, 0, "dup2" RT_MANY_FILES)))

RT_INLINE int copy_to_other(int fd, int to, int flags)
{
    return fd == to ? (int)rt_answer(-EINVAL) : copy_over(fd, to, flags, "dup3" RT_MANY_FILES);
}

RT_GROUPED(int, dup3, (int fd, int to, int flags), (fd, to, flags),
    KERNEL(SYS_dup3, fd, to, flags), DO(copy_to_other(fd, to, flags)))

/* ---- opening ---- */

static const struct { const char *name; uint8_t kind; } devices[] = {
    {"/dev/null", RT_NULL}, {"/dev/zero", RT_ZERO}, {"/dev/urandom", RT_RANDOM}, {"/dev/random", RT_RANDOM},
};

static int device(const char *name)
{
    for (unsigned i = 0; name && i < sizeof devices / sizeof *devices; i++)
        if (!strcmp(name, devices[i].name))
            return devices[i].kind;
    return RT_NONE;
}

static bool may_block(long fd)
{
    struct stat about;
    return RT_SYS(SYS_fstat, fd, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode) && !S_ISBLK(about.st_mode);
}

/* Opened without waiting; what could make one wait later is refused. */
RT_INLINE int open_here(int folder, const char *name, int flags, mode_t mode)
{
    rt_cancel_point("open", 0);
    if (device(name)) {
        struct rt_file f = {.kind = (uint8_t)device(name), .access = flags & O_ACCMODE, .reads = RT_NOWHERE, .writes = RT_NOWHERE,
                            .listener = RT_NOWHERE, .name = RT_NOWHERE};
        return rt_give_descriptor(&f, flags, "open" RT_MANY_FILES);
    }
    rt_before_named("open", name, flags & (O_CREAT | O_TRUNC) ? RT_CHANGES | (flags & O_EXCL ? RT_LOOKS : 0) : RT_LOOKS, 0);
    long fd = RT_SYS(SYS_openat, folder, name, flags | O_NONBLOCK, mode);
    if (fd >= 0 && may_block(fd)) {
        RT_SYS(SYS_close, fd);
        RT_REFUSE("open (of something that is no plain file)");
    }
    return (int)rt_answer(fd < 0 ? fd : adopt(fd, flags, "open" RT_MANY_FILES));
}

static bool has_mode(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }
static mode_t mode_in(int flags, va_list rest) { return has_mode(flags) ? va_arg(rest, mode_t) : 0; }

#define OPEN(name) \
    RT_API int name(const char *file, int flags, ...) \
    { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_in(flags, rest); \
        va_end(rest); \
        RT_BY_MODE(int, name, (file, flags, mode), LIBC, KERNEL(SYS_openat, AT_FDCWD, file, flags, mode), \
                   DO(open_here(AT_FDCWD, file, flags, mode))) \
    }
#define OPENAT(name) \
    RT_API int name(int folder, const char *file, int flags, ...) \
    { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_in(flags, rest); \
        va_end(rest); \
        RT_BY_MODE(int, name, (folder, file, flags, mode), LIBC, KERNEL(SYS_openat, folder, file, flags, mode), \
                   DO(open_here(folder, file, flags, mode))) \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* Twins without a mode: a file that would be made needs one. */
#define OPEN_TWIN(name, parameters, arguments, folder) \
    RT_CHECKED_GROUPED(int, name, parameters, arguments, !has_mode(flags), \
        KERNEL(SYS_openat, folder, file, flags, 0), DO(open_here(folder, file, flags, 0)))
OPEN_TWIN(__open_2, (const char *file, int flags), (file, flags), AT_FDCWD)
OPEN_TWIN(__open64_2, (const char *file, int flags), (file, flags), AT_FDCWD)
OPEN_TWIN(__openat_2, (int folder, const char *file, int flags), (folder, file, flags), folder)
OPEN_TWIN(__openat64_2, (int folder, const char *file, int flags), (folder, file, flags), folder)

#define CREAT(name) \
    RT_GROUPED(int, name, (const char *file, mode_t mode), (file, mode), \
        KERNEL(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, mode), \
        DO(open_here(AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, mode)))
CREAT(creat)
CREAT(creat64)

/* The number that the C library was given becomes ours. */
RT_INLINE FILE *adopt_stream(FILE *f, const char *words)
{
    if (!f || *rt_stream_number(f) < 0)
        return f;
    long fd = adopt(*rt_stream_number(f), 0, words);
    *rt_stream_number(f) = (int)fd;
    if (fd >= 0)
        return f;
    RT_NEXT(fclose)(f);
    errno = (int)-fd;
    return NULL;
}

RT_INLINE FILE *open_device(const char *name, const char *mode)
{
    int fd = open_here(AT_FDCWD, name, strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY, 0);
    return fd < 0 ? NULL : rt_stream_on(fd, mode);
}

/* The C library closes a copy, so that the number is open when memory is put back; a number that the program has closed is none. */
static int close_standard(FILE *f)
{
    int fd = *rt_stream_number(f);
    bool was = table[fd].kind == RT_KERNEL;
    int copy = was ? (int)RT_SYS(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RT_DESCRIPTORS) : -1;
    if ((was && copy < 0) || (fd == 0 && rt->input))     /* of a file that is read the kernel keeps the place */
        rt_kernel_keeps_state("fclose");
    if (!was || copy >= 0)
        *rt_stream_number(f) = copy;
    table[fd].kind = RT_NONE;
    int result = RT_NEXT(fclose)(f);
    if (!was)
        errno = EBADF;               /* it believes that it was closed as a stream, and says nothing */
    return result;
}

RT_INLINE int group_fclose(FILE *f)
{
    if (f)
        rt_stream_closes(f);
    int fd = f ? *rt_stream_number(f) : -1;
    bool standard_file = fd >= 0 && fd <= 2 && !rt_file_of(fd);
    if (f && __fwriting(f))
        rt_before_file("fclose", fd, RT_CHANGES, 0);
    return standard_file ? close_standard(f) : RT_NEXT(fclose)(f);
}

#define OPEN_STREAM(name, file, mode) \
    (rt_before_named(#name, file, *mode == 'r' ? RT_LOOKS : RT_CHANGES, 0), adopt_stream(RT_NEXT(name)(file, mode), #name RT_MANY_FILES))
#define FOPEN(name) \
    RT_GROUPED(FILE *, name, (const char *restrict file, const char *restrict mode), (file, mode), \
        NEXT, DO(device(file) ? open_device(file, mode) : OPEN_STREAM(name, file, mode)))
FOPEN(fopen)
FOPEN(fopen64)
RT_GROUPED(FILE *, tmpfile, (void), (), NEXT, DO(adopt_stream(RT_NEXT(tmpfile)(), "tmpfile" RT_MANY_FILES)))
RT_GROUPED(FILE *, tmpfile64, (void), (), NEXT, DO(adopt_stream(RT_NEXT(tmpfile64)(), "tmpfile64" RT_MANY_FILES)))
RT_GROUPED(FILE *, freopen, (const char *restrict file, const char *restrict mode, FILE *restrict f), (file, mode, f),
    NEXT, DO(rt_kernel_keeps_state("freopen"), RT_NEXT(freopen)(file, mode, f)))
RT_GROUPED(int, fclose, (FILE *f), (f), NEXT, DO(group_fclose(f)))

RT_INLINE int group_fflush(FILE *f)
{
    if (f && __fwriting(f))
        rt_before_file("fflush", *rt_stream_number(f), RT_CHANGES, 0);
    return RT_NEXT(fflush)(f);
}

RT_GROUPED(int, fflush, (FILE *f), (f), NEXT, DO(group_fflush(f)))

/* ---- questions about a number ---- */

static long control_ours(struct rt_file *f, int fd, int command, long argument)
{
    switch (command) {
    case F_GETFD:         return table[fd].close_on_exec ? FD_CLOEXEC : 0;
    case F_SETFD:         table[fd].close_on_exec = argument & FD_CLOEXEC; return 0;
    case F_GETFL:         return f->access | (f->nonblocking ? O_NONBLOCK : 0);
    case F_SETFL:         f->nonblocking = argument & O_NONBLOCK; return 0;
    case F_GETPIPE_SZ:    return f->kind == RT_STREAM && !f->socket ? STREAMS_MOST : -EBADF;
    default:              return -EINVAL;
    }
}

static bool refused_control(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW || command == F_SETLK || command == F_OFD_SETLK || command == F_SETLEASE
        || command == F_SETOWN || command == F_SETSIG || command == F_NOTIFY || command == F_SETPIPE_SZ;
}

RT_INLINE int control_alone(int fd, int command, long argument)
{
    if (refused_control(command))
        RT_REFUSE(command == F_SETPIPE_SZ ? "fcntl (F_SETPIPE_SZ)" : "fcntl (of a lock, a lease or a signal)");
    return (int)rt_answer(RT_SYS(SYS_fcntl, fd, command, argument));
}

RT_INLINE int copy_above(int fd, long from, int flags)
{
    if (from < 0 || (uint64_t)from >= most_files())
        return (int)rt_answer(-EINVAL);
    return copied(copy_from(fd, (int)from, flags), "fcntl" RT_MANY_FILES);
}

RT_INLINE int control_in_group(int fd, int command, long argument)
{
    if (refused_control(command))
        return control_alone(fd, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return copy_above(fd, argument, command == F_DUPFD ? 0 : O_CLOEXEC);
    if (rt_file_of(fd))
        return (int)rt_answer(control_ours(rt_file_of(fd), fd, command, argument));
    if (fd <= 2 && rt_kind_of(fd) == RT_NONE)
        return (int)rt_answer(-EBADF);
    return control_alone(fd, command, argument);
}

#define FCNTL(name) \
    RT_API int name(int fd, int command, ...) \
    { \
        va_list rest; \
        va_start(rest, command); \
        long argument = va_arg(rest, long); \
        va_end(rest); \
        RT_BY_MODE(int, name, (fd, command, argument), \
                   LIBC, DO(control_alone(fd, command, argument)), DO(control_in_group(fd, command, argument))) \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* All of them, or those of the first packet. */
static int next_bytes(const struct rt_file *f)
{
    if (f->socket != SOCK_SEQPACKET && f->socket != SOCK_DGRAM)
        return (int)rt_bytes_in(f->reads);
    return (int)(rt_get_packet(f->reads, NULL, 0, true) - (f->inet ? sizeof(struct rt_sender) : 0));
}

/* How many bytes can be read is something others change, so to ask is to read nothing. */
RT_INLINE long ask(struct rt_file *f, unsigned long command, void *argument)
{
    if (command == FIONBIO) {
        f->nonblocking = *(int *)argument;
        return 0;
    }
    bool unbound = f->inet == RT_INET_UDP && f->reads == RT_NOWHERE;
    if (command != FIONREAD || f->kind != RT_STREAM || (f->reads == RT_NOWHERE && !unbound))
        return -ENOTTY;
    *(int *)argument = 0;
    if (unbound)
        return 0;
    struct rt_call call = rt_stream_call(STREAMS_READ, f->reads, STREAMS_MOST, STREAMS_PEEK | ARG_NOWAIT, f->capacity, f->listener);
    struct rt_words words;
    call.text = rt_socket_words(&words, f, "ioctl", NULL);
    struct rt_file copy = *f;
    if ((int32_t)RT_ENTER(&call) > 0)
        *(int *)argument = next_bytes(&copy);
    return 0;
}

RT_API int ioctl(int fd, unsigned long command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    RT_BY_GROUP(int, ioctl, (), KERNEL(SYS_ioctl, fd, command, argument),
                DO(rt_answer(rt_file_of(fd) ? ask(rt_file_of(fd), command, argument) : RT_SYS(SYS_ioctl, fd, command, argument))))
}

static long terminal(int fd)         /* without a group no file is ours */
{
    struct termios about;
    return rt_answer(rt_file_of(fd) ? -ENOTTY : RT_SYS(SYS_ioctl, fd, TCGETS, &about));
}

RT_API int isatty(int fd) { return terminal(fd) == 0; }

#define LSEEK(name, type) \
    RT_API type name(int fd, type offset, int whence) \
    { \
        const struct rt_file *f = rt_file_of(fd); \
        if (f && f->kind == RT_STREAM) \
            return rt_answer(-ESPIPE); \
        if (!f && rt_is_input(fd)) \
            rt_before_input(#name, 0); \
        rt_before_moving(#name, fd, RT_LOOKS, 0); \
        return f ? 0 : rt_answer(RT_SYS(SYS_lseek, fd, offset, whence)); \
    }
LSEEK(lseek, off_t)
LSEEK(lseek64, __off64_t)
