/* Two bit-fields that share a byte: each write reads the other, and may put it back as it was. -DAPART: they do not. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

#ifdef APART
static struct { unsigned a : 4, : 0, b : 4; } both;
#else
static struct { unsigned a : 4, b : 4; } both;
#endif

static void *first(void *unused)  { both.a = 1; return unused; }
static void *second(void *unused) { both.b = 1; return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(both.a == 1 && both.b == 1);
    return 0;
}
