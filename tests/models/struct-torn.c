/* expect: assertion, where it is seen to race.  A structure is copied word by word, and others come between the words. */
#include <assert.h>
#include <pthread.h>
struct triple { long a, b, c; } s;
static void *t(void *p) { struct triple n = { 1, 1, 1 }; s = n; return p; }
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    struct triple c = s;
    assert(c.a == c.c);
    pthread_join(h, 0);
    return 0;
}
