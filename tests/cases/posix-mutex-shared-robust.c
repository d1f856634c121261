/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A UNIX process dies with a robust, process-shared mutex locked: EOWNERDEAD. WRONG: without robustness the others wait for
 * ever.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t *lock = mmap(NULL, sizeof *lock, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#ifndef WRONG
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
    pthread_mutex_init(lock, &attributes);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(lock);
        _exit(3);
    }
    int status;
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    assert(pthread_mutex_lock(lock) == EOWNERDEAD);              /* ERROR */
    assert(pthread_mutex_consistent(lock) == 0);
    assert(pthread_mutex_unlock(lock) == 0);
    return 0;
}
