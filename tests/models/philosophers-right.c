/* expect: none */
#include <verisoft.h>
#define N 3
int main(void)
{
    int i;
    semget(IPC_PRIVATE, N, 0600);
    for (i = 0; i < N; i++)
        semsetval(i, 1);
    for (i = 0; i < N - 1; i++)
        if (fork() == 0)
            break;
    int first = i < (i + 1) % N ? i : (i + 1) % N, second = i + (i + 1) % N - first;
    semwait(first);
    semwait(second);
    semsignal(first);
    semsignal(second);
    return 0;
}
