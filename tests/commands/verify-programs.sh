# Programs with threads and processes, checked by their models; counter-examples are tried on the program. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp "$project"/examples/models/* "$project"/examples/ac-controller/main.c .

cat > verdicts << 'END'
/^(deadlock|assertions|progress|kept|paid|lost) / { print $1, $2, $3 == "finished" ? $3 : "" }     # without what a search counts
/^confirmed|^not |^  [^ ]/
END

# A deadlock that the program has, and the scenario that shows it.
line "verisoft verify account.c deadlock assertions --exhaustive --json report.json 2> log | tail -n +4"
run json report.json properties.0.trial
run json report.json properties.0.scenario
line "grep -v '^#' error1.path"
must rm error1.path
line "verisoft verify account.harness --exhaustive 2> log | awk -f verdicts"

# A formula: the program does all steps, and its own variables say whether it is violated there; where something is mapped it may not be, and where a
# symbol cannot be computed on the program the model is believed.
lost='property lost\n symbol whole  alice.balance + bob.balance == 150\n holds []whole\nend\n'
{ sed -e '/^map/,/^end/d' -e '/^property/,$d' account.harness; printf "$lost"; } > formula.harness
{ sed '/^property/,$d' account.harness; printf "$lost"; } > mapped.harness
line "verisoft verify formula.harness lost --exhaustive --form none 2> log | awk -f verdicts"
line "verisoft verify mapped.harness lost --exhaustive --form none 2> log | awk -f verdicts"
{ sed -e '/^map/,/^end/d' -e '/^property/,$d' account.harness
  printf 'property seen\n symbol free  !vs_mutex(&alice.lock)->owner\n symbol whole  alice.balance == 50\n holds [](free -> whole)\nend\n'; } > seen.harness
line "verisoft verify seen.harness seen --exhaustive --form none 2> log | grep -e ^confirmed -e symbols"
line "sed 's/alice.balance/alicia.balance/' formula.harness > slip.harness; verisoft verify slip.harness lost 2>&1 | grep -o slip.harness:11"

# Values by the words of the program, also in structs and arrays.
cat > words.c << 'END'
#include <assert.h>
typedef enum { IDLE, BUSY = 4 } state_t;
enum colour { RED, GREEN };
static struct box { enum colour c; int n; struct { state_t s; }; } box;
static state_t states[2];
static int table[18];
int main(void)
{
    box.c = GREEN, states[1] = BUSY, box.n = 7, box.s = BUSY;
    assert(box.n == table[0]);
    return 0;
}
END
line "verisoft verify words.c assertions --exhaustive --no-trial --form variables 2> log | sed -n '/assert.* fails/,/^$/p'"

# With conditions that go both ways the model does more than the program.
line "verisoft verify abstract.harness assertions --exhaustive 2> log | awk -f verdicts"

# The manual's air-conditioning controller: two processes, a queue, a toss.
line "verisoft verify main.c assertions --form none 2> log | awk -f verdicts"
line "grep -v -e '^#' -e '^program' error1.path"
must rm error1.path

# A data race: the accesses to its variable are operations of the scenario, which replays.
cat > race.c << 'END'
#include <assert.h>
#include <pthread.h>
static int counter;
static void *add(void *arg) { (void)arg; counter++; return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    counter++;
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
END
line "verisoft verify race.c assertions --exhaustive --form none 2> log | awk -f verdicts"
line "verisoft replay race.c -pthread --stdin /dev/null error1.path | tail -5"
must rm error1.path
line "verisoft verify race.c -fsanitize=bounds -fsanitize-undefined-trap-on-error assertions --exhaustive --form none 2> log | awk -f verdicts"
line "verisoft verify race.c assertions --exhaustive --form none --atomic-statements 2> log | awk -f verdicts"
line "verisoft verify race.c assertions --exhaustive --form none --no-trial 2> log | awk -f verdicts"

# Atomic variables, several of them in a line with others, and a deadlock that needs one.
cat > atomic.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n, other; static int plain;
static atomic_bool ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *add(void *arg)
{
    other++; n = n + 1; plain += 1; other += n;
    atomic_store(&ready, 1);                     /* without the mutex: the signal may come too early */
    pthread_cond_signal(&c);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    atomic_fetch_sub(&n, 1);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(n == 0 && plain == 1);
    return 0;
}
END
line "verisoft verify atomic.c assertions deadlock --exhaustive --form none 2> log | awk -f verdicts"
must rm error1.path error2.path

# Progress: a server makes some with each operation, however long it computes in between, and who computes for ever makes none.
cat > server.c << 'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void *serve(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        turn = !turn;
        pthread_mutex_unlock(&m);
#ifdef ENDLESS
        int i = 0;
        while (i >= 0)
            i = !i;
#else
        for (int i = 0; i < 50; i++)
            ;
#endif
    }
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
#ifdef ENDLESS
    return pthread_join(t, NULL);
#endif
    return serve(NULL) != NULL;
}
END
line "verisoft verify server.c progress --exhaustive --form none 2> log | awk -f verdicts"
# Where ptrace is refused, the lines of the loop are not known.
cat > loop << 'END'
if may-trace; then cat; else sed 's/spins for .* seconds without a visible operation/spins in serve(), server.c:12-13/'; fi
END
line "verisoft verify server.c -DENDLESS progress deadlock --exhaustive --form none 2> log | awk -f verdicts | sh loop"
must rm -f error1.path

# What it has no room for.
cat > deep.c << 'END'
#include <verisoft.h>
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int main(void) { VS_assert(depth(3 * VS_toss(2)) != 3); return 0; }
END
line "verisoft verify deep.c assertions --exhaustive --form none --recursion 9 2> log | awk -f verdicts"
line "verisoft verify deep.c assertions --exhaustive --form none --recursion 2 2> log"

# Several violations, the shortest first, each with another end; side by side the same.
cat > several.c << 'END'
#include <verisoft.h>
int main(void)
{
    int x = VS_toss(3), y = VS_toss(1);
    if (y)
        VS_assert(x != 1);
    else
        VS_assert(x != 2);
    VS_assert(x != 3);
    return 0;
}
END
line "verisoft verify several.c assertions --no-trial --trails 5 --json report.json 2> log"
line "verisoft verify several.c deadlock assertions --no-trial --trails 5 -j 2 --json many.json > out 2> log"
run json report.json properties.0.other_trails.1.trail.4.statement
run json many.json properties.1.other_trails.1.trail.4.statement

# Each of several is tried on the program, and has a scenario of its own.
cat > ends.c << 'END'
#include <assert.h>
#include <pthread.h>
#include "verisoft.h"
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int asked;
void *other(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&a);
    if (VS_toss(1))
        asked = 1;
    else
        pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return 0;
}
END
rm -f error*.path
line "verisoft verify ends.c deadlock --trails 4 --form none --json ends.json 2> log | grep -e ^confirmed -e ^another -e property"
run json ends.json properties.0.other_trails.0.scenario
line "verisoft replay ends.c -pthread --stdin /dev/null error2.path | tail -1 | sed s/:1[12]/:12/"

# Six columns on a page of 80, and a long statement in the last.
cat > six.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a_lock_with_a_long_name = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void *worker(void *arg)
{
    int me = (int)(long)arg;
    pthread_mutex_lock(&a_lock_with_a_long_name);
    assert((turn += me) != 15 || me != 5 || a_lock_with_a_long_name.__data.__kind == PTHREAD_MUTEX_RECURSIVE_NP);
    pthread_mutex_unlock(&a_lock_with_a_long_name);
    return NULL;
}
int main(void)
{
    pthread_t t[5];
    for (long i = 0; i < 5; i++) {
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
        pthread_join(t[i], NULL);
    }
    return 0;
}
END
line "verisoft verify six.c assertions --exhaustive --no-trial 2> log | sed -n '/^step/,/^$/p' | tee shown | awk 'length > 80' | wc -l"
line "sed -n '1,/^   1/p' shown"
