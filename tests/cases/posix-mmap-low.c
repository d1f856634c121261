/* expect: complete.
 *
 * Memory that is wanted below 2 GB is there, also in a program with threads, and keeps what is written to it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *number)
{
    pthread_mutex_lock(&lock);
    ++*(int *)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    assert(low != MAP_FAILED && (uintptr_t)low < UINT64_C(1) << 31);
    pthread_create(&t, NULL, adds, low);
    adds(low);
    pthread_join(t, NULL);
    assert(*low == 2);
    assert(munmap(low, 4096) == 0);
    return 0;
}
