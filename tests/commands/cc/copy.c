/* Two threads copy structs of three words over each other: by memcpy, memmove, memset; whoever reads them may find halves of two.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct three { long a, b, c; };
static struct three shared;
static const struct three ones = { 1, 1, 1 };

static void *writes(void *unused)
{
#if defined SET
    memset(&shared, 1, sizeof shared);
#elif defined MOVE
    memmove(&shared, &ones, sizeof shared);
#else
    memcpy(&shared, &ones, sizeof shared);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    struct three seen;
    (void)ones;
    pthread_create(&t, NULL, writes, NULL);
    memcpy(&seen, &shared, sizeof seen);
    assert(seen.a == seen.c);
    pthread_join(t, NULL);
    return 0;
}
