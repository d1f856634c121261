/* expect: complete.
 *
 * Who may open and unlink what has a name: by owner and mode. What is opened for reading only is not written.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };
static char long_name[300];

static void of_memory(void)
{
    struct stat about;
    umask(022);
    int fd = shm_open("/rights", O_CREAT | O_RDWR, 0666);
    assert(fd >= 0 && ftruncate(fd, 4096) == 0 && fstat(fd, &about) == 0 && (about.st_mode & 0777) == 0644);
    fd = shm_open("/rights", O_RDONLY, 0);
    assert(fd >= 0 && ftruncate(fd, 8192) == -1 && errno == EINVAL);
    assert(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EACCES);
    assert(shm_open(long_name, O_CREAT, 0600) == -1 && errno == ENAMETOOLONG);
    assert(shm_unlink(long_name) == -1 && errno == ENAMETOOLONG);
}

static void of_others(void)
{
    assert(sem_open("/rights", O_CREAT, 0, 1) != SEM_FAILED && mq_open("/rights", O_CREAT | O_RDWR, 0, NULL) != -1);
    if (geteuid() != 0)
        return;
    assert(seteuid(NOBODY) == 0);
    assert(sem_open("/rights", 0) == SEM_FAILED && errno == EACCES);
    assert(sem_unlink("/rights") == -1 && errno == EACCES);
    assert(mq_open("/rights", O_RDONLY) == -1 && errno == EACCES);
    assert(shm_open("/rights", O_RDWR, 0) == -1 && errno == EACCES && shm_open("/rights", O_RDONLY, 0) >= 0);
    assert(shm_unlink("/rights") == -1 && errno == EACCES);
}

static void *other(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[0] = '/';
    pthread_create(&thread, NULL, other, NULL);
    of_memory();
    of_others();
    pthread_join(thread, NULL);
    return 0;
}
