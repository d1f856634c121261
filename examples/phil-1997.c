/* expect: deadlock at depth 2.  stateful: 17 states, 18 transitions.  none: 18 transitions.
 *     verisoft phil-1997.c
 *
 * Example 1 of "Model Checking for Programming Languages using VeriSoft" as printed; only the first #include is added.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>
/* phil.c : dining philosophers (version without loops) */
#include <stdio.h>
#include <sys/types.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#define N 2
philosopher(i)
     int i;
{
  printf("philosopher %d thinks\n",i);
  semwait(i);           /* take left fork */
  semwait((i+1)%N);     /* take right fork */
  printf("philosopher %d eats\n",i);
  semsignal(i);         /* release left fork */
  semsignal((i+1)%N);   /* release right fork */
  exit(0);
}
main()
{
  int semid, i, pid;
  semid = semget(IPC_PRIVATE,N,0600);
  for(i=0;i<N;i++)
    semsetval(i,1);
  for(i=0;i<(N-1);i++) {
    if((pid=fork()) == 0)
      philosopher(i);
    };
  philosopher(i);
}
