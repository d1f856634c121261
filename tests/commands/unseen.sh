# Where reads and writes are not seen, the report says so: an executable as others compile it, a library, an object, assembly language, also between other statements, a loop that
# waits for what is not seen, a variable that is only looked at, orders that are weaker than what is searched, a string of the C++ library, a search that goes one way to
# each state. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
may-trace || { echo "ptrace is refused here: where a loop stands is not known then"; exit 77; }
cat > count.c <<'END'
int counter;
void count(void) { counter++; }
void await(void) { while (!*(volatile int *)&counter) ; }
END
cat > fast.s <<'END'
    .text
    .globl count
count:
    incl counter(%rip)
    ret
    .bss
    .globl counter
counter:
    .zero 4
    .section .note.GNU-stack,"",@progbits
END
cat > main.c <<'END'
#include <pthread.h>
void count(void), await(void);
static void *work(void *unused) { count(); return unused; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
#ifdef AWAIT
    await();
#else
    count();
#endif
    pthread_join(a, NULL);
    return 0;
}
END
cat > weak.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, seen[2];
static void *one(void *u) { atomic_store_explicit(&x, 1, memory_order_relaxed); seen[0] = atomic_load_explicit(&y, memory_order_relaxed); return u; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, one, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(a, NULL);
    return 0;
}
END
says() {                             # PROGRAM [OPTIONS]: what the report says of what is seen
    echo "\$ verisoft $*"
    verisoft "$@" --stop-at-error 0 --json r.json --output out > said 2>&1
    echo "[$?] race-free $(json r.json race_free), unseen $(json r.json unseen)"
    head -n 1 said | grep -e '^Not' -e '^Compiled'
    tr '\n' ' ' < said | tr -s ' ' | grep -o -e 'There is no data race[^.]*\(\.[^. ][^.]*\)*\.' -e 'Atomic operations that ask[^.]*\.' \
        -e 'Data races were looked for[^.]*\.' -e '[^:]*: process 1 spins in [^ ]*'
    rm -rf out
}
must ${CC:-gcc} -g -pthread main.c count.c -o executable
says ./executable
must ${CC:-gcc} -g -shared -fPIC count.c -o libcount.so
must verisoft cc -g -pthread main.c -o with-library -L. -lcount -Wl,-rpath,'$ORIGIN'
says ./with-library
must verisoft cc -g -pthread -DAWAIT main.c -o awaits -L. -lcount -Wl,-rpath,'$ORIGIN'
says ./awaits --divergence-limit 1
must gcc -g -c count.c
must env VERISOFT_CC=gcc verisoft cc -g -pthread main.c count.o -o with-object
says ./with-object
must gcc -g -c fast.s
must env VERISOFT_CC=gcc verisoft cc -g -pthread main.c fast.o -o with-assembly
says ./with-assembly
must verisoft cc -g -pthread main.c count.c -o seen
says ./seen
cat > inline.h <<'END'
static inline void up(int *p) { __asm__ volatile("incl %0" : "+m"(*p)); }
#define LOCKED(p) __asm__ __volatile__ ("lock; incl (%0)" : : "r"(p) : "memory")
END
cat > inline.c <<'END'
#include <pthread.h>
#include "inline.h"
int counter, renamed(void) __asm__("other");
__asm(".globl _ZSt21ios_base_library_initv\n\t.weak more");
static void *work(void *unused)
{
    register long top __asm__("rax") = 0;
#if WHICH == 1
    up(&counter);
#elif WHICH == 2
    LOCKED(&counter);
#elif WHICH == 3
    if (unused == NULL)
        asm("incl counter(%rip)");
#else
    asm volatile("" : : : "memory");
    asm("rep; nop");
    __asm__ volatile("mfence" : : : "memory");
    asm("bswap %0" : "+r"(top));
    asm(";\n" "\tpause\n");
#endif
    return top ? NULL : unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    return 0;
}
END
sed 's/#include "inline.h"//' inline.c > harmless.c
for which in 1 2 3; do says inline.c -pthread -DWHICH=$which; done
says harmless.c -pthread -DWHICH=0
must verisoft cc -g -c -MD -MF inline.d -pthread -DWHICH=3 inline.c -o inline.o
must verisoft cc -pthread inline.o -o assembled
says ./assembled
# A number in the code that happens to be the distance to where the address of a function is kept is no call of it.
cat > number.c <<'END'
#include <pthread.h>
static void *work(void *unused) { __asm__ volatile("jmp 1f\n\t.long strtok@GOTPCREL-4\n1:"); return unused; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
END
says number.c -pthread
cat > words.cc <<'END'
#include <string>
#include <thread>
int main()
{
    std::string all;
    std::thread other([&] { all += "a"; });
    all += "b";
    other.join();
}
END
# A library whose code for it is made in the program shows the race itself.
says words.cc -pthread -O0 > strings
grep -q -e '^\[1\] race-free false, unseen null' -e '^\[0\] race-free false, unseen .*std::string' strings || cat strings
# Destructors that are registered, or go with an exception, are no structures; what a thread is made with is copied; and what headers of the system leave out is not named.
cat > seen.cc <<'END'
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
static std::mutex lock;
static std::condition_variable changed;
static bool ready;
int main()
{
    int mine = 0;
    std::thread other([&] { std::lock_guard<std::mutex> hold(lock); ready = true; mine = 1; changed.notify_one(); });
    {
        std::unique_lock<std::mutex> hold(lock);
        changed.wait(hold, [] { return ready; });
    }
    other.join();
    try {
        if (mine)
            throw std::bad_alloc();
    } catch (std::bad_alloc &) {
    }
}
END
for how in -O0 -O2; do says seen.cc -pthread $how; done
# But of what a thread was given by its address either the compiler tells, or it is named: clang leaves a part of the function's own variable out.
cat > mine.cc <<'END'
#include <functional>
#include <thread>
struct job { long first, done, last; };
int main()
{
    job mine = { 0, 0, 0 };
#if WHICH == 1
    std::thread other([](job *its) { its->done = 1; }, &mine);
#elif WHICH == 2
    std::thread other([](job &its) { its.done = 1; }, std::ref(mine));
#else
    std::thread other([&] { mine.done = 1; });
#endif
    long seen = mine.done;
    other.join();
    return seen > 1;
}
END
for how in -O0 -O1 -O2; do
    for which in 1 2 3; do
        verisoft mine.cc -pthread $how -DWHICH=$which --json r.json --output out --quiet
        is "no race in what a thread was given, $which $how" false "$(json r.json race_free)"
    done
done
# Of a structure that is passed by value compilers do not tell; one of the function's own is nobody else's.
cat > values.c <<'END'
#include <pthread.h>
struct large { long a, b, c; } shared, fresh(void);
struct large fresh(void) { struct large l = { 1, 2, 3 }; return l; }
long sum(struct large);
long sum(struct large l) { return l.a + l.b + l.c; }
static void *other(void *unused)
{
    struct large own = { 1, 2, 3 };
#if WHICH == 1
    return sum(shared) ? unused : NULL;
#elif WHICH == 2
    return sum(own) ? unused : NULL;
#else
    shared = fresh();
    return shared.a + own.a ? unused : NULL;
#endif
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, other, NULL);
    shared.a = 4;
    pthread_join(a, NULL);
    return 0;
}
END
for which in 1 2; do says values.c -pthread -DWHICH=$which | grep -v Compiled; done
must env VERISOFT_CC=gcc verisoft cc -g -pthread -O2 -fno-inline -DWHICH=3 values.c -o stores
says ./stores | grep unseen
cat > library.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char text[8] = "12 b", key[4] = "12", *rest;
static int ends[2];
static volatile long result;
static int order(const void *a, const void *b) { return a != b; }
static void *other(void *unused)
{
#define CALL(...) result = (long)(__VA_ARGS__)
#if WHICH == 1
    qsort(text, 4, 1, order);
#elif WHICH == 2
    CALL(strchr(text, 'b'));
#elif WHICH == 3
    CALL(strtok_r(text, " ", &rest));
#elif WHICH == 4
    CALL(read(ends[0], text, 3));
#elif WHICH == 5
    CALL(write(ends[1], text, 3));
#elif WHICH == 6
    fprintf(stderr, "%d %*d%% %s\n", 3, 4, 5, text);
#elif WHICH == 7
    CALL(strtol(text, NULL, 10));
#elif WHICH == 8
    CALL(strcmp(text, "12"));
#elif WHICH == 9
    printf("%d %5.2f %ld\n", order(key, key), 1.5, 7L);
#elif WHICH == 10
    CALL(strcasecmp(text, key));
#else
    CALL(sscanf(text, "%3s", key) == 1 && strtok(text, key));
#endif
    return unused;
}
int main(void)
{
    pthread_t a;
    if (pipe(ends) || write(ends[1], "xyz", 3) != 3)
        return 1;
    pthread_create(&a, NULL, other, NULL);
    text[0] = '3';
    pthread_join(a, NULL);
    return 0;
}
END
for which in 1 2 3 4 5 6 7 8 9 10 11; do says library.c -pthread -O2 -DWHICH=$which | grep -v Compiled | sed 's/__isoc[0-9]*_//'; done
must verisoft cc -g -pthread -DWHICH=10 library.c -o compares
says ./compares
says weak.c -pthread
says weak.c -pthread --search stateful --reduction none
says main.c count.c -pthread --instrument 0
cat > left_out.c <<'SOURCE'
#include <pthread.h>
#include <emmintrin.h>
static int shared;
#ifndef NESTED
static void *other(void *unused) { _mm_stream_si32(&shared, 3); return unused; }
#endif
int main(void)
{
    pthread_t t;
#ifdef NESTED
    int mine = 0;
    void *other(void *unused) { mine = 1; return unused; }
#else
#define mine shared
#endif
    pthread_create(&t, NULL, other, NULL);
    mine = 2;
    return pthread_join(t, NULL);
}
SOURCE
cat > part.c <<'SOURCE'
#include <pthread.h>
struct job { int number, done; };
static void *other(void *job) { ((struct job *)job)->done = 1; return NULL; }
int main(void)
{
    struct job j = { 1, 0 };
    pthread_t t;
    pthread_create(&t, NULL, other, &j);
    j.done = 2;
    return pthread_join(t, NULL);
}
SOURCE
for flag in -DNESTED -O2; do
    must env VERISOFT_CC=gcc verisoft cc -g -w -pthread $flag left_out.c -o left_out 2> /dev/null      # of the executable stack
    says ./left_out | grep unseen
done
if command -v clang > /dev/null; then    # it does not tell of a part of a variable of its own, unless just that is given away
    must env VERISOFT_CC=clang verisoft cc -g -pthread part.c -o part
    verisoft ./part --output out --quiet --json r.json
    json r.json race_free | grep -q true && echo "race-free, but it is not"
fi
exit 0
