/* expect: complete.
 * expect -DHANDOVER: complete.  optimal: 1 executions.
 * expect -DTWICE: assertion in process 1.
 * expect -DEACH: complete.
 * expect -DNOBODY: deadlock.
 * expect -DFORKED: complete.
 * expect -DMANY: complete.
 * expect -DLARGE: unsupported in process 1.  message: "write() (to an eventfd that comes to more than 65535)".
 *
 * Counters that are read and written like files: what they hold, who waits, and what is ready. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter, data;
static eventfd_t value;

static uint64_t taken(int fd)
{
    uint64_t n = 0;
    assert(read(fd, &n, sizeof n) == sizeof n);                 /* ERROR */
    return n;
}

static void add(int fd, uint64_t n) { assert(write(fd, &n, sizeof n) == sizeof n); }        /* ERROR */

static short ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT};
    assert(poll(&p, 1, 0) >= 0);
    return p.revents;
}

static void what_it_holds(void)
{
    int all = eventfd(3, EFD_NONBLOCK | EFD_CLOEXEC), one = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE), copy = dup(all);
    char small[7];
    assert(taken(all) == 3 && read(all, &value, sizeof value) == -1 && errno == EAGAIN && ready(all) == POLLOUT);
    add(all, 2);
    add(copy, 0);
    add(copy, 5);
    assert(ready(all) == (POLLIN | POLLOUT) && ready(copy) == (POLLIN | POLLOUT));
    assert(read(all, small, sizeof small) == -1 && errno == EINVAL);
    assert(write(all, small, sizeof small) == -1 && errno == EINVAL);
    value = UINT64_MAX;
    assert(write(all, &value, sizeof value) == -1 && errno == EINVAL);
    close(all);
    assert(taken(copy) == 7);
    assert(taken(one) == 1 && taken(one) == 1 && read(one, &value, sizeof value) == -1 && errno == EAGAIN);
    assert(eventfd_write(one, 9) == 0 && eventfd_read(one, &value) == 0 && value == 1);
    assert(eventfd(0, 1 << 20) == -1 && errno == EINVAL);
}

static void what_is_waited_for(void)
{
    int set = epoll_create1(0), fd = eventfd(0, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7}, got;
    fd_set reads;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0 && epoll_wait(set, &got, 1, 0) == 0);
    add(fd, 1);
    assert(epoll_wait(set, &got, 1, -1) == 1 && got.data.u32 == 7 && got.events == EPOLLIN);
    FD_ZERO(&reads);
    FD_SET(fd, &reads);
    assert(select(fd + 1, &reads, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &reads));
    assert(taken(fd) == 1 && epoll_wait(set, &got, 1, 0) == 0);
}

/* So many that of each only one bit is told: what is ready can be read, and does not hang up. */
static void what_many_say(void)
{
    enum { SO_MANY = 20 };
    struct pollfd all[SO_MANY];
    for (int i = 0; i < SO_MANY; i++)
        all[i] = (struct pollfd){.fd = eventfd(i == 4, 0), .events = POLLIN};
    assert(poll(all, SO_MANY, -1) == 1 && all[4].revents == POLLIN);
}

static void *give(void *where)
{
    if (where)
        *(int *)where = 42;
    add(counter, 1);
    return NULL;
}

static void with_threads(int threads)
{
    pthread_t other[2];
    for (int i = 0; i < threads; i++)
        assert(pthread_create(&other[i], NULL, give, threads == 1 ? &data : NULL) == 0);
#if defined TWICE
    assert(taken(counter) == 2);                                 /* ERROR */
#elif defined EACH
    assert(taken(counter) == 1 && taken(counter) == 1);
#else
    assert(taken(counter) == 1 && data == 42);
#endif
    for (int i = 0; i < threads; i++)
        assert(pthread_join(other[i], NULL) == 0);
}

static void with_a_child(void)
{
    if (fork() == 0) {
        add(counter, 5);
        _exit(0);
    }
    assert(taken(counter) == 5);
    wait(NULL);
}

int main(void)
{
#if defined TWICE
    counter = eventfd(0, 0);
    with_threads(2);
#elif defined EACH
    counter = eventfd(0, EFD_SEMAPHORE);
    with_threads(2);
#elif defined HANDOVER
    counter = eventfd(0, 0);
    with_threads(1);
#elif defined NOBODY
    counter = eventfd(1, 0);
    taken(counter);
    taken(counter);
#elif defined FORKED
    counter = eventfd(0, 0);
    with_a_child();
#elif defined MANY
    what_many_say();
#elif defined LARGE
    counter = eventfd(0, 0);
    add(counter, 65535);
    assert(ready(counter) == (POLLIN | POLLOUT));
    add(counter, 1);
#else
    what_it_holds();
    what_is_waited_for();
#endif
    return 0;
}
