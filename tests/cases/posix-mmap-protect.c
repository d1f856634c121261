/* expect: complete.
 * expect -DTOUCH: crash.  message: "SIGSEGV".  needs: addresses.
 * expect -DFILE_TOUCH: crash.  message: "SIGSEGV".  needs: addresses.
 * expect -DFILE_WRITE: crash.  message: "SIGSEGV".  needs: addresses.
 *
 * Memory that is mapped not to be read, or not to be written, is not; /dev/zero can be mapped in any way.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

enum { BYTES = 4096 };

static void *map(const char *file, int protection)
{
    int fd = open(file, O_RDONLY);
    assert(fd >= 0);
    void *at = mmap(NULL, BYTES, protection, MAP_PRIVATE, fd, 0);
    assert(at != MAP_FAILED);
    return at;
}

static void *other(void *argument) { return argument; }

int main(int argc, char **argv)
{
    pthread_t thread;
    volatile char *zeros = map("/dev/zero", PROT_NONE), *own = map(argv[0], PROT_READ), *closed = map(argv[0], PROT_NONE);
    pthread_create(&thread, NULL, other, NULL);
    assert(own[1] == 'E' && argc > 0);
#if defined TOUCH
    assert(*zeros == 0);                                                             /* ERROR */
#elif defined FILE_TOUCH
    assert(*closed != 0);                                                            /* ERROR */
#elif defined FILE_WRITE
    *own = 0;                                                                        /* ERROR */
#endif
    assert(zeros && closed);
    pthread_join(thread, NULL);
    return 0;
}
