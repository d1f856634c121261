# Variables that another thread changes by their address alone, wherever that is taken from: by the first value of a static variable, by an array that is
# returned, by the first value of a global, while a function of another source has a variable of that name. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
cat > first.c << 'END'
int last(int global) { return global + 1; }
END
cat > second.c << 'END'
int global, *way = &global;
END
cat > third.c << 'END'
#include <assert.h>
#include <pthread.h>
extern int global, *way;
int behind_static, returned[2];
static int *get(void) { return returned; }
static void *change(void *unused)
{
    static int *to = &behind_static;
    *to = get()[1] = *way = 1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    if (behind_static == 0) assert(behind_static == 0);
    if (returned[1] == 0) assert(returned[1] == 0);
    if (global == 0) assert(global == 0);
    pthread_join(t, NULL);
    return 0;
}
END
verisoft verify first.c second.c third.c assertions --exhaustive --form statements --trails 5 --no-trial > out 2> log
line "grep -o 'assert(.* fails' out | sort -u"

# The moments at which symbols of a formula change; and what repeats is done again and again.
cat > served.c << 'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int asked, served;
static void *server(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (asked > 1) served = 1;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, server, NULL);
    pthread_mutex_lock(&m);
    asked = 1;
    pthread_mutex_unlock(&m);
    return pthread_join(t, NULL);
}
END
printf 'verisoft harness 1\nsource served.c\nprogram\nproperty served\nsymbol a  asked == 1\nsymbol s  served == 1\nholds [](a -> <>s)\nend\n' > served.harness
line "verisoft verify served.harness served 2> log | grep -e asked.=.1 -e becomes -e ^confirmed"
