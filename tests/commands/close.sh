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
            'int get(void); int f(int x) { return x; } int n; int main(void) { if (f(get()) + n++) return 1; return 0; }' \
            'int get(void); int main(void) { int a[2] = { 0 }, *p = a + get(); *p = 1; return 0; }' \
            'int get(void); void f(void) { } int main(void) { int x = get(); x && (f(), 1); return 0; }' \
            'int get(void); int f(void) { return 1; } int main(void) { int x = get(); return x ? f() : 0; }' \
            '#include <string.h>
int get(void); int main(void) { int a = get(), b[2], *p = b; memcpy(p, &a, 4); if (b[0]) return 1; return 0; }' \
            'int get(void); int (*f)(void) = get; int main(void) { if (f()) return 1; return 0; }' \
            'int get(void); int main(void) { int (*f)(void); f = get; if (f()) return 1; return 0; }' \
            'int get(void); void a(void) { } void b(void) { } int main(void) { void (*t[])(void) = { a, b }; t[get()](); return 0; }' \
            'int get(void); void a(void) { } void b(void) { } int main(void) { (get() ? a : b)(); return 0; }' \
            'int get(void); int main(void) { int x = get(); int y = 4 / x; if (y == 2) return 1; return 0; }' \
            '#include <string.h>
int get(void); struct s { int v; } *p; int main(void) { int x = get(); memcpy(&p->v, &x, 4); if (p->v) return 1; return 0; }' \
            'int get(void); int f(void) { return get(); }' \
            'int get(int *); int main(void) { int a[2] = { 0 }, *p = a; get(p); if (a[0]) return 1; return 0; }'; do
    echo "$what" > wrong.c
    verisoft close wrong.c --input get > /dev/null 2> said
    is "what cannot be closed" 2 $?
    cat said
done
# What depends on the input by which element is written, a copy, a function that is known by a pointer, a pointer of a global, what a thread is given.
cat > ways.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int get(void);
static int glob, *where = &glob;
static int first(void) { return get(); }
static int (*table[])(void) = { first };
static void *thread(void *given) { if (given) puts("thread"); return given; }
int main(void)
{
    int x = get(), one[3] = { 0 }, two[3] = { 0 }, copy = 0;
    char text[20];
    struct { char text[8]; } field = { "" };
    char moved[8] = "";
    int scanned = 0;
    pthread_t t;
    read(0, field.text, 7);
    if (field.text[0]) puts("field");
    read(0, moved + 1, 6);
    if (moved[1]) puts("moved");
    sscanf(field.text, "%d", &scanned);
    if (scanned) puts("scanned");
    one[x] = 1;
    two[x]++;
    memcpy(&copy, &x, sizeof copy);
    sprintf(text, "%d", x);
    glob = x;
    if (one[0]) puts("one");
    if (two[0]) puts("two");
    if (copy) puts("copy");
    if (text[0]) puts("text");
    if (*where) puts("global");
    copy = table[0]();
    if (copy) puts("table");
    pthread_create(&t, NULL, thread, (void *)(long)x);
    return 0;
}
C
verisoft close ways.c --input get --input read 2>&1 > closed.c | grep -c 'VS_toss(1)$'
# What only the text is known of, arguments of any number, choices of headers; and places that macros have moved.
cat > own.h <<'C'
static int over(int x) { if (x > 90) return 1; return 0; }
C
for what in 'int main(void) { int y; asm("" : "=r"(y) : "0"(get())); if (y) puts("y"); return 0; }' \
            'int main(void) { int y, x = get(); asm("" : "=r"(y) : "0"(x)); if (y) puts("y"); return 0; }' \
            'int main(void) { int y = _Generic(1, int: get()); if (y) puts("y"); return 0; }' \
            'int main(void) { return over(get()); }'; do
    printf '#include <stdio.h>\n#include "own.h"\nint get(void);\n%s\n' "$what" > wrong.c
    verisoft close wrong.c --input get > /dev/null 2> said
    is "what is not looked into" 2 $?
    cat said
done
cat > moved.c <<'C'
#include <stdarg.h>
#include <stdio.h>
#define LIMIT 90
#define NAME_THAT_IS_LONG 1
int get(void);
static int list(va_list all) { int x = va_arg(all, int); if (x) puts("list"); return 0; }
static int many(int n, ...) { va_list all; va_start(all, n); int r = list(all); va_end(all); return r; }
static void say(const char *format, ...) { va_list all; va_start(all, format); vprintf(format, all); va_end(all); }
int main(void)
{
    int y = NAME_THAT_IS_LONG, x = get(), v = get();
    y = NAME_THAT_IS_LONG; if (x > LIMIT) y = x;
    for (int i = 0; i < NAME_THAT_IS_LONG; i++) if (get() > LIMIT) y++; else y = NULL != &y;
    if (NAME_THAT_IS_LONG) { many(LIMIT, v); say("%d", x); }
    y = NAME_THAT_IS_LONG; while (v-- && LIMIT) y = get();
    return 0;
}
C
verisoft close moved.c --input get -o closed.c; is "places that macros have moved" 0 $?
grep -c 'VS_toss(1)' closed.c; grep -n 'get()' closed.c
echo 'int v; int main(void) { return v; }' > no.c; verisoft close no.c --input v -o closed.c; is "nothing depends on it" 0 $?
verisoft close open.c --input nobody > /dev/null; is "no such input" 2 $?
verisoft close open.c; is "no input" 2 $?
exit ${failed:-0}
