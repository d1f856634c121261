/* Two readers of one standard input, as -DREAD, -DPROCESSES or by fgets: each line goes to one of them. With -DWRONG the program relies
 * on the first one getting the first line. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct { pthread_mutex_t mutex; int sum, lines, first; } *all;

static int get(void)
{
#if defined READ || defined PROCESSES
    char line[2];
    return read(0, line, sizeof line) == sizeof line ? line[0] - '0' : 0;
#else
    char line[16];
    return fgets(line, sizeof line, stdin) ? atoi(line) : 0;
#endif
}

static void *reader(void *number)
{
    for (int value; (value = get()) != 0;) {
        pthread_mutex_lock(&all->mutex);
        all->sum += value;
        all->lines++;
        if (value == 1)
            all->first = *(int *)number;
        pthread_mutex_unlock(&all->mutex);
    }
    return NULL;
}

static void start(int numbers[2])
{
#ifdef PROCESSES
    if (fork() == 0) {
        reader(&numbers[1]);
        _exit(0);
    }
    reader(&numbers[0]);
    wait(NULL);
#else
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#endif
}

int main(void)
{
    int numbers[2] = {1, 2};
    pthread_mutexattr_t shared;
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&all->mutex, &shared);
    start(numbers);
    assert(all->sum == 3 && all->lines == 2);
#ifdef WRONG
    assert(all->first == 1);
#endif
    return 0;
}
