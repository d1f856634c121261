# Programs with threads and processes, checked by their models; counter-examples are tried on the program. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cp "$project"/examples/models/* "$project"/examples/ac-controller/main.c .

cat > verdicts << 'END'
/^(deadlock|assertions|progress|kept|paid) / { print $1, $2, $3 == "finished" ? $3 : "" }     # without what a search counts
/^confirmed|^not |^  [^ ]/
END

# A deadlock that the program has, and the scenario that shows it.
line "verisoft verify account.c deadlock assertions --exhaustive --json report.json 2> log | tail -n +4"
run json report.json properties.0.trial
run json report.json properties.0.scenario
line "grep -v '^#' error1.path"
must rm error1.path
line "verisoft verify account.harness --exhaustive 2> log | awk -f verdicts"

# Without data the model does more than the program.
line "verisoft verify abstract.harness assertions --exhaustive 2> log | awk -f verdicts"

# The manual's air-conditioning controller: two processes, a queue, a toss.
line "verisoft verify main.c assertions --form none 2> log | awk -f verdicts"
line "grep -v -e '^#' -e '^program' error1.path"
must rm error1.path

# A data race is there in the model alone.
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
line "verisoft verify race.c assertions --exhaustive --form none --atomic-statements 2> log | awk -f verdicts"
line "verisoft verify race.c assertions --exhaustive --form none --no-trial 2> log | awk -f verdicts"

# What it has no room for.
cat > deep.c << 'END'
#include <verisoft.h>
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int main(void) { VS_assert(depth(3 * VS_toss(2)) != 3); return 0; }
END
line "verisoft verify deep.c assertions --exhaustive --form none --recursion 9 2> log | awk -f verdicts"
line "verisoft verify deep.c assertions --exhaustive --form none --recursion 2 2> log"
