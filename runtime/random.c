/* Randomness that is the same in every run; what a process has drawn is part of its local state. In a sharing group every
 * thread draws from a stream of its own.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

void     arc4random_buf(void *, size_t);                 /* older C libraries do not have them */
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t);
#pragma GCC poison malloc calloc free printf

static uint64_t draw(void)                               /* splitmix64 */
{
    const struct rt_context *thread = rt_current();
    uint64_t z = rt_thread.drawn += 0x9e3779b97f4a7c15;
    if (thread)
        z += (uint64_t)thread->process << 48;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static long fill_by_draws(void *buffer, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)buffer)[i] = (unsigned char)draw();
    return (long)bytes;
}

static long fill(void *buffer, size_t bytes, unsigned flags)
{
    RT_BY_CONTROL(long, getrandom, (), DO(RT_SYS(SYS_getrandom, buffer, bytes, flags)), DO(fill_by_draws(buffer, bytes)))
}

RT_API ssize_t getrandom(void *buffer, size_t bytes, unsigned flags)
{
    return rt_answer(fill(buffer, bytes, flags));
}

RT_API int getentropy(void *buffer, size_t bytes)
{
    if (bytes > 256) {
        errno = EIO;
        return -1;
    }
    return getrandom(buffer, bytes, 0) < 0 ? -1 : 0;
}

RT_API void arc4random_buf(void *buffer, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        long got = fill((char *)buffer + done, bytes - done < 256 ? bytes - done : 256, 0);
        done += got > 0 ? (size_t)got : 0;
    }
}

RT_API uint32_t arc4random(void)
{
    uint32_t value;
    arc4random_buf(&value, sizeof value);
    return value;
}

RT_API uint32_t arc4random_uniform(uint32_t bound)
{
    return bound ? arc4random() % bound : 0;
}
