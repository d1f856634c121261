# A program that is linked with -pthread is compiled once, so that it tells of what its threads read and write; where the compiler has something to say, it speaks once, of what
# the user wrote; and a program without threads is searched all the same. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
printf '#!/bin/sh\ncase " $* " in *" -c "*|*/program*) echo >> "%s/made" ;; esac\nexec %s "$@"\n' "$PWD" "${CC:-gcc}" > counts
chmod +x counts
compiles() {                         # WHAT TIMES STATUS OPTIONS...
    what=$1 times=$2 status=$3; shift 3
    : > made
    CC=./counts verisoft "$@" --quiet --json r.json > said 2>&1
    is "status, $what" $status $?
    is "compilations, $what" $times "$(wc -l < made)"
}
cat > threads.c <<'END2'
#include <pthread.h>
#include <stdlib.h>
static int n;
static void *run(void *a) { n++; return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    n++;
    return pthread_join(t, NULL);
}
END2
compiles "with -pthread" 1 1 threads.c -pthread
is "what is found" race "$(json r.json errors.0.kind)"
compiles "without" 2 1 threads.c
compiles "as it is" 1 0 threads.c -pthread --instrument 0
sed 's/pthread_t t;/pthread_t t; int unused;/' threads.c > warned.c
compiles "with a warning" 2 1 warned.c -pthread -Wall
is "warnings" 1 "$(grep -c 'warning: unused variable' said)"
echo 'int main(void) { return undeclared; }' > wrong.c
CC=./counts verisoft wrong.c -pthread > said 2>&1
is "status of what does not compile" 2 $?
is "errors" 1 "$(grep -c 'error:.*undeclared' said)"

# Processes that share nothing: the same with and without.
cat > processes.c <<'END2'
#include <verisoft.h>
int main(void)
{
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        send_to_queue(queue, 2, "a");
        exit(0);
    }
    rcv_from_queue(queue, 2);
    VS_assert(VS_toss(2) < 2);
    return 0;
}
END2
for options in "" -pthread; do
    compiles "processes $options" 1 1 processes.c $options --stop-at-error 0
    sed '/"seconds"\|"memory_kb"/d' r.json > report$options
done
diff report report-pthread || failed=1
exit $failed
