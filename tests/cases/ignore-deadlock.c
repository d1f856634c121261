/* expect: deadlock at depth 1.  errors: deadlock 1, assertion 1.
 * expect: assertion at depth 1.  errors: assertion 1.  options: --ignore-deadlock 1.
 * expect: assertion at depth 1.  errors: assertion 1.  options: --ignore-deadlock.
 *
 * A deadlock and an assertion; the first can be ignored. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    int choice = VS_toss(2);
    if (choice == 1)
        semwait(semaphore, 0, 1);                                /* ERROR */
    VS_assert(choice != 2);                                      /* ERROR */
    return 0;
}
