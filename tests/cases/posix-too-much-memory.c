/* expect -DMALLOC: unsupported in process 1.  message: "malloc() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DCALLOC: unsupported in process 1.  message: "calloc() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DREALLOC: unsupported in process 1.  message: "realloc() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DALIGNED: unsupported in process 1.  message: "posix_memalign() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DBLOCKS: unsupported in process 1.  message: "malloc() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DMAP: unsupported in process 1.  message: "mmap() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DSHARED: unsupported in process 1.  message: "mmap() (of more memory than VeriSoft has".  searches: optimal.
 * expect -DNOBODY_HAS: assertion in process 1.  message: "all".  searches: optimal.
 *
 * The same for memory. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t much = (size_t)(1 << 30) + (1 << 20);

static void *nothing(void *argument) { return argument; }

static void *next(void)              /* NULL: there is none */
{
    void *memory = NULL;
#if defined MALLOC
    memory = malloc(much);                                       /* ERROR */
#elif defined CALLOC
    memory = calloc(1, much);                                    /* ERROR */
#elif defined REALLOC
    memory = realloc(malloc(1), much);                           /* ERROR */
#elif defined ALIGNED
    posix_memalign(&memory, 64, much);                           /* ERROR */
#elif defined BLOCKS
    memory = malloc(4 << 20);                                    /* ERROR */
#elif defined MAP
    memory = mmap(NULL, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);      /* ERROR */
#elif defined SHARED
    memory = mmap(NULL, much, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);       /* ERROR */
#else
    memory = malloc(PTRDIFF_MAX);
    if (!memory)
        memory = mmap(NULL, SIZE_MAX - 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#endif
    return memory == MAP_FAILED ? NULL : memory;
}

int main(void)
{
    pthread_t thread;
    int got = 0;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    while (got < 300 && next())
        got++;
    int all = got == 300;
    assert(all);                                                 /* ERROR */
    return 0;
}
