/* expect: complete.
 *
 * A name that no object can have is told from one that no object has, also where there is no object yet.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
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

int main(void)
{
    try(20, ENOENT);
    try(256, ENAMETOOLONG);
    return 0;
}
