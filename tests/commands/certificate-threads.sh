# Invariants and certificates of programs with threads. SPDX-License-Identifier: MIT
command -v gcc > /dev/null || { echo "gcc is not installed"; exit 77; }
export CC=gcc                        # other compilers keep other things in memory, and may have other counts
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
said() { run "$@" | sed 's/[0-9,]* bytes/N bytes/g; s/[0-9a-f]\{64\}/DIGEST/g; s/0x2[0-9a-f]*/ADDRESS/g'; }
seen() { find_in "$@" | sed 's/0x2[0-9a-f]*/ADDRESS/g'; }
cat > pot.c << 'END'
#include <pthread.h>
#include <stdlib.h>
enum { ROOM = 2 };
static struct pot { pthread_mutex_t lock; pthread_cond_t changed; int filled; struct pot *self; } *pot;
static int room, most;
static void *cook(void *extra)
{
    for (;;) {
        pthread_mutex_lock(&pot->lock);
        while (pot->filled == room)
            pthread_cond_wait(&pot->changed, &pot->lock);
        pot->filled += extra ? 2 : 1;
        pthread_cond_signal(&pot->changed);
        pthread_mutex_unlock(&pot->lock);
    }
}
static void *eat(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&pot->lock);
        while (pot->filled <= 0)
            pthread_cond_wait(&pot->changed, &pot->lock);
        pot->filled--;
        pthread_cond_signal(&pot->changed);
        pthread_mutex_unlock(&pot->lock);
    }
    return unused;
}
int main(int argc, char **argv)
{
    static pthread_t t[2];
    room = argc > 1 ? atoi(argv[1]) : ROOM;
    pot = calloc(1, sizeof *pot);
    pot->self = pot;
    pthread_mutex_init(&pot->lock, NULL);
    pthread_cond_init(&pot->changed, NULL);
#ifdef WRONG
    pthread_create(&t[0], NULL, cook, &room);
#else
    pthread_create(&t[0], NULL, cook, NULL);
#endif
    pthread_create(&t[1], NULL, eat, NULL);
    pthread_join(t[0], NULL);
    most = argc;
    return 0;
}
END

echo '# invariants'
said verisoft pot.c --instrument 0 --invariant 'pot implies pot->filled <= ROOM' --invariant 'pot->self->filled >= 0 || !pot' -- 2
seen 'false\|^ *!' verisoft pot.c -DWRONG --invariant 'pot implies pot->filled <= room' --search bfs -- 3
seen 'false' verisoft replay pot.c -DWRONG --invariant 'pot implies pot->filled <= room' error1.path -- 3
for search in 'stateful' 'bfs' 'dfs --reduction none --max-depth 14' 'dfs --reduction sleep --max-depth 14' 'random --random-seed 3'; do
    seen 'false' verisoft pot.c --search $search --invariant 'pot implies pot->filled < 2'
done
run verisoft pot.c --quiet --invariant 'pot implies next(pot->filled) >= pot->filled - 1'
seen 'false' verisoft pot.c --invariant 'pot implies next(pot->filled) == pot->filled || pot->filled == 0'
run verisoft pot.c --invariant 'pott == 0'
run verisoft pot.c --invariant 'most == 0' --reduction optimal

echo '# certificates'
said verisoft pot.c -DROOMY --certificate pot.scc --invariant 'room <= 3' -- 3
line 'sed -n "/^memory\|^arguments\|^invariant/p" pot.scc'
said verisoft certify pot.c -DROOMY pot.scc --invariant 'pot implies pot->filled <= 3' -- 3
said verisoft certify pot.c -DROOMY pot.scc --restart 1 --quiet -- 3
said verisoft certify pot.c -DROOMY pot.scc --invariant 'pot implies pot->filled < 3' -- 3
seen 'false' verisoft replay pot.c -DROOMY --invariant 'pot implies pot->filled < 3' error5.path -- 3

echo '# another program'
said verisoft certify pot.c -DROOMY pot.scc -- 2
seen 'invariant\|error\|^  *[0-9]* ' verisoft replay pot.c -DROOMY rejected1.path -- 2
sed 's/^memory: shared/memory: own/' pot.scc > own.scc
said verisoft certify pot.c -DROOMY own.scc --quiet -- 3

echo '# somebody who believes it'
said verisoft pot.c --certificate short.scc --trustful --quiet
said verisoft certify pot.c short.scc --trustful --invariant 'room == 2 || !room'

echo '# variables without a lock'
cat > atomic.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *work(void *a) { atomic_fetch_add(&n, 1); return a; }
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return n != 2;
}
C
run verisoft atomic.c --quiet --certificate atomic.scc
run verisoft certify atomic.c atomic.scc --quiet
