/* expect -DFOLDER: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DMASK: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DPROTECTED: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DCLOSED: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DMAPPED: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DCREATION: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DHANDLER: assertion at depth 2 in process 1.  errors: assertion 1.  none: 9 transitions, 3 executions.
 * expect -DOFFSET: complete.  none: 9 transitions, 3 executions.
 *
 * What the kernel keeps of a process, and its memory does not show: after the middle one of three values it is another
 * process, though all that it remembers of the value is gone. And with an open file, each copy of the process has its own
 * place in it.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <verisoft.h>

static volatile int handled;
static void one(int signal)   { handled = signal ? 1 : 0; }
static void other(int signal) { handled = signal ? 2 : 0; }

static char *page;
static int file;

static void become(int different)
{
    sigset_t set;
#if defined FOLDER
    if (chdir(different ? "/usr" : "/"))
        exit(1);
#elif defined MASK
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(different ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
#elif defined PROTECTED
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[0] = (char)different;
    mprotect(page, 4096, PROT_READ);
#elif defined CLOSED
    if (different)
        close(0);
#elif defined MAPPED
    int fd = open(different ? "/proc/self/exe" : "/bin/sh", O_RDONLY);
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
#elif defined CREATION
    umask(different ? 077 : 022);
#elif defined HANDLER
    signal(SIGUSR1, different ? one : other);
#elif defined OFFSET
    (void)different;
#endif
    (void)set, (void)one, (void)other;
}

static int is_different(void)
{
#if defined FOLDER
    char name[100];
    return getcwd(name, sizeof name) && name[1];
#elif defined MASK
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, SIGUSR1);
#elif defined PROTECTED
    return page[0];
#elif defined CLOSED
    return fcntl(0, F_GETFD) < 0;
#elif defined MAPPED
    int start = open("/bin/sh", O_RDONLY), same = 1;
    char there[64];
    if (read(start, there, sizeof there) == sizeof there)
        same = !memcmp(there, page, sizeof there);
    close(start);
    memset(there, 0, sizeof there);
    return !same;
#elif defined CREATION
    mode_t mask = umask(0);
    umask(mask);
    return mask == 077;
#elif defined HANDLER
    raise(SIGUSR1);
    return handled == 1;
#elif defined OFFSET
    char byte = 0;
    return read(file, &byte, 1) != 1 || byte != '\177';
#endif
}

int main(void)
{
#ifdef OFFSET
    file = open("/bin/sh", O_RDONLY);
#endif
    become(VS_toss(2) == 1);
    VS_toss(0);
    VS_assert(!is_different());                          /* ERROR */
    return 0;
}
