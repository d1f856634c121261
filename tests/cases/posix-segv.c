/* expect: crash in process 2.  message: "SIGSEGV".
 * expect -DSTACK: crash in process 2.  message: "SIGSEGV".
 * expect -DFPE: crash in process 2.  message: "SIGFPE".
 * expect -DRIGHT: complete.
 *
 * A thread uses what another has taken away already; or runs out of its stack; or divides by zero.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int value; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static int divisor = 1;

#ifdef STACK
static int deeper(int n)                                         /* ERROR */
{                                                                /* ERROR */
    char room[10000];
    memset(room, n, sizeof room);                                /* ERROR */
    return n == 0 ? 0 : deeper(n + 1) + room[n % 1000];          /* ERROR */
}
#endif

static void *reader(void *argument)
{
    pthread_mutex_lock(&lock);
#if defined STACK
    divisor = deeper(1);
#elif defined FPE
    divisor = 7 / divisor;                                       /* ERROR */
#elif defined RIGHT
    if (list)
        list->value++;
#else
    list->value++;                                               /* ERROR */
#endif
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    list = calloc(1, sizeof *list);
    pthread_create(&other, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    free(list);
    list = NULL;
    divisor = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
