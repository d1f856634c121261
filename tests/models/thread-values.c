/* expect: none */
#include <pthread.h>
#include <stdint.h>
#include <assert.h>
static void *square(void *arg) { intptr_t n = (intptr_t)arg; if (n == 3) pthread_exit((void *)9); return (void *)(n * n); }
int main(void)
{
    pthread_t t[2];
    void *value;
    intptr_t sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, square, (void *)(intptr_t)(i + 2));
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], &value);
        sum += (intptr_t)value;
    }
    assert(sum == 13 && !pthread_equal(t[0], pthread_self()));
    return 0;
}
