/* What shares a word: two bytes of it; -DUNION: a byte of it and all of it; -DCOPY: a struct is copied while a
 * member is written; -DLOCAL: a variable on the stack of another. SPDX-License-Identifier: MIT */
#include <pthread.h>

#if defined UNION
static union { int all; char byte[4]; } both;
#define FIRST  (both.all = 1)
#define SECOND (both.byte[3] = 1)
#elif defined COPY
static struct several { int a, b, c, d; } both, copy;
#define FIRST  (copy = both)
#define SECOND (both.c = 1)
#elif defined LOCAL
static int *both;
#define FIRST  (*both = 1)
#define SECOND (*both = 2)
#else
static struct { char a, b; } both;
#define FIRST  (both.a = 1)
#define SECOND (both.b = 1)
#endif

static void *first(void *unused)  { FIRST; return unused; }
static void *second(void *unused) { SECOND; return unused; }

int main(void)
{
    pthread_t a, b;
#ifdef LOCAL
    int here = 0;
    both = &here;
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
