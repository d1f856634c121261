/* Programs of which the number of executions is known. WHICH: 1, N writers of one variable: N!; 2, the last zero of an array; 3, readers of a
 * variable: 2^N; 4, a table that threads fill by compare and exchange. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static int x, array[N + 1];
static atomic_int table[128];

static void work(int i)
{
    int at = N, word;
    switch (WHICH) {
    case 1:
        x = i;
        break;
    case 2:
        if (i)
            array[i] = array[i - 1] + 1;
        while (!i && array[at])
            at--;
        break;
    case 3:
        if (i)
            at = x;
        else
            x = 1;
        break;
    default:
        for (int m = 1; m <= 4; m++) {
            word = m * 11 + i;
            at = word * 7 % 128;
            for (int none = 0; !atomic_compare_exchange_strong(&table[at], &none, word); none = 0)
                at = (at + 1) % 128;
        }
    }
}

static void *begin(void *which)
{
    work(*(int *)which);
    return NULL;
}

int main(void)
{
    enum { THREADS = WHICH == 2 || WHICH == 3 ? N + 1 : N };
    static int numbers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, begin, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
