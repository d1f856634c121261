/* expect: assertion */
#include <threads.h>
#include <assert.h>
static mtx_t lock;
static int n;
static int worker(void *arg)
{
    mtx_lock(&lock);
    int seen = n;
    mtx_unlock(&lock);
    mtx_lock(&lock);
    n = seen + *(int *)arg;
    mtx_unlock(&lock);
    return 7;
}
int main(void)
{
    thrd_t t;
    int one = 1, r = 0;
    mtx_init(&lock, mtx_plain);
    thrd_create(&t, worker, &one);
    worker(&one);
    thrd_join(t, &r);
    assert(r == 7);
    assert(n == 2);
    return 0;
}
