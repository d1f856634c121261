/* Functions of the C library, each given a variable which another thread uses meanwhile: one that a function writes (W) is read there, one that it
 * reads (R) is written. Which, the argument says; without one all are listed.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <mqueue.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static union { long words[64]; char text[512]; struct pollfd poll; fd_set files; struct sockaddr_in address; struct sigaction action; struct sembuf operation;
               struct epoll_event event; struct timespec time; struct sched_param priority; struct sigevent to_whom; struct itimerval timer; int number;
               pthread_attr_t attributes; pthread_mutexattr_t of_mutex; pthread_condattr_t of_cond; pthread_rwlockattr_t of_rwlock;
               pthread_barrierattr_t of_barrier; sigset_t set; sigjmp_buf place; } it;
static void *const p = &it;

static void *nothing(void *unused) { return unused; }
static int none(void *unused) { (void)unused; return 0; }
static pthread_t ended(void) { pthread_t t; pthread_create(&t, NULL, nothing, NULL); return t; }
static thrd_t ended_here(void) { thrd_t t; thrd_create(&t, none, NULL); return t; }

static int end(int which)                                /* 0: to read, and there is something; 1: to write */
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || write(ends[1], "abcd", 4) != 4)
        abort();
    return ends[which];
}

static int waits(int type)                               /* a socket at which somebody waits to be accepted */
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int s = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 1) || (type && connect(c, (struct sockaddr *)&a, sizeof a)))
        abort();
    return s;
}

static int polls(void)
{
    struct epoll_event e = { .events = EPOLLIN };
    int set = epoll_create1(0);
    epoll_ctl(set, EPOLL_CTL_ADD, end(0), &e);
    return set;
}

static const sigset_t *signals(void)                     /* one that is pending */
{
    static sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    return &set;
}

static pid_t child(void)
{
    pid_t pid = fork();
    if (!pid)
        _exit(0);
    return pid;
}

static timer_t timer(void) { timer_t t; struct sigevent e = { .sigev_notify = SIGEV_NONE }; timer_create(CLOCK_REALTIME, &e, &t); return t; }
static int semaphores(void) { return semget(IPC_PRIVATE, 1, 0600); }

static socklen_t room = sizeof it;
static const struct timespec soon, *const at = &soon;
static const struct itimerspec later;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static mtx_t mtx;
static cnd_t cnd;

#define CASES(X) \
    X(W, read(end(0), p, 4)) X(W, recv(end(0), p, 4, 0)) X(R, write(end(1), p, 4)) X(R, send(end(1), p, 4, 0)) \
    X(W, clock_gettime(CLOCK_REALTIME, p)) X(W, gettimeofday(p, NULL)) X(W, time(p)) X(R, nanosleep(p, NULL)) \
    X(R, clock_nanosleep(CLOCK_REALTIME, 0, p, NULL)) X(R, thrd_sleep(p, NULL)) X(W, (child(), wait(p))) X(W, waitpid(child(), p, 0)) \
    X(W, pipe(p)) X(W, pipe2(p, 0)) X(W, socketpair(AF_UNIX, SOCK_STREAM, 0, p)) X(W, poll(p, 1, 0)) X(R, poll(p, 1, 0)) \
    X(W, ppoll(p, 1, at, NULL)) X(R, ppoll(NULL, 0, p, NULL)) X(R, ppoll(NULL, 0, at, p)) \
    X(W, select(8, p, NULL, NULL, &(struct timeval){ 0 })) X(R, select(0, NULL, NULL, NULL, p)) \
    X(W, pselect(8, NULL, p, NULL, at, NULL)) X(R, pselect(0, NULL, NULL, NULL, p, NULL)) \
    X(R, epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, end(0), p)) X(W, epoll_wait(polls(), p, 1, 0)) \
    X(R, bind(socket(AF_INET, SOCK_STREAM, 0), p, sizeof it.address)) X(R, connect(socket(AF_INET, SOCK_STREAM, 0), p, sizeof it.address)) \
    X(R, setsockopt(socket(AF_INET, SOCK_STREAM, 0), SOL_SOCKET, SO_REUSEADDR, p, sizeof(int))) \
    X(W, accept(waits(1), p, &room)) X(W, accept4(waits(1), p, &room, 0)) \
    X(R, sigaction(SIGUSR1, p, NULL)) X(W, sigaction(SIGUSR1, NULL, p)) X(R, sigprocmask(SIG_BLOCK, p, NULL)) X(W, sigprocmask(SIG_BLOCK, NULL, p)) \
    X(R, pthread_sigmask(SIG_BLOCK, p, NULL)) X(W, pthread_sigmask(SIG_BLOCK, NULL, p)) X(W, sigwait(signals(), p)) \
    X(W, sigwaitinfo(signals(), p)) X(W, sigtimedwait(signals(), p, at)) X(R, sigtimedwait(signals(), NULL, p)) X(R, sigtimedwait(p, NULL, at)) \
    X(W, sigaltstack(NULL, p)) X(R, semop(semaphores(), p, 1)) X(R, semtimedop(semaphores(), p, 1, NULL)) \
    X(W, semctl(semaphores(), 0, GETALL, p)) X(R, semctl(semaphores(), 0, SETALL, p)) X(W, semctl(semaphores(), 0, IPC_STAT, p)) \
    X(W, msgctl(msgget(IPC_PRIVATE, 0600), IPC_STAT, p)) X(R, setitimer(ITIMER_REAL, p, NULL)) X(W, setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, p)) \
    X(W, timer_create(CLOCK_REALTIME, NULL, p)) X(R, timer_settime(timer(), 0, p, NULL)) X(W, timer_settime(timer(), 0, &later, p)) \
    X(R, timerfd_settime(timerfd_create(CLOCK_REALTIME, 0), 0, p, NULL)) X(W, timerfd_settime(timerfd_create(CLOCK_REALTIME, 0), 0, &later, p)) \
    X(W, pthread_create(p, NULL, nothing, NULL)) X(W, thrd_create(p, none, NULL)) X(W, pthread_join(ended(), p)) \
    X(W, pthread_timedjoin_np(ended(), p, &(struct timespec){ 9999999999, 0 })) X(W, thrd_join(ended_here(), p)) \
    X(W, sem_getvalue(&sem, p)) X(W, pthread_key_create(p, NULL)) X(W, tss_create(p, NULL)) X(W, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, p)) \
    X(W, pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, p)) X(W, pthread_getschedparam(pthread_self(), p, &(struct sched_param){ 0 })) \
    X(W, pthread_getschedparam(pthread_self(), &(int){ 0 }, p)) X(R, pthread_setschedparam(pthread_self(), SCHED_OTHER, p)) \
    X(W, sched_getparam(0, p)) X(R, sched_setparam(0, p)) X(R, sched_setscheduler(0, SCHED_OTHER, p)) X(W, sched_getaffinity(0, 128, p)) \
    X(W, pthread_getaffinity_np(pthread_self(), 128, p)) X(R, pthread_setname_np(pthread_self(), p)) X(W, pthread_getname_np(pthread_self(), p, 16)) \
    X(W, pthread_getattr_np(pthread_self(), p)) X(W, pthread_getcpuclockid(pthread_self(), p)) \
    X(R, pthread_mutex_init(&mutex, p)) X(R, pthread_cond_init(&cond, p)) X(R, pthread_rwlock_init(&lock, p)) X(R, pthread_barrier_init(&barrier, p, 1)) \
    X(R, pthread_mutex_timedlock(&mutex, p)) X(R, pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, p)) \
    X(R, (pthread_mutex_lock(&mutex), pthread_cond_timedwait(&cond, &mutex, p))) X(R, (pthread_mutex_lock(&mutex), pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, p))) \
    X(R, pthread_rwlock_timedrdlock(&lock, p)) X(R, pthread_rwlock_timedwrlock(&lock, p)) X(R, pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, p)) \
    X(R, pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, p)) X(R, sem_timedwait(&sem, p)) X(R, sem_clockwait(&sem, CLOCK_REALTIME, p)) \
    X(R, mtx_timedlock(&mtx, p)) X(R, (mtx_lock(&mtx), cnd_timedwait(&cnd, &mtx, p))) \
    X(N, sem_open(p, O_CREAT, 0600, 1)) X(N, sem_unlink(p)) X(N, mq_open(p, O_CREAT | O_RDWR, 0600, NULL)) X(N, mq_unlink(p)) X(N, shm_unlink(p)) \
    X(N, open(p, O_RDONLY)) X(N, openat(AT_FDCWD, p, O_RDONLY)) X(N, fopen(p, "r")) X(R, fopen("/none", p)) X(N, freopen(p, "r", stdin)) \
    X(N, unlink(p)) X(N, remove(p)) X(N, chdir(p)) X(W, sigsetjmp(p, 0)) \
    X(N, getenv(p)) X(N, secure_getenv(p)) X(N, access(p, F_OK)) X(N, rename(p, "/none/other")) X(N, rename("/none/other", p)) X(N, mkdir(p, 0700)) \
    X(N, rmdir(p)) X(N, truncate(p, 0)) X(N, ftok(p, 1)) X(N, perror(p)) X(N, setlocale(LC_ALL, p)) \
    ATTRIBUTES(X, attr) ATTRIBUTES(X, mutexattr) ATTRIBUTES(X, condattr) ATTRIBUTES(X, rwlockattr) ATTRIBUTES(X, barrierattr) \
    BOTH(X, attr, detachstate, int) BOTH(X, attr, guardsize, size_t) BOTH(X, attr, inheritsched, int) BOTH(X, attr, schedpolicy, int) \
    BOTH(X, attr, scope, int) BOTH(X, attr, stacksize, size_t) BOTH(X, mutexattr, type, int) BOTH(X, mutexattr, pshared, int) \
    BOTH(X, mutexattr, robust, int) BOTH(X, mutexattr, protocol, int) BOTH(X, mutexattr, prioceiling, int) BOTH(X, condattr, clock, clockid_t) \
    BOTH(X, condattr, pshared, int) BOTH(X, rwlockattr, pshared, int) BOTH(X, barrierattr, pshared, int)
#define ATTRIBUTES(X, kind)            X(W, pthread_##kind##_init(p)) X(W, pthread_##kind##_destroy(p))
#define BOTH(X, kind, name, type)      X(W, pthread_##kind##_set##name(p, 0)) X(R, pthread_##kind##_get##name(p, &(type){ 0 })) \
                                       X(W, pthread_##kind##_get##name(of_##kind(), p))
#define OF(kind) static pthread_##kind##_t *of_##kind(void) { static pthread_##kind##_t a; pthread_##kind##_init(&a); return &a; }
OF(attr) OF(mutexattr) OF(condattr) OF(rwlockattr) OF(barrierattr)

enum { W, R, N };                                        /* N: reads a name */
#define KIND(kind, call) kind,
#define NAME(kind, call) #call,
#define CASE(kind, call) case __COUNTER__: (void)(call); break;
static const int kinds[] = { CASES(KIND) };
static const char *const names[] = { CASES(NAME) };

static void act(int which) { switch (which) { CASES(CASE) } }

static void *other(void *which)
{
    long now = it.words[0];
    if (kinds[*(int *)which] != W)
        it.words[0] = now;
    return NULL;
}

int main(int count, char **words)
{
    int which = count > 1 ? atoi(words[1]) : -1;
    pthread_t t;
    if (which < 0) {
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
            printf("%u %s\n", i, names[i]);
        return 0;
    }
    sem_init(&sem, 0, 1);
    mtx_init(&mtx, mtx_plain);
    cnd_init(&cnd);
    if (kinds[which] == N)
        strcpy(it.text, "/none/such");
    if (strstr(names[which], "poll(p, 1"))
        it.poll.fd = -1;
    pthread_create(&t, NULL, other, &which);
    act(which);
    pthread_join(t, NULL);
    return 0;
}
