/* A thread asks for what is not controlled. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sys/inotify.h>
#include <unistd.h>

static void *watch(void *arg)
{
    int events = inotify_init1(0);
    close(events);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    return pthread_join(thread, NULL);
}
