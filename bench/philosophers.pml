/* The system of examples/philosophers.c for Spin: N processes with four steps each, the forks as semaphores.
 *     spin -DN=10 -a philosophers.pml
 * A step is one transition, as there. Nobody dies at the end: a philosopher who has eaten stays in a valid end state, so that
 * Spin sees the same states, neither more (the order of dying) nor fewer.
 * SPDX-License-Identifier: MIT */

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)

byte free[N] = 1;

active [N] proctype philosopher()
{
	d_step { free[LEFT] > 0; free[LEFT]-- }
	d_step { free[RIGHT] > 0; free[RIGHT]-- }
	free[LEFT]++;
	free[RIGHT]++;
end:	false
}
