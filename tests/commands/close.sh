# An open program is closed: choices that depend on its input become tosses, and what was changed is told; the closed program has as many paths as it
# has choices; what cannot be closed is refused with its place.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
[ -x "$B/verisoft-extract" ] || { echo "libclang is not there"; exit 77; }
cat > open.c <<'C'
#include <stdio.h>
int get_input(void);
static int level;
static int twice(int v) { return 2 * v; }
int main(void)
{
    int x = get_input(), y = 0, z;
    if (x > 0 && y == 0)                     /* 2 */
        y = 1;
    z = twice(x);
    switch (z) {                             /* 3 */
    case 1: y += 2; break;
    case 7: y += 4; break;
    }
    scanf("%d",
          &level);
    if (level)                               /* 2 */
        y += 8;
    if (y > 20)                              /* none: y depends on choices alone */
        y = 0;
    printf("%d\n", level);
    return 0;
}
C
verisoft close open.c --input get_input --input scanf -o closed.c 2> changes
is "closing" 0 $?
cat changes
verisoft closed.c --search dfs --reduction none --json report.json --quiet > said 2>&1
is "checking the closed program" 0 $? || cat said
echo "executions: $(sed -n 's/.*"executions": \([0-9]*\),.*/\1/p' report.json)"
for what in 'int get(void); int main(void) { int a[2], *p = a; *p = get(); return 0; }' \
            '#include <assert.h>
int get(void); int main(void) { int x = get(); assert(x); return 0; }' \
            'int get(void); int f(int x) { return x; } int n; int main(void) { if (f(get()) + n++) return 1; return 0; }'; do
    echo "$what" > wrong.c
    verisoft close wrong.c --input get > /dev/null 2> said
    is "what cannot be closed" 2 $?
    cat said
done
verisoft close open.c --input nobody > /dev/null; is "no such input" 2 $?
verisoft close open.c; is "no input" 2 $?
exit ${failed:-0}
