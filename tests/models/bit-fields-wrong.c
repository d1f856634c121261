/* expect: assertion, where it is seen to race.  Two bit-fields in one byte: who stores one of them stores what was there of the other. */
#include <assert.h>
#include <pthread.h>
struct flags { unsigned a : 4, b : 4; } x;
static void *t(void *p) { x.a = 1; return p; }
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x.b += 2;
    pthread_join(h, 0);
    assert(x.a == 1 && x.b == 2);
    return 0;
}
