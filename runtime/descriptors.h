/* File descriptors of a sharing group. Pipes, sockets and some other things are not the kernel's there: what they hold is in memory
 * that goes back with snapshots, and reading and writing are visible operations. A table in each UNIX process says what a number
 * stands for; fork copies it with the rest of the memory.
 *
 * Invariant: the table, not the kernel, decides which number is given next. A file that is really open (KERNEL) has the same
 * number in the kernel; what is not there may be open in the kernel all the same, left from before memory was put back.
 * SPDX-License-Identifier: MIT */
#ifndef RT_DESCRIPTORS_H
#define RT_DESCRIPTORS_H

#include "group.h"
#include "rights.h"
#include "session.h"
#include "thread.h"
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

enum rt_kind { RT_NONE, RT_KERNEL, RT_STREAM, RT_MEMORY, RT_MQUEUE, RT_NULL, RT_ZERO, RT_RANDOM, RT_EPOLL };
enum { RT_DESCRIPTORS = 256, RT_FILES = 128, RT_NOWHERE = -1 };
enum { RT_FULL = -ENFILE };          /* the program may have more, but we have no place for it: to be refused */
#define RT_MANY_FILES " (more files than VeriSoft can control: numbers up to 255, 128 pipes, sockets and the like)"

enum rt_counts { RT_COUNTS_NOTHING, RT_COUNTS_ALL, RT_COUNTS_ONE };              /* NOTHING: it is no eventfd */

/* What an open or its like made, and dup and fork share (but after a fork each process has a copy of its own). */
struct rt_file {
    uint8_t  kind, descriptors;      /* how many numbers stand for it */
    uint8_t  socket;                 /* of a stream: 0: a pipe, or SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM */
    bool     nonblocking, listens, shut_reading, shut_writing;
    int8_t   reads, writes;          /* its channels, or RT_NOWHERE */
    int8_t   listener;               /* through which it was connected, or RT_NOWHERE */
    uint8_t  inet;                   /* of a socket: RT_INET_* */
    bool     accepted, broken;       /* of TCP: by accept; what was written was not taken any more; of UDP: what was sent to its peer came to nobody */
    uint16_t port, peer;             /* of TCP and UDP: its own and the other's; 0: none */
    bool     v6, only6;              /* of AF_INET6; IPV6_V6ONLY */
    bool     at_loopback;            /* it has an address of its own, not the wildcard */
    int8_t   server;                 /* of AF_UNIX: 1 + whose name it was connected to, or accepted by; 0: none */
    bool     by_v4;                  /* that address, and its peer's, are of IPv4: of AF_INET6 they are mapped */
    int8_t   timer;                  /* its process, whose expiries it counts (timerfd); 0: it is none */
    uint8_t  options;                /* of a socket: those that are on, a bit each */
    uint8_t  counts;                 /* of eventfd: what a read takes, enum rt_counts */
    int8_t   name;                   /* of a socket: which place in the table of names, or RT_NOWHERE */
    int16_t  capacity;               /* of its channels, as STREAMS_ARG has it */
    int16_t  access;                 /* O_RDONLY, O_WRONLY or O_RDWR */
    int      number;                 /* of a message queue or memory: which one; of a timer: its UNIX process; of epoll: which set */
    off_t    offset;
    struct timespec most_read, most_write;   /* SO_RCVTIMEO, SO_SNDTIMEO: how long it waits at most; 0: for ever */
};

/* Is its channel without bytes: a number, which is read as one? */
static inline bool rt_is_number(const struct rt_file *f) { return f->timer || f->counts; }

/* Of these, where it does wait at all; NULL: for ever, or not. */
static inline const struct timespec *rt_patience(const struct timespec *most, bool nowait)
{
    return !nowait && (most->tv_sec || most->tv_nsec) ? most : NULL;
}

/* The one that a number stands for. NULL: it is the kernel's, or nothing. */
struct rt_file *rt_file_of(int fd);
enum rt_kind rt_kind_of(int fd);
int  rt_new_descriptor(const struct rt_file *, int flags);       /* flags: O_CLOEXEC; the number, -EMFILE, or RT_FULL */
int  rt_lowest_descriptor(int from);                             /* that is not used; -EMFILE: the program may have no more; or RT_FULL */
void rt_leave_files(void);                                       /* this UNIX process is about to end: closes all it has */
void rt_leave_semaphores(uint64_t place);

/* ---- streams of the C library on these numbers (stdio.c) ---- */

FILE *rt_stream_on(int fd, const char *mode);            /* that closes it when it is closed; NULL: no memory */
void  rt_replace_stream(int fd);                         /* of stdin, stdout and stderr: the number is ours now, so one of ours stands for it */
void  rt_restore_stream(int fd);                         /* it is not any more */
bool  rt_flushes(void);                                  /* are there streams with output that would be written at the end? */

/* ---- channels (streams.c) ---- */

struct rt_block;
struct rt_channel {
    struct rt_block *first, *last;
    uint32_t         from, bytes;    /* what is in it, and how much */
    bool             half;           /* who wrote to it said so by shutdown */
    bool             reset, told;    /* who wrote to it closed without having read all that came back; the first call after that failed by it */
};
enum { RT_NAMES = 16, RT_NAME = 108, RT_IDS = 32, RT_NUMBERS = 64, RT_BUCKETS = 64 };

/* length 0: unused. vanishes: a port, or a name without a file, which is there as long as somebody has it: holders, UNIX processes. */
struct rt_name { char path[RT_NAME]; uint8_t length; int8_t listener; bool vanishes; uint64_t holders; };

/* What is known by a key or a name: arrays of semaphores, queues, memory. Each process makes them in places of its own, so that their
 * numbers depend on nothing but its own past. */
enum rt_class { RT_SEMAPHORES, RT_MESSAGES, RT_SEGMENTS, RT_QUEUES, RT_OBJECTS, RT_CLASSES };
enum { RT_SOCKET_NAMES = RT_CLASSES, RT_FILE_NAMES };      /* of these only the order is kept (rt_bucket) */
struct rt_id {
    bool     used, removed;          /* removed: no name leads to it any more */
    bool     gone;                   /* it was removed when ...: who calls now gets EINVAL, who waited EIDRM */
    int32_t  key;
    uint8_t  maker;                  /* process */
    uint16_t nth;                    /* of those that it made */
    uint32_t count, limit;           /* semaphores; size and number of messages */
    uint64_t bytes;                  /* of memory */
    void    *memory;                 /* what it has in it */
    struct rt_rights rights;         /* of what has a name */
    char     name[48];
};

struct rt_file_users { uint64_t looked, changed; };       /* sets of processes; see plain_files.h */

/* Memory that all UNIX processes of the group share. */
struct rt_root {
    struct rt_channel channels[STREAMS_CHANNELS];
    struct rt_block  *spare;
    struct rt_name    names[RT_NAMES];
    struct rt_id      ids[RT_CLASSES][RT_IDS];
    char              buckets[RT_BUCKETS];       /* their addresses stand for keys and names in ACCESS operations */
    struct rt_file_users users[RT_BUCKETS];      /* of plain files whose name falls there */
    uint64_t          changers;                  /* of any of them: a set of processes */
    char              input;                     /* likewise for the order in which standard input is read */
    struct rt_family  families[MAX_PROCESSES];   /* by host; its address stands for the order in which they are looked at and changed */
    char              memory;                    /* its address stands for the order in which shared memory is given out */
};
#define rt_root ((struct rt_root *)rt_shared_tables(sizeof(struct rt_root)))

void   rt_add(struct rt_channel *, const void *, size_t bytes);          /* at the end */
void   rt_take(struct rt_channel *, void *, size_t bytes);               /* from the beginning; NULL: nobody wants them */
void   rt_put_bytes(int channel, const struct iovec *, int count, size_t from, size_t bytes);
size_t rt_get_bytes(int channel, const struct iovec *, int count, size_t bytes, bool peek);
void   rt_put_packet(int channel, const struct iovec *, int count);
size_t rt_get_packet(int channel, const struct iovec *, int count, bool peek);   /* its length, also when there was no room for all */
size_t rt_bytes_in(int channel);                                 /* also of all packets, with what is told with each */
void   rt_empty_channel(int channel);

/* ---- helpers ---- */

/* The number of a new file as the caller sees it, or -1 with errno. */
RT_INLINE int rt_give_descriptor(const struct rt_file *f, int flags, const char *words)
{
    int fd = rt_new_descriptor(f, flags);
    if (fd == RT_FULL)
        RT_REFUSE_SIZE(words);
    return (int)rt_answer(fd);
}

RT_INLINE struct rt_file *rt_socket_of(int fd)           /* NULL with errno */
{
    struct rt_file *f = rt_file_of(fd);
    if (f && f->kind == RT_STREAM && f->socket)
        return f;
    errno = rt_kind_of(fd) == RT_NONE ? EBADF : ENOTSOCK;
    return NULL;
}

RT_INLINE size_t rt_total(const struct iovec *iov, int count)
{
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += iov[i].iov_len;
    return total;
}

RT_INLINE struct rt_call rt_stream_call(uint8_t code, int32_t first, int32_t second, int bits, int capacity, int listener)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_STREAMS, .code = code, .index = -1,
                            .object = (uint64_t)rt_root->channels,
                            .arg = {first, second, bits | STREAMS_ARG(rt_host(), capacity, listener)}};
}

/* "recv(127.0.0.1:8080/tcp", and then `end`; NULL: it is no socket with a name. The words stay in `w`. */
const char *rt_socket_words(struct rt_words *w, const struct rt_file *, const char *function, const char *end);

RT_INLINE struct rt_call rt_access_call(bool writes, const void *object, const char *call)   /* call: as a person reads it */
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_ACCESS, .code = writes ? ACCESS_WRITE : ACCESS_READ, .index = -1,
                            .object = (uint64_t)object, .text = call};
}

/* ---- standard input ----
 *
 * When it is a file, all processes of a group share a place in it, which the kernel keeps: to read is an operation, and the place goes
 * back with snapshots (shared.c). Processes with memory of their own become a group when one of them reads. */

#define RT_NO_INPUT " (of standard input, where nobody is: give it a file by < FILE or --stdin FILE)"
bool rt_has_opened(int fd);          /* is it a file of the kernel that the running process opened itself? */
bool rt_is_input(int fd);            /* is it standard input as it was at the start? */

RT_INLINE struct rt_call rt_input_call(const char *function)
{
    RT_BY_GROUP(struct rt_call, , , DO((struct rt_call){.event = EVENT_GROUP, .text = function}),
                DO(rt_access_call(true, &rt_root->input, function)))
}

/* About to read, or to move the place; place 0: where the call is. False: it must not, because there is nobody. */
RT_INLINE bool rt_before_input(const char *function, uint64_t place)
{
    struct rt_call call = rt_input_call(function);
    call.place = place;
    if (rt->input)
        RT_ENTER(&call);
    return rt->input;
}

void rt_epoll_forget(const struct rt_file *);             /* poll.c: it is closed for good */

int rt_next_channel(void);           /* one that others hardly ask for, so that it does not matter who is first */

void rt_stream_closes(void *stream);                      /* stream_lock.c */

/* A new channel; its number, or -ENFILE. ends: 1 reading, 2 writing. bits: STREAMS_ENDLESS or 0. words: the call, as a person reads it. */
RT_INLINE int rt_open_channel(int ends, int capacity, int listener, int bits, const char *words)
{
    struct rt_call call = rt_stream_call(STREAMS_OPEN, rt_next_channel(), ends, bits, capacity, listener);
    call.text = words;
    int32_t number = (int32_t)RT_ENTER(&call);
    if (number < 0) {
        RT_NO_ROOM("more pipes and sockets than VeriSoft can control");
        return -ENFILE;
    }
    rt_empty_channel(number);
    return number;
}

/* place 0: where the call is. */
RT_INLINE void rt_close_channel(int channel, bool writing, const struct rt_file *f, uint64_t place)
{
    int bits = (writing ? STREAMS_WRITING : 0) | (f->listens ? STREAMS_LISTENING : 0);
    struct rt_call call = rt_stream_call(STREAMS_CLOSE, channel, 0, bits, f->capacity, f->listener);
    struct rt_words words;
    call.text = rt_socket_words(&words, f, "close", NULL);
    call.place = place;
    if (channel != RT_NOWHERE)
        RT_ENTER(&call);
}

/* ---- names (names.c) ---- */

const void *rt_bucket(int class, int32_t key, const char *name);         /* what an ACCESS operation on that key or name is about */
struct rt_id *rt_find_id(int class, int32_t key, const char *name);      /* NULL: none */
struct rt_id *rt_id_of(int class, int number);                           /* by what the program calls it; NULL: no such one */
struct rt_id *rt_new_id(int class, int32_t key, const char *name);       /* NULL: too many */
int rt_number_of(int class, const struct rt_id *);
int rt_unlink_id(struct rt_id *);                                        /* no name leads to it any more; 0 or a negative errno; NULL is fine */
uint64_t rt_object_of(int class, const struct rt_id *);                  /* what the controller knows it by */

/* Names that are longer than a system allows: the program's mistake. */
RT_INLINE bool rt_is_no_name(const char *name)
{
    enum { MOST = 255 };
    return rt_length(name, MOST + 2) > MOST + 1;
}

/* Names that are longer than we have room for: the program's mistake, or our limit. */
RT_INLINE bool rt_too_long(const char *name, const char *words)
{
    if (rt_is_no_name(name))
        return true;
    if (rt_length(name, sizeof((struct rt_id *)0)->name) >= sizeof((struct rt_id *)0)->name)
        RT_REFUSE(words);
    return false;
}

/* What unlinking comes to where there is no object. */
RT_INLINE int rt_unlink_nothing(const char *name) { return (int)rt_answer(rt_is_no_name(name) ? -ENAMETOOLONG : -ENOENT); }

/* As semget and its like: the one with this key, or a new one, for which *made is set; or NULL with errno. */
RT_INLINE struct rt_id *rt_get_id(int class, int32_t key, int flags, bool *made, const char *too_many)
{
    enum { PRIVATE = 0, CREATE = 01000, EXCLUSIVE = 02000 };
    static const char *const calls[] = {[RT_SEMAPHORES] = "semget(key)", [RT_MESSAGES] = "msgget(key)", [RT_SEGMENTS] = "shmget(key)"};
    struct rt_call call = rt_access_call(flags & CREATE, rt_bucket(class, key, NULL), calls[class]);
    *made = false;
    if (key != PRIVATE)
        RT_ENTER(&call);
    struct rt_id *id = key == PRIVATE ? NULL : rt_find_id(class, key, NULL);
    if (id && flags & CREATE && flags & EXCLUSIVE) {
        errno = EEXIST;
        return NULL;
    }
    if (!id && key != PRIVATE && !(flags & CREATE)) {
        errno = ENOENT;
        return NULL;
    }
    if (!id) {
        *made = true;
        id = rt_new_id(class, key, NULL);
        if (!id)
            RT_REFUSE_SIZE(too_many);
    }
    return id;
}

#endif
