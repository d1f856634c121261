/* expect: complete.
 * expect -DSUBREAPER: unsupported.  message: "prctl".
 * expect -DSECCOMP: unsupported.  message: "prctl".
 * expect -DPDEATHSIG: unsupported.  message: "prctl".
 *
 * prctl, by its option: a thread's name, which costs nothing, and what is harmless; what would change who dies or who waits
 * for whom is not controlled.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

static void *worker(void *argument)
{
    char name[16] = "";
    assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "worker"));
    assert(prctl(PR_SET_NAME, "worker") == 0);
    assert(prctl(PR_GET_NAME, name) == 0 && !strcmp(name, "worker"));
    return argument;
}

int main(void)
{
    pthread_t other;
    int value = 7;
    assert(prctl(PR_SET_PDEATHSIG, 0) == 0 && prctl(PR_GET_PDEATHSIG, &value) == 0 && value == 0);
#if defined SUBREAPER
    prctl(PR_SET_CHILD_SUBREAPER, 1);                            /* ERROR */
#elif defined SECCOMP
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);                  /* ERROR */
#elif defined PDEATHSIG
    prctl(PR_SET_PDEATHSIG, SIGKILL);                            /* ERROR */
#endif
    pthread_create(&other, NULL, worker, NULL);
    worker(NULL);
    pthread_join(other, NULL);
    return 0;
}
