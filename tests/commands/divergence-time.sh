# A loop is decided within twice its limit of processor time, however the program comes to it. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
most=280                             # hundredths of a second: twice the limit, and what VeriSoft itself needs
[ -z "$SAN" ] || most=600            # it needs much more then

cat > waits.c <<'END_OF_FILE'
#include <pthread.h>
static volatile int flag;
static void *set(void *argument) { flag = 1; return argument; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!flag)
        ;
    return pthread_join(thread, NULL);
}
END_OF_FILE
cat > later.c <<'END_OF_FILE'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int count;
static void *add(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    pthread_mutex_lock(&mutex);
    int seen = count;
    pthread_mutex_unlock(&mutex);
    while (seen == 1 && count < 4)   /* not in the first order */
        ;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_FILE
cat > thread.c <<'END_OF_FILE'
#include <pthread.h>
static volatile int always = 1;
static void *spin(void *argument)
{
    while (always)
        ;
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    return pthread_join(thread, NULL);
}
END_OF_FILE
cat > alone.c <<'END_OF_FILE'
int main(void)
{
    for (volatile int always = 1; always;)
        ;
    return 0;
}
END_OF_FILE
cat > held.c <<'END_OF_FILE'
#include <verisoft.h>
int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    semsetval(semaphore, 0, 1);
    fork();
    semwait(semaphore, 0, 1);
    for (volatile int always = 1; always;)
        ;
}
END_OF_FILE

# The processor time of all that has ended below this shell (the second line of times), in hundredths of a second. Not in $(...): that
# is another shell.
take_time()
{
    times > times
    spent=$(tail -n 1 times | tr ms '  ' | awk '{ print int(100 * (60 * $1 + $2 + 60 * $3 + $4)) }')
}

decides()                            # STATUS FINDINGS, and what to run
{
    status=$1 findings=$2
    shift 2
    rm -f r.json
    take_time
    before=$spent
    verisoft "$@" --divergence-limit 1 --json r.json > out 2>&1
    is "exit status of $*" $status $?
    take_time
    at_most "hundredths of a second for $*" $most $((spent - before))
    [ $((spent - before)) -ge 90 ] || { echo "$*: the time was not measured"; failed=1; }
    is "stopped by, $*" divergence "$(json r.json stopped_by)"
    is "errors and limits of $*" "$findings" "$(findings)"
}

findings() { grep -c "^error [0-9]*: " out | tr '\n' ' '; grep -c "^not controlled [0-9]*: " out; }

for program in waits later thread alone held; do
    build $program $program.c -pthread
done
decides 3 "0 1" ./waits
decides 3 "0 1" ./later
decides 1 "1 0" ./thread
decides 1 "1 0" ./alone
decides 1 "1 0" ./held

# While it is waited for, an end is not: the limit would be met after many minutes only.
verisoft ./thread --divergence-limit 1000 > out 2>&1 &
verisoft=$!
sleep 1
kill -INT $verisoft
wait $verisoft
is "exit status after an interrupt" 130 $?
exit $failed
