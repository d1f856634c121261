/* expect: unsupported in process 1.  message: "more than 64 processes".  searches: auto.
 * expect -DOBJECTS: unsupported at depth 0 in process 1.  message: "more than 4096 objects".  searches: auto.
 *
 * What VeriSoft has no room for is its limit, and no mistake of the program. SPDX-License-Identifier: MIT */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>
#include <verisoft.h>

int main(void)
{
    int array = semget(IPC_PRIVATE, 1, 0600);
    semsetval(array, 0, 0);
#ifdef OBJECTS
    for (int i = 0; i < 2; i++)
        semget(IPC_PRIVATE, 3000, 0600);         /* ERROR */
    semwait(array, 0, 1);
#else
    for (int i = 0; i < 64; i++)
        if (fork() == 0) {                       /* ERROR */
            semwait(array, 0, 1);
            return 0;
        }
#endif
    return 0;
}
