/* expect: none */
#include <pthread.h>
#include <assert.h>
static _Thread_local int mine = 3;
static void *worker(void *arg) { mine += *(int *)arg; assert(mine == 4); return NULL; }
int main(void)
{
    pthread_t t;
    int one = 1;
    pthread_create(&t, NULL, worker, &one);
    mine++;
    worker(&(int){ 0 });
    pthread_join(t, NULL);
    assert(mine == 4);
    return 0;
}
