# Searches that keep states, of programs with threads: what ends, what is found, and what is refused.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
command -v gcc > /dev/null || { echo "gcc is not installed"; exit 77; }
export CC=gcc                        # other compilers keep other things in memory, and may have other counts
counts() { sed -n 's/^  "\(result\|states\|transitions\|stopped_by\)": \(.*\),$/\1 \2/p' "$1"; }

cat > loop.c << 'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    static pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
echo "two threads that run for ever:"
for search in "stateful" "bfs" "stateful --restart 1"; do
    verisoft loop.c --search $search --json report.json > /dev/null; echo "$search: status $?"
    counts report.json
done

# Newer C libraries count what was ever written to a stream; here the program does so in their place. (Compiled as it is: that it races
# there with itself would make a variable of it, which never comes back to what it was.)
sed 's/for (;;) {/& puts("again"); ++*(unsigned long *)((char *)\&stdout->_mode + 8);/; 1i #include <stdio.h>' loop.c > prints.c
echo "the same, with output:"
verisoft prints.c --instrument 0 --search stateful --stop-at-state 1000 --json report.json > /dev/null; echo "status $?"
counts report.json

echo "with sleep sets all states by fewer transitions, of threads and of processes:"
for program in prints.c "$project/examples/producers-consumers.c"; do
    for reduction in none sleep; do
        verisoft "$program" --instrument 0 --search stateful --reduction $reduction --json report.json > /dev/null; echo "$reduction: status $?"
        counts report.json
    done
done
verisoft prints.c --instrument 0 --search stateful --reduction sleep --max-depth 10; echo "status $?"
verisoft prints.c --instrument 0 --search bfs --reduction sleep; echo "status $?"

cat > serve.c << 'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int served;
static void *run(void *message)
{
    pthread_mutex_lock(&m);
    served = !served;
    pthread_mutex_unlock(&m);
    free(message);
    return NULL;
}
int main(void)
{
    for (;;) {
        static pthread_t t;
        pthread_create(&t, NULL, run, calloc(1, 100));
        pthread_join(t, NULL);
    }
}
END
echo "a thread for each request, round and round (17 or 18 states: the compiler may leave something on a stack):"
verisoft serve.c --search stateful --stop-at-state 1000 --json report.json > /dev/null; echo "status $?"
counts report.json | sed 's/^\(states\|transitions\) 1[78]$/\1 17 or 18/'

cat > wrong.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *last)
{
    for (;;) {
        pthread_mutex_lock(&m);
        x = (x + 1) % 5;
        assert(x != 4 || !last);
        pthread_mutex_unlock(&m);
    }
}
int main(void)
{
    static pthread_t t[2];
    pthread_create(&t[0], NULL, run, NULL);
    pthread_create(&t[1], NULL, run, &m);
    pthread_join(t[0], NULL);
    return 0;
}
END
echo "an assertion, shortest first:"
verisoft wrong.c --search bfs --json report.json > /dev/null; echo "status $?"
sed -n 's/^      "\(kind\|depth\|location\)": \(.*\),$/\1 \2/p' report.json
verisoft replay wrong.c error1.path > /dev/null; echo "replay: status $?"

sed 's/pthread_mutex_lock(&m);/& fopen("loop.c", "r");/; 1i #include <stdio.h>' loop.c > file.c
echo "what the kernel keeps is not seen:"
verisoft file.c --search stateful; echo "status $?"
printf '#include <pthread.h>\n#include <unistd.h>\n%s\n%s\n' 'static void *run(void *a) { return a; }' \
    'int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); if (!fork()) _exit(0); pthread_join(t, 0); return 0; }' > child.c
verisoft child.c --search bfs; echo "status $?"

# More than 128 KB of what a file had in it: what lies beside a word that was written stays when the word goes back.
cat > table.c << 'END'
#include <assert.h>
#include <pthread.h>
enum { MANY = 100000, MIDDLE = MANY / 2 };
static int table[MANY] = { [0 ... MANY - 1] = 7 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *at)
{
    pthread_mutex_lock(&m);
    ++*(int *)at;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, &table[MIDDLE]);
    pthread_create(&b, NULL, run, &table[MIDDLE + 1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(table[MIDDLE] == 8 && table[MIDDLE + 1] == 8 && table[MIDDLE + 2] == 7);
    return 0;
}
END
echo "a large table:"
verisoft table.c --search stateful --json report.json > /dev/null; echo "status $?"
counts report.json

# Coroutines: what they leave behind on stacks that are memory of the program is the same by whatever way it was come to.
cat > routines.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>
enum { BYTES = 65536 };
static __thread ucontext_t back, routine;
static __thread int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void body(void) { for (int i = 0; i < 2; i++) { sum++; swapcontext(&routine, &back); } }
static void *run(void *unused)
{
    char *stack = malloc(BYTES);
    getcontext(&routine);
    routine.uc_stack.ss_sp = stack;
    routine.uc_stack.ss_size = BYTES;
    routine.uc_link = &back;
    makecontext(&routine, body, 0);
    for (int i = 0; i < 3; i++)
        swapcontext(&back, &routine);
    pthread_mutex_lock(&m);
    total += sum;
    pthread_mutex_unlock(&m);
    free(stack);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 4);
    return 0;
}
END
must ${CC:-gcc} -g -pthread routines.c -o routines
for how in stateful "stateful --restart 1" bfs; do
    verisoft ./routines --search $how --json report.json > /dev/null; echo "coroutines, $how: status $?, $(json report.json states) states"
done
