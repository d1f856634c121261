/* expect: none */
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
struct node { int value; struct node *next; };
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
}
static void *worker(void *arg) { push(*(int *)arg); return NULL; }
int main(void)
{
    pthread_t t;
    int two = 2, sum = 0;
    pthread_create(&t, NULL, worker, &two);
    push(3);
    pthread_join(t, NULL);
    while (head) {
        struct node *n = head;
        head = n->next;
        sum = sum * 10 + n->value;
        free(n);
    }
    assert(sum == 23 || sum == 32);
    return 0;
}
