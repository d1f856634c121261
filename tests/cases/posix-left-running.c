/* expect: complete.  optimal: 40 executions.
 *
 * The program ends while its threads still run, wherever they are. What a thread does depends on what another did before, so some
 * of it is foreseen wrongly, and taken back. (The number: sleep and source agree on it.)
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t locks[3];
static int flag;

static void use(int i)
{
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_unlock(&locks[i]);
}

static void *third(void *argument)
{
    use(2);
    return argument;
}

static void *second(void *argument)
{
    pthread_t t;
    pthread_create(&t, NULL, third, NULL);
    use(2);
    return argument;
}

static void *writer(void *argument)
{
    pthread_t t;
    pthread_create(&t, NULL, second, NULL);
    pthread_mutex_lock(&locks[0]);
    flag ^= 1;
    pthread_mutex_unlock(&locks[0]);
    return argument;
}

static void *reader(void *argument)
{
    pthread_mutex_lock(&locks[0]);
    int seen = flag;
    pthread_mutex_unlock(&locks[0]);
    if (seen)
        pthread_mutex_lock(&locks[1]);
    use(2);
    use(2);
    use(2);
    return argument;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&t, NULL, writer, NULL);
    return 0;
}
