/* expect: none.  What each thread has begins anew in each, also where another one has ended, and a forked process has its parent's. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
static _Thread_local int x = 5;
static union { uint32_t word; uint8_t parts[4]; } u = { .parts = { 5 } };
static void *t(void *p)
{
    static _Thread_local atomic_int y;
    assert(x == (int)u.word && !y++);
    x = 9;
    return p;
}
int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t h;
        pthread_create(&h, 0, t, 0);
        pthread_join(h, 0);
    }
    x = 7;
    if (!fork()) {
        assert(x == 7);
        _exit(0);
    }
    return wait(0) < 0;
}
