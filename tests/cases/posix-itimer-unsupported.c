/* expect: unsupported in process 1.  message: "setitimer() (other than ITIMER_REAL)".
 *
 * Timers of processor time are not controlled.
 * SPDX-License-Identifier: MIT */
#include <sys/time.h>

int main(void)
{
    struct itimerval one = {{0, 0}, {1, 0}};
    return setitimer(ITIMER_VIRTUAL, &one, 0);                   /* ERROR */
}
