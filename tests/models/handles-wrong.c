/* expect: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct { int value; } *handle;           /* what is behind the pointer has no name */
static void *work(void *arg)
{
    handle h = arg;
    h->value = 3;
    return NULL;
}
int main(void)
{
    pthread_t t;
    handle h = malloc(sizeof *h);
    h->value = 1;
    pthread_create(&t, NULL, work, h);
    pthread_join(t, NULL);
    assert(h->value != 3);
    return 0;
}
