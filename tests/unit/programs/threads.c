/* Threads, a struct, a pointer to it, a function that is stepped into.        SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

struct account { int balance; const char *owner; struct { int x, y; } at; };

static struct account accounts[2] = { { 10, "ann", { 1, 2 } }, { 20, "bob", { 3, 4 } } };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int twice(int n)
{
    int result = 2 * n;
    return result;
}

static void *worker(void *arg)
{
    struct account *mine = arg;
    int sum = 0;
    pthread_mutex_lock(&lock);
    sum += twice(mine->balance);
    counter += sum;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t all[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&all[i], NULL, worker, &accounts[i]);
    pthread_setname_np(all[1], "second");
    for (int i = 0; i < 2; i++)
        pthread_join(all[i], NULL);
    return 0;
}
