/* expect: none */
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int n;
static _Atomic unsigned char small = 255;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static void *worker(void *arg)
{
    (void)arg;
    n++;
    atomic_fetch_add(&n, 2);
    int seen = atomic_load(&n);
    while (!atomic_compare_exchange_strong(&n, &seen, seen + 1))
        ;
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(n == 8 && atomic_exchange(&n, 1) == 8 && n == 1);
    small += 2;
    assert(small == 1);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_store(&n, 5);
    assert(atomic_fetch_sub(&n, 1) == 5);
    n -= 2;
    assert(n == 2);
    return 0;
}
