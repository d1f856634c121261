/* SPDX-License-Identifier: MIT */
#include "report/circle.h"

#include <assert.h>
#include <string.h>

#define BIT(p) (UINT64_C(1) << (p))

/* The shortest way from `start` back to it, by breadth first search; 0 when there is none. `ring` holds its processes. */
static int shortest_ring(const uint64_t waits_for[MAX_PROCESSES], int start, int ring[MAX_PROCESSES])
{
    int queue[MAX_PROCESSES], from[MAX_PROCESSES], head = 0, tail = 0;
    uint64_t seen = 0;
    for (queue[tail++] = start; head < tail; head++) {
        int p = queue[head];
        if (waits_for[p] & BIT(start)) {
            int length = 0, back[MAX_PROCESSES];
            for (; p != start; p = from[p])
                back[length++] = p;
            back[length++] = start;
            assert(length <= tail);  /* nobody is in it twice */
            for (int i = 0; i < length; i++)
                ring[i] = back[length - 1 - i];
            return length;
        }
        for (uint64_t m = waits_for[p] & ~seen & ~BIT(start); m; m &= m - 1) {
            int q = __builtin_ctzll(m);
            seen |= BIT(q);
            from[q] = p;
            queue[tail++] = q;
        }
    }
    return 0;
}

static void tell_ring(const int ring[MAX_PROCESSES], int length, struct prose *w)
{
    if (length == 1) {
        prose_add(w, "\nprocess %d waits for itself.", ring[0] + 1);
        return;
    }
    prose_add(w, "\nSo they wait in a circle: process %d waits for process %d", ring[0] + 1, ring[1] + 1);
    for (int i = 1; i < length; i++)
        prose_add(w, ", which waits for process %d", ring[(i + 1) % length] + 1);
    prose_add(w, ".");
}

void circle_tell(const uint64_t waits_for[MAX_PROCESSES], int processes, struct prose *w)
{
    int best[MAX_PROCESSES], best_length = 0;
    assert(processes <= MAX_PROCESSES);
    for (int p = 0; p < processes; p++) {
        int ring[MAX_PROCESSES], length = shortest_ring(waits_for, p, ring);
        if (length && (!best_length || length < best_length)) {
            memcpy(best, ring, sizeof best);
            best_length = length;
        }
    }
    if (best_length > 1 || (best_length == 1 && waits_for[best[0]] == BIT(best[0])))     /* alone, or one of several holders? */
        tell_ring(best, best_length, w);
}
