/* expect: complete.
 *
 * A name that no object can have is told from one that no object has, also where there is no object yet. There are no folders, and slashes before a
 * name of shared memory do not count.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/mman.h>

static void try(int length, int error)
{
    char name[300] = "/";
    memset(name + 1, 'a', length);
    errno = 0;
    assert(shm_unlink(name) == -1 && errno == error);
    errno = 0;
    assert(mq_unlink(name) == -1 && errno == error);
}

static void in_folder(void)
{
    assert(shm_open("/a/b", O_RDWR | O_CREAT, 0600) == -1 && errno == EINVAL);
    assert(shm_open("/", O_RDWR | O_CREAT, 0600) == -1 && errno == EINVAL);
    assert(shm_unlink("/a/b") == -1 && errno == ENOENT);
    assert(mq_open("/a/b", O_RDWR | O_CREAT, 0600, NULL) == -1 && errno == EACCES);
    assert(mq_unlink("/a/b") == -1 && errno == EACCES);
    assert(shm_open("/a", O_RDWR | O_CREAT, 0600) >= 0);
    assert(shm_open("a", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
    assert(shm_unlink("//a") == 0);
}

int main(void)
{
    try(20, ENOENT);
    try(256, ENAMETOOLONG);
    in_folder();
    return 0;
}
