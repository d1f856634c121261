# Scenarios that older versions wrote, in their words, are still read. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > program.c <<'END_OF_PROGRAM'
#include <pthread.h>

static pthread_spinlock_t a, b;

static void *other(void *unused)
{
    pthread_spin_lock(&b);
    pthread_spin_lock(&a);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&thread, NULL, other, NULL);
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_join(thread, NULL);
    return 0;
}
END_OF_PROGRAM
must ${CC:-gcc} -g -pthread -o program program.c
verisoft ./program --quiet
grep -q pthread_spin_lock error1.path || { echo "no spin lock in the scenario:"; cat error1.path; exit 1; }
sed s/pthread_spin/pthread_mutex/ error1.path > older.path
sed s/pthread_spin/pthread_rwlock/ error1.path > other.path
verisoft replay ./program older.path > said
is "status of an older scenario" 1 $?
verisoft replay ./program other.path > said 2>&1
is "status of a scenario of another program" 2 $?
exit $failed
