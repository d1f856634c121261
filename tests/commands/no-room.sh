# What VeriSoft has no room for is said, and no verdict is made of it. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"

# More atomic variables than are remembered: not a loop without end.
cat > atomics.c << 'end'
#include <pthread.h>
#include <stdatomic.h>
static atomic_long all[70000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *nothing)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return nothing;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 70000; i++)
        atomic_store(&all[i], i);
    pthread_join(thread, NULL);
}
end
verisoft atomics.c > said 2>&1
is "status of many atomic variables" 3 $?
grep -q '^not controlled 1' said && grep -q 'more atomic variables than VeriSoft can' said || { cat said; failed=1; }

# More on the stack of the first thread than can be compared, though not too much to be copied.
cat > stack.c << 'end'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *count)
{
    pthread_mutex_lock(&lock);
    ++*(char *)count;
    pthread_mutex_unlock(&lock);
    return count;
}
int main(void)
{
    char large[100 << 20];
    pthread_t thread;
    large[0] = 0;
    pthread_create(&thread, NULL, other, large);
    pthread_mutex_lock(&lock);
    large[0]++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(large[0] == 2);
}
end
must ${CC:-cc} -g -o stack stack.c -pthread
if (ulimit -s unlimited) 2> /dev/null; then
    (ulimit -s unlimited; exec verisoft ./stack --quiet) > said 2>&1
    is "status of a large stack" 0 $?
    (ulimit -s unlimited; exec verisoft ./stack --search stateful) > said 2>&1
    is "status of a large stack where states are kept" 2 $?
    grep -q 'has more on its stack than' said || { cat said; failed=1; }
fi

[ -x "$B/verisoft-extract" ] || exit $failed

# More features than the verifier has places for.
{ printf 'verisoft harness 1\nsource atomics.c\nprogram\n'; for i in $(seq 257); do echo "feature F$i i"; done; } > many.harness
verisoft verify many.harness > said 2>&1
is "status of many features" 2 $?
grep -q 'many.harness:260: there is room for 256 features' said || { cat said; failed=1; }
exit $failed
