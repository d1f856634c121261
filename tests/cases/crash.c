/* expect: crash at depth 1 in process 1.  message: "SIGSEGV".  errors: crash 1.  none: 3 transitions.
 * expect -DABORT: crash at depth 1 in process 1.  message: "SIGABRT".
 * expect -DFPE: crash at depth 1 in process 1.  message: "SIGFPE".
 * expect -DSTACK: crash at depth 1 in process 1.  message: "SIGSEGV".  searches: auto, stateful, none.  needs: addresses.
 * expect -DLIBRARY: crash at depth 1 in process 1.  message: "SIGSEGV".  searches: auto, stateful, none.  needs: tracing.
 *
 * Ways to die. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

static int deeper(int n)                                         /* ERROR */
{                                                                /* ERROR */
    char room[1000];
    memset(room, n, sizeof room);                                /* ERROR */
    return deeper(n + 1) + room[n % 1000];                       /* ERROR */
}

static void die(int zero)
{
#if defined ABORT
    abort();                                                     /* ERROR */
#elif defined FPE
    printf("%d\n", 7 / zero);                                    /* ERROR */
#elif defined STACK
    printf("%d\n", deeper(zero));
#elif defined LIBRARY
    printf("%zu\n", strlen((char *)(long)zero));                 /* ERROR */
#else
    *(int *)(long)zero = 1;                                      /* ERROR */
#endif
}

int main(void)
{
    if (VS_toss(2) == 1)
        die(0);
    return 0;
}
