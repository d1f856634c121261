# Several sources: what is static in one of them is its own. And lines of a harness that mean something else for programs.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin

cat > verdicts << 'END'
/^(deadlock|assertions|loud|quiet|either) / { print $1, $2 }            # without what a search counts
END

cat > a.c << 'END'
#include <assert.h>
#include <pthread.h>
int other(void);
static int count, count_2;
static int step(void) { return 1; }
static void *worker(void *arg) { (void)arg; { int count = 5; count_2 += count; } count += step(); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    assert(other() == 10);
    pthread_join(t, NULL);
    assert(count == 1 && count_2 == 5);
    return 0;
}
END
cat > b.c << 'END'
static int count = 10;
static int step(void) { return 0; }
int other(void) { return count += step(); }
END
line "verisoft extract a.c b.c --machine | grep -e '^variable' -e '^function'"
line "verisoft verify a.c b.c assertions --exhaustive --form none 2> log | awk -f verdicts"
line "verisoft check a.c b.c -pthread > log"

# Whose it is cannot be said in a harness, and what there are two of not at all.
cat > which.harness << 'END'
verisoft harness 1
source a.c b.c
program
property counted
    symbol one  count == 1
    holds  <>one
end
END
line "verisoft verify which.harness"
echo 'int other(void) { return 10; }' > c.c
line "verisoft verify a.c b.c c.c"
echo 'enum { far = 1 };' > d.c
echo 'enum { far = 2 };' > e.c
line "verisoft verify a.c b.c d.c e.c"

# A condition of the program that is a feature.
cat > loud.c << 'END'
#include <verisoft.h>
static int loud, said;
int main(void)
{
    if (!loud)
        return 0;
    said = 1 + VS_toss(1);
    return 0;
}
END
cat > loud.harness << 'END'
verisoft harness 1
source loud.c
program
feature LOUD loud
symbol heard  said > 0
property quiet
    features -LOUD
    holds  []!heard
end
property loud
    features +LOUD
    holds  <>heard
end
property either
    holds  []!heard
end
END
line "verisoft extract loud.harness --statements | sed -n 1p"
line "verisoft verify loud.harness quiet loud either --exhaustive --form none 2> log | awk -f verdicts"
line "verisoft verify loud.harness either --exhaustive --form none 2> log | grep -A 1 '^not in'"
line "sed 's/^feature LOUD.*/feature LOUD loud > 1/' loud.harness > never.harness && verisoft verify never.harness assertions"
line "sed 's/^feature/machine phone\\n&/' loud.harness > phone.harness && verisoft verify phone.harness assertions"

# Sources are preprocessed together, and yet each by itself: macros, headers and folders are its own.
mkdir left right
echo 'int side(void); enum { LEFT = SIDE };' > left/same.h
echo 'enum { RIGHT = SIDE };' > right/same.h
printf '#define SIDE 1\n#include "same.h"\n#define ONLY 1\nint main(void) { return LEFT + __LINE__; }\n' > left/one.c
printf '#ifdef ONLY\n#error ONLY is of another source\n#endif\n#define SIDE 3\n#include "same.h"\nint two(void) { return LEFT; }\n' > left/two.c
printf '#define SIDE 2\n#include "same.h"\nint side(void) { return RIGHT; }\n' > right/three.c
line "verisoft-extract left/one.c left/two.c right/three.c | grep -e ^constant -e return"
echo '#include <no-such.h>' > left/four.c
find_in 'error\|failed' verisoft-extract left/one.c left/four.c left/two.c
line "CLANG='no-such-clang' verisoft-extract left/one.c left/two.c"
