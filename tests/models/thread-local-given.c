/* expect: assertion, where it is seen to race.  What each thread has is seen by another that has its address. */
#include <assert.h>
#include <pthread.h>
static _Thread_local int x;
static void *t(void *p) { ++*(int *)p; return 0; }
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, &x);
    x++;
    pthread_join(h, 0);
    assert(x == 2);
    return 0;
}
