# Data races that a file names are not told, and what they do is searched all the same. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > two.c <<'END'
#include <assert.h>
#include <pthread.h>
struct stats { int hits, misses; };
static struct stats stats[2];
static int other;
static void hit(int n) { stats[n].hits = 1; }
static void miss(void) { other++; }
static void *work(void *unused) { hit(1); miss(); return unused; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
#ifdef WRONG
    assert(other == 2);
#endif
    return 0;
}
END
try() {                              # LINES [FLAGS]: all that is found
    printf 'verisoft suppressions 1\n%b' "$1" > known
    echo "--- $*"
    shift
    verisoft two.c -pthread --suppressions known --stop-at-error 0 --json r.json --quiet --output out "$@"
    echo "status $?, left out $(json r.json races_suppressed), race-free $(json r.json race_free)"
    sed -n 's/^ *"kind": "\(.*\)",*$/    \1/p; s/^ *"variable": "\(.*\)",*$/        \1/p' r.json
    rm -rf out
}
try ''
try 'variable stats[1].hits\n'
try 'variable *.hits\nvariable other\n'
try 'variable *.hits  # known\n\n# and\nplace two.c:7\n'
try 'place two.c\n' -DWRONG
try 'function hit\nfunction m?ss\n' --races stop
run verisoft two.c -pthread --suppressions known
printf 'verisoft suppressions 1\nfunction hit\nvariable none\nfunction miss\nplace elsewhere.c\n' > known
find_in 'warning\|known' verisoft two.c -pthread --suppressions known --stop-at-error 0
for bad in 'variables x' 'place' 'function   # hit'; do
    printf 'verisoft suppressions 1\n\n%s\n' "$bad" > known
    run verisoft two.c --suppressions known
done
echo 'variable x' > known
run verisoft two.c --suppressions known
run verisoft two.c --suppressions nowhere
