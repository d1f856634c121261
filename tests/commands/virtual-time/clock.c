/* What its threads do is said by the arguments, the first thread's first: A5 arms the alarm for five seconds, O switches it off, L and U lock and unlock the
 * mutex that c waits with, other letters wait for so many seconds, by a call each. The trace says who came to the end of a wait, r that the alarm rang, and i that a sleep was interrupted. outcomes.h, made for
 * the occasion, has an assertion that fails for each trace that is possible.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

static char trace[64];

static void add(char c) { trace[strlen(trace)] = c; }
static void ring(int signal) { add(signal == SIGALRM ? 'r' : '?'); }

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int set, epoll, pipes[2];
static mqd_t queue;

static void make(const char *kinds)
{
    if (strchr(kinds, 'm')) pthread_mutex_lock(&held);
    if (strchr(kinds, 'w') || strchr(kinds, 'd')) pthread_rwlock_wrlock(&written);
    if (strchr(kinds, 'n')) sem_init(&none, 0, 0);
    if (strchr(kinds, 'v')) set = semget(IPC_PRIVATE, 1, 0600);
    if (strchr(kinds, 'p') || strchr(kinds, 's') || strchr(kinds, 'e')) assert(!pipe(pipes));
    if (strchr(kinds, 'e')) assert((epoll = epoll_create1(0)) >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &(struct epoll_event){ EPOLLIN, { 0 } }));
    if (strchr(kinds, 'q')) queue = mq_open("/none", O_CREAT | O_RDWR, 0600, &(struct mq_attr){ .mq_maxmsg = 1, .mq_msgsize = 1 });
}

static struct timespec in(int seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += seconds;
    return t;
}

static bool timed_out(char kind, int n)
{
    struct timespec until = in(n), span = { n, 0 };
    struct timeval time = { n, 0 };
    sigset_t usr1;
    fd_set reads;
    char byte;
    switch (kind) {
    case 'S': return nanosleep(&span, NULL) == 0;
    case 'u': return usleep((useconds_t)n * 1000000) == 0;
    case 'a': return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0;
    case 'm': return pthread_mutex_timedlock(&held, &until) == ETIMEDOUT;
    case 'w': return pthread_rwlock_timedwrlock(&written, &until) == ETIMEDOUT;
    case 'd': return pthread_rwlock_timedrdlock(&written, &until) == ETIMEDOUT;
    case 'c': return pthread_cond_timedwait(&never, &own, &until) == ETIMEDOUT;
    case 'n': return sem_timedwait(&none, &until) < 0 && errno == ETIMEDOUT;
    case 'v': return semtimedop(set, &(struct sembuf){ 0, -1, 0 }, 1, &span) < 0 && errno == EAGAIN;
    case 'p': return poll(&(struct pollfd){ pipes[0], POLLIN, 0 }, 1, n * 1000) == 0;
    case 's': FD_ZERO(&reads); FD_SET(pipes[0], &reads); return select(pipes[0] + 1, &reads, NULL, NULL, &time) == 0;
    case 'e': return epoll_wait(epoll, &(struct epoll_event){ 0 }, 1, n * 1000) == 0;
    case 'q': return mq_timedreceive(queue, &byte, 1, NULL, &until) < 0 && errno == ETIMEDOUT;
    case 't': sigemptyset(&usr1); sigaddset(&usr1, SIGUSR1); return sigtimedwait(&usr1, NULL, &span) < 0 && errno == EAGAIN;
    default:  abort();
    }
}

struct script { const char *words; char number; };

static void *play(void *argument)
{
    const struct script *s = argument;
    for (const char *at = s->words; *at; at += strcspn(at, " "), at += *at == ' ') {
        int n = atoi(at + 1);
        if (*at == 'A' || *at == 'O')
            alarm((unsigned)n);
        else if (*at == 'L' || *at == 'U')
            *at == 'L' ? pthread_mutex_lock(&own) : pthread_mutex_unlock(&own);
        else
            add(timed_out(*at, n) ? s->number : 'i');
    }
    return NULL;
}

int main(int count, char **words)
{
    struct script scripts[8];
    pthread_t threads[8];
    sigset_t alarms;
    make(words[1]);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, ring);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    for (int i = 2; i < count; i++) {
        scripts[i - 2] = (struct script){ words[i], (char)('0' + i - 1) };
        if (i > 2)
            pthread_create(&threads[i], NULL, play, &scripts[i - 2]);
    }
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    play(&scripts[0]);
    for (int i = 3; i < count; i++)
        pthread_join(threads[i], NULL);
    alarm(0);
#include "outcomes.h"
    return 0;
}
