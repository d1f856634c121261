/* expect: deadlock */
#include <verisoft.h>
#define N 3
static void philosopher(int forks, int i)
{
    semwait(forks, i, 1);
    semwait(forks, (i + 1) % N, 1);
    semsignal(forks, i, 1);
    semsignal(forks, (i + 1) % N, 1);
}
int main(void)
{
    int forks = semget(IPC_PRIVATE, N, 0600), i;
    for (i = 0; i < N; i++)
        semsetval(forks, i, 1);
    i = 0;
    while (i < N - 1 && fork() != 0)
        i++;
    philosopher(forks, i);
    return 0;
}
