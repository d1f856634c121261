/* What it does depends on a file that an execution before left. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *leave_it(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    close(open("left.tmp", O_CREAT | O_WRONLY, 0600));
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (access("left.tmp", F_OK) == 0)
        exit(1);
    pthread_create(&thread, NULL, leave_it, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return pthread_join(thread, NULL);
}
