/* expect: assertion */
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
struct node { int value; struct node *next; };
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
    struct node *n = calloc(1, sizeof *n);
    n->value = *(int *)arg;
    pthread_mutex_lock(&lock);
    n->next = head;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    head = n;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t, u;
    int one = 1, two = 2, count = 0;
    pthread_create(&t, NULL, worker, &one);
    pthread_create(&u, NULL, worker, &two);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    for (struct node *n = head; n; n = n->next)
        count++;
    assert(count == 2);
    return 0;
}
