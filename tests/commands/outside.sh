# What is left outside is run within the transitions of the others, and said: by function, by type, by object, by process. The search is that of the program without it,
# by every search and reduction; what waits outside for ever; what comes to no rest; what carries interaction; with what it does not go together.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cp "$project/examples/logger.c" . && gcc -g -pthread logger.c -o logger && gcc -g -pthread -DSTUCK logger.c -o stuck || exit 1
counts() { verisoft "$@" --json report.json --quiet > said 2>&1; echo "$? $(sed -n 's/.*"\(states\|transitions\|executions\|sleep_cut\)": \([0-9]*\),.*/\2/p' report.json | tr '\n' ' ')"; }
executions() { verisoft ./logger --json report.json --quiet --max-depth 200 "$@" > said 2>&1; echo "$? $(sed -n 's/.*"executions": \([0-9]*\),.*/\1/p' report.json)"; }
all="--outside logger --outside log_line --outside log_close"

is "logger, log_line and log_close outside" "0 2" "$(executions $all)"
grep -q '"outside (--outside): logger, log_line, log_close' report.json || { grep -A3 notes report.json; failed=1; }
is "by process and function" "0 2" "$(executions --outside 'process 2' --outside log_line --outside log_close)"

# A mutex and a condition variable that two threads under control use: less is promised.
is "by object" "3 2" "$(executions --outside 'mutex log_lock' --outside 'condition variable log_changed')"
grep -q '"mutex log_lock, which is outside, is used by processes 1, 2 and 3, which are under control' report.json || { cat said; failed=1; }
is "by object and file" "3 2" "$(executions --outside 'mutex log_lock in logger.c' --outside 'condition variables')"
is "used in what is searched, too" "3 2" "$(executions --outside logger --outside log_line)"
grep -q 'log_lock, which is outside, is used by processes 1 and 3, which are under control, also from what is searched' report.json || { cat said; failed=1; }
executions --outside nothing_like_it $all > /dev/null
grep -q 'nothing_like_it: nothing that the program did is called so' report.json said || { cat said; failed=1; }

verisoft ./stuck $all > said 2>&1
is "what waits outside for ever" 1 $?
grep -q 'divergence' said && grep -q 'logger.c:[23][0-9]: process 3 waits for ever in pthread_cond_wait(log_changed) wakes' said || { cat said; failed=1; }
sh -c "$(sed -n 's/^  see it happen:  //p' said)" > replayed 2>&1
is "its replay" 1 $?
verisoft logger.c -pthread -DWRONG $all > said 2>&1
is "a deadlock inside" 1 $?
sh -c "$(sed -n 's/^  see it happen:  //p' said)" > replayed 2>&1
is "its replay" 1 $?
grep -q 'process 1 waits for process 3, which waits for' said || { cat said; failed=1; }
verisoft replay logger.c -pthread -DWRONG "$(sed -n 's/.* \(error[0-9]*.path\)$/\1/p' said | head -1)" > replayed 2>&1
is "its replay, with nothing outside" 1 $?

# Ten threads of a logger: everything is counted as in the program without them.
cat > ten.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#if LOGGERS
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int lines, written, closed;
static pthread_t writers[LOGGERS];
static void log_line(void)
{
    pthread_mutex_lock(&lock);
    while (lines == 2)
        pthread_cond_wait(&room, &lock);
    lines++;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&lock);
}
static void *logger(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!lines && !closed)
            pthread_cond_wait(&some, &lock);
        if (!lines)
            break;
        lines--;
        written++;
        pthread_cond_signal(&room);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}
static void log_open(void)
{
    for (int i = 0; i < LOGGERS; i++)
        pthread_create(&writers[i], NULL, logger, NULL);
}
static void log_close(void)
{
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&some);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < LOGGERS; i++)
        pthread_join(writers[i], NULL);
}
#else
static void log_line(void) { }
static void log_open(void) { }
static void log_close(void) { }
#endif
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static sem_t s;
static int x;
static void *one(void *unused)
{
#include "one.inc"
    return unused;
}
static void *two(void *unused)
{
#include "two.inc"
    return unused;
}
int main(void)
{
    pthread_t t, u;
    sem_init(&s, 0, 1);
    log_open();
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
#include "main.inc"
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    log_close();
    return 0;
}
END
# A made-up body: `steps` times one of a few things, a line of the log between some of them.
body() {
    awk -v seed="$1" -v steps="$2" 'BEGIN { srand(seed);
        for (i = 0; i < steps; i++) {
            r = int(rand() * 6); k = int(rand() * 2);
            if (rand() < .4) print "    log_line();";
            if (r < 3) { print "    pthread_mutex_lock(&m[" k "]);"; if (rand() < .5) print "    log_line();"; if (rand() < .3) print "    sem_trywait(&s);"; print "    x++;"; print "    pthread_mutex_unlock(&m[" k "]);" }
            else if (r == 3) print "    sem_post(&s);";
            else if (r == 4) print "    sem_wait(&s);";
            else print "    if (!sem_trywait(&s)) { log_line(); sem_post(&s); }";
        } }'
}
for seed in 1 2 3 4; do
    body $((100 + seed)) 2 > one.inc; body $((200 + seed)) 2 > two.inc; body $((300 + seed)) 1 > main.inc
    gcc -g -pthread -DLOGGERS=0 ten.c -o without && gcc -g -pthread -DLOGGERS=10 ten.c -o with || exit 1
    for how in "dfs source" "dfs optimal" "dfs sleep" "iterative optimal" "bfs none" "stateful none"; do
        set -- $how
        want=$(counts ./without --search $1 --reduction $2 --stop-at-error 0); got=$(counts ./with --search $1 --reduction $2 --stop-at-error 0 $all)
        # Where lines were lost to a deadlock, what the logger has written is another state of memory.
        [ "$1" = stateful ] || [ "$1" = bfs ] && { want=${want%% *}; got=${got%% *}; }
        is "program $seed, $how: without the logger, and with ten of it outside" "$want" "$got"
    done
done

# What is done by a function that is called in what is searched as well: each call is what its caller is, also where nobody has been yet.
cat > called.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order[2], n;
static void put(int who) { pthread_mutex_lock(&m); if (who) order[n++] = who; pthread_mutex_unlock(&m); }
static void log_line(void) { put(0); }
static void *one(void *who) { log_line(); log_line(); put((int)(long)who); return who; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, one, (void *)1);
    pthread_create(&u, NULL, one, (void *)2);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(order[0] == 1);
    return 0;
}
END
gcc -g -pthread called.c -o called || exit 1
for reduction in source optimal sleep; do
    is "called in what is searched, too, $reduction" "1" "$(counts ./called --search dfs --reduction $reduction --outside log_line | awk '{ print $1 }')"
done

# Other ways to log: by a pipe of which one end is never closed, beside a pipe that is under control; a thread that is cancelled, or that nobody waits for; a variable
# that is atomic; a child, also one that nobody waits for. Where threads are not joined, the program's end has steps of its own: these are counted by executions alone.
cat > ways.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_t writer;
static int written;
#if defined PIPE
static int lines[2];
static void log_line(void) { if (write(lines[1], "l", 1) != 1) abort(); }
static void *logger(void *unused) { char c; while (read(lines[0], &c, 1) == 1) written++; return unused; }
static void log_open(void) { if (pipe(lines)) abort(); pthread_create(&writer, NULL, logger, NULL); }
static void log_close(void) { close(lines[1]); pthread_join(writer, NULL); }
#elif defined CANCELLED
static sem_t lines;
static void log_line(void) { sem_post(&lines); }
static void *logger(void *unused) { for (;;) { sem_wait(&lines); written++; } return unused; }
static void log_open(void) { sem_init(&lines, 0, 0); pthread_create(&writer, NULL, logger, NULL); }
static void log_close(void) { pthread_cancel(writer); pthread_join(writer, NULL); }
#elif defined DETACHED
static pthread_mutex_t lines = PTHREAD_MUTEX_INITIALIZER;
static void *logger(void *unused) { pthread_mutex_lock(&lines); written++; pthread_mutex_unlock(&lines); return unused; }
static void log_line(void) { pthread_t t; pthread_create(&t, NULL, logger, NULL); pthread_detach(t); }
static void log_open(void) { (void)writer; }
static void log_close(void) { }
#elif defined CHILD || defined ORPHAN
static int lines[2];
static pid_t child;
static void log_line(void) { if (write(lines[1], "l", 1) != 1) abort(); }
static void logger(void) { char c; while (read(lines[0], &c, 1) == 1) written++; }
static void log_open(void) { (void)writer; if (pipe(lines)) abort(); if (!(child = fork())) { close(lines[1]); logger(); _exit(0); } }
#ifdef CHILD
static void log_close(void) { close(lines[1]); waitpid(child, NULL, 0); }
#else
static void log_close(void) { }
#endif
#elif defined ATOMIC
static _Atomic int lines, closed;
static void log_line(void) { lines++; }
static void *logger(void *unused) { while (!closed) { if (lines) { lines--; written++; } sched_yield(); } return unused; }
static void log_open(void) { pthread_create(&writer, NULL, logger, NULL); }
static void log_close(void) { closed = 1; pthread_join(writer, NULL); }
#else
static void log_line(void) { (void)writer; (void)written; }
static void log_open(void) { }
static void log_close(void) { }
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int own[2], x;
static void *other(void *unused)
{
    log_line();
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    if (write(own[1], "x", 1) != 1)
        abort();
    log_line();
    return unused;
}
int main(void)
{
    char c;
    pthread_t t;
    if (pipe(own))
        abort();
    log_open();
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&m);
    x++;
    log_line();
    pthread_mutex_unlock(&m);
    if (read(own[0], &c, 1) != 1)
        abort();
    pthread_join(t, NULL);
    log_close();
    return x != 2;
}
END
for how in "dfs source" "dfs optimal" "dfs sleep" "dfs none"; do
    set -- $how
    want=$(counts ways.c -pthread --search $1 --reduction $2)
    for way in PIPE CANCELLED ATOMIC CHILD ORPHAN; do
        is "a log that is $way and outside, $how: as without it" "$want" "$(counts ways.c -pthread -D$way --search $1 --reduction $2 $all --outside log_open)"
    done
    is "a log that is a child, outside by its number, $how" "$want" "$(counts ways.c -pthread -DCHILD --search $1 --reduction $2 --outside 'process 2' --outside log_line --outside log_close --outside log_open)"
    is "a log that is DETACHED and outside, $how" "$(echo "$want" | awk '{ print $1, $4 }')" "$(counts ways.c -pthread -DDETACHED --search $1 --reduction $2 $all | awk '{ print $1, $4 }')"
done

# A signal from outside is something that those under control learn of what is outside.
cat > tells.c <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t came;
static void on(int number) { came = number; }
static void helper(void) { if (!fork()) { if (SENT) kill(getppid(), SENT); _exit(0); } }
int main(void)
{
    struct sigaction a = { .sa_handler = on };
    sigaction(SIGUSR1, &a, NULL);
    if (SENT == 0)
        sigaction(SIGCHLD, &a, NULL);
    helper();
    wait(NULL);
    return 0;
}
END
for sent in SIGUSR1 0; do
    is "a signal from outside, $sent" 3 "$(counts tells.c -DSENT=$sent --outside helper | awk '{ print $1 }')"
    grep -q 'signals come from outside to process 1, under control' report.json || { cat said; failed=1; }
done

# Those who look again and again, or wait for a while, do not keep it from coming to rest.
cat > poll.c <<'END'
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static int lines, closed, x;
static void log_line(void) { pthread_mutex_lock(&lock); lines++; pthread_mutex_unlock(&lock); }
static void *poller(void *unused)
{
    for (int end = 0; !end;) {
#ifdef RESTLESS
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
#else
        usleep(1000);
#endif
        pthread_mutex_lock(&lock);
        end = closed;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *timed(void *unused)
{
    struct timespec t;
    pthread_mutex_lock(&lock);
    while (!closed) {
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_sec++;
        pthread_cond_timedwait(&some, &lock, &t);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}
static void log_close(void) { pthread_mutex_lock(&lock); closed = 1; pthread_mutex_unlock(&lock); }
static void *other(void *unused)
{
    log_line();
    pthread_mutex_lock(&WRONG);
    pthread_mutex_lock(WRONG_IS_B ? &a : &b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
int main(void)
{
    pthread_t p, t, o;
    pthread_create(&p, NULL, poller, NULL);
    pthread_create(&t, NULL, timed, NULL);
    pthread_create(&o, NULL, other, NULL);
    log_line();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(o, NULL);
#ifndef FOREVER
    log_close();
    pthread_join(p, NULL);
    pthread_join(t, NULL);
#endif
    return x != 2;
}
END
polls="--outside poller --outside timed --outside log_line --outside log_close"
right="-DWRONG=a -DWRONG_IS_B=0"
for reduction in source optimal; do
    is "pollers outside, $reduction" "0 2" "$(counts poll.c -pthread $right $polls --search dfs --reduction $reduction | awk '{ print $1, $4 }')"
    is "pollers that never end, $reduction" "0 2" "$(counts poll.c -pthread $right -DFOREVER $polls --search dfs --reduction $reduction | awk '{ print $1, $4 }')"
    is "pollers and a deadlock, $reduction" "1" "$(counts poll.c -pthread -DWRONG=b -DWRONG_IS_B=1 $polls --search dfs --reduction $reduction | awk '{ print $1 }')"
    grep -q '"kind": "deadlock"' report.json || failed=1
done
verisoft poll.c -pthread $right -DRESTLESS $polls > said 2>&1
is "what comes to no rest" 2 $?
grep -q "what is outside comes to no rest: process 2 does 'pthread_mutex_lock' again, after 20000 operations" said || { cat said; failed=1; }

# Separate processes from a source share nothing; a wait for any child finds the one outside, too.
cat > children.c <<'END'
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
static pid_t aside(void) { pid_t p = fork(); if (p == 0) _exit(3); return p; }
int main(void)
{
    pid_t first = aside(), second = fork();
    if (second == 0)
        _exit(4);
    pid_t got = wait(NULL);
    assert(EXPECTED);
    return 0;
}
END
children() { verisoft children.c "-DEXPECTED=$1" --outside aside > said 2>&1; is "children, $1" "$2" $?; }
children 'got == first || got == second' 0
grep -q 'outside (--outside): aside' said || { cat said; failed=1; }
children 'got == first' 1
children 'got == second' 1
verisoft children.c -DEXPECTED=got --outside nothing_like_it > said 2>&1
grep -q 'nothing_like_it: nothing that the program did is called so' said || { cat said; failed=1; }

verisoft ./logger $all -j 2 > said 2>&1
is "with -j" 0 $?
grep -q 'this process searched alone; who uses what is' said || { cat said; failed=1; }

refuses() { verisoft ./logger --outside logger "$@" > said 2>&1; is "refused: $*" 2 $?; grep -q '^verisoft: --outside: ' said || { cat said; failed=1; }; }
refuses --reduction persistent
refuses --certificate logger.scc
touch begin.path; refuses --init-path begin.path
refuses --invariant 'next(written) >= written'
exit ${failed:-0}
