# What shared variables held, in the story of an error and in the simulator: of each type as C writes it, before and after;
# of what cannot be told nothing is. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > types.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static struct { short low; unsigned char high; } pair;
static long long far = -1;
static unsigned many = 4000000000u;
static int *pointer;
static double ratio = 0.5;
static _Atomic int sum = 7;
static void *change(void *unused)
{
    pair.low = -3;
    pair.high = 200;
    far -= 5000000000;
    many++;
    pointer = NULL;
    ratio = 1.5;
    sum += 3;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    int seen = pair.low + pair.high + (far != 0) + (many != 0) + (pointer != NULL) + (ratio > 1) + sum;
    pthread_join(thread, NULL);
    assert(seen != -3 + 200 + 3 + 10);
    return 0;
}
END
verisoft types.c -pthread --output found > report
must cp "$(sed -n '/assertion violated/,$s/.*replay types.c -pthread \(.*path\)$/\1/p' report | head -n 1)" one.path
line "verisoft replay types.c -pthread one.path | sed -n 's/.*process 2 *\(.*\) types.c:1.*/\1/p' | sed 's/  *$//' | grep -e 'read ' -e 'write ' -e atomic | sort"
line "printf '%s\n' end back back back 'go 1' trace quit | verisoft simulate types.c -pthread one.path --terminal | grep -o 'sum) (.*)' | sort -u"
cat > apart.c << 'END'
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    _Atomic int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        *shared = 1;
        _exit(0);
    }
    assert(*shared == 0);
    wait(NULL);
    return 0;
}
END
line "verisoft apart.c --output found | grep -c 'atomic_.*('"
line "verisoft apart.c --output found | grep -c ' ([0-9].*)'"
