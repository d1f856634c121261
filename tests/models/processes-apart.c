/* expect: none */
#include <verisoft.h>
static int n = 1;
int main(void)
{
    int status, s = semget(IPC_PRIVATE, 1, 0600);
    semsetval(0, 0);
    if (fork() == 0) {
        n = 5;
        semsignal(s, 0, 1);
        exit(n);
    }
    semwait(s, 0, 1);
    VS_assert(n == 1);
    wait(&status);
    VS_assert(n == 1 && WEXITSTATUS(status) == 5);
    return 0;
}
