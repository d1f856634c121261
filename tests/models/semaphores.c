/* expect: deadlock */
#include <semaphore.h>
#include <pthread.h>
static sem_t empty, full;
static int item;
static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sem_wait(&empty);
        item = i;
        sem_post(&full);
    }
    return NULL;
}
int main(void)
{
    pthread_t t;
    int sum = 0, value;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        sum += item;
        if (i == 0)
            sem_post(&empty);
    }
    sem_getvalue(&full, &value);
    sem_wait(&full);                 /* a third one never comes */
    pthread_join(t, NULL);
    return sum + value;
}
