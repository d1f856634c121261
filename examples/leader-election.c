/* expect: complete.  stateful: 165 states, 294 transitions.  compiler: gcc.
 *     verisoft leader-election.c --search stateful
 * expect -DWRONG: assertion at depth 12.
 *     verisoft leader-election.c -DWRONG
 *
 * Leader election on a ring of queues (Chang and Roberts 1979). A node wakes up by itself or by the first message and sends
 * its number round. A number travels on past smaller nodes and is swallowed by greater ones; who gets its own number back
 * is the leader and says so round the ring. A judge asserts that one node claims to be it, and that all know which.
 * WRONG forgets to swallow: what is not greater is taken for one's own.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <verisoft.h>

#ifndef N
#define N 3                          /* nodes on the ring */
#endif

struct token { bool elected; int id; };          /* a candidate on its way, or the news of who it is */

static int ring[N];                  /* ring[i] leads from node i - 1 to node i */
static int judge;

static void pass(int i, bool elected, int id)
{
    char text[16] = "";
    sprintf(text, "%s %d", elected ? "elected" : "candidate", id);
    send_to_queue(ring[(i + 1) % N], N, text);
}

static struct token take(int i)
{
    char *text = rcv_from_queue(ring[i], N);
    struct token t = { text[0] == 'e', atoi(strchr(text, ' ')) };
    memset(text, 0, strlen(text));   /* read: so that what is left of it does not tell equal states apart */
    return t;
}

static bool comes_home(int candidate, int id)
{
#ifdef WRONG
    return candidate <= id;
#else
    return candidate == id;
#endif
}

static void tell_judge(bool claims, int leader)
{
    char text[16] = "";
    sprintf(text, "%d %d", claims, leader);
    send_to_queue(judge, N, text);
}

static void node(int i)
{
    int  id = (i + 1) % N + 1;       /* 2 3 1 for three nodes */
    bool claims = false;
    bool awake = i == 0 || VS_toss(1);
    if (awake)
        pass(i, false, id);

    struct token t = take(i);
    while (!t.elected) {
        if (t.id > id) {
            pass(i, false, t.id);
        } else if (comes_home(t.id, id)) {
            claims = true;
            pass(i, true, id);
        } else if (!awake) {
            pass(i, false, id);
        }
        awake = true;
        t = take(i);
    }
    if (t.id != id)
        pass(i, true, t.id);
    tell_judge(claims, t.id);
}

static void judge_all(void)
{
    int leaders = 0, leader, claims;

    for (int i = 0; i < N; i++) {
        sscanf(rcv_from_queue(judge, N), "%d %d", &claims, &leader);
        leaders += claims;
        VS_assert(leader == N);      /* the greatest */
    }
    VS_assert(leaders == 1);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        ring[i] = get_bounded_queue(N);
    judge = get_bounded_queue(N);

    for (int i = 0; i < N; i++)
        if (fork() == 0) {
            node(i);
            exit(0);
        }
    judge_all();
#ifndef VERIFY
    while (wait(NULL) > 0)
        ;
    for (int i = 0; i < N; i++)
        remove_queue(ring[i]);
    remove_queue(judge);
#endif
    return 0;
}
