# What is left out of a model never makes it miss what the program does: a statement that changes what the model has is carried over, or the verdict is
# not verified. The real program has the violation. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin

# A program: what is changed, by which statement, and who reads it. Of each the model is made; of some it is searched, too.
trial()
{
    must printf '#include <verisoft.h>\n#include <string.h>\n#include <stdio.h>\n%s\nint main(void) { %s return 0; }\n' "$2" "$3" > $1.c
    echo "$1: $(verisoft extract $1.c --unmapped abstract 2>&1 > model.pml | tail -1)"
    if [ "$4" ]; then
        verisoft check $1.c --output $1.d > log 2>&1
        program=$?
        verisoft verify $1.c assertions --unmapped abstract --exhaustive --no-trial --form none > out 2> log
        echo "    the program: $program, its model: $? $(awk 'NR == 1 { print $2 }' out)"
    fi
}
few='static int few(void) { return n < 3; }'
trial variable  "int n; $few"                                                   'n = 5; VS_assert(few());' both
trial pointer   "int n; $few"                                                   'int *p = &n, **q = &p; **q = 5; VS_assert(few());'
trial letters   "int n; $few"                                                   'char *p = (char *)&n; p[0] = 5; VS_assert(few());'
trial other     'int a, b, *p = &a; static int few(void) { return *p < 3; }'    'p = &b; b = 5; VS_assert(few());'
trial field     'struct s { int n, m; } s; static int few(struct s *p) { return p->n < 3; }'     's.n = 5; s.m = 5; VS_assert(few(&s));' both
trial whole     'struct s { int n; } s, t = { 5 }; static int few(struct s *p) { return p->n < 3; }'     's = t; VS_assert(few(&s));'
trial inner     'struct i { int n; }; struct s { struct i i; int m; } s; static int few(struct i i) { return i.n < 3; }' 's.i.n = 5; VS_assert(few(s.i));'
trial union     'union u { int n; char c[4]; } u; static int few(void) { return u.n < 3; }'      'u.c[0] = 5; VS_assert(few());'
trial array     'int a[3]; static int few(int *p) { return p[1] < 3; }'         'int *p = a; p++; *p = 5; VS_assert(few(a));'
trial chain     "int a, b, n; $few"                                             'a = 5; b = a; n = b; VS_assert(few());'
trial call      "int n; static void put(int *p) { *p = 5; } $few"               'put(&n); VS_assert(few());'
trial by-name   "int n; static void put(void) { n = 5; } void (*f)(void); $few" 'f = put; f(); VS_assert(few());'
trial condition "int n; $few"                                                   'if ((n += 5) > 2) n = n; VS_assert(few());'
trial switch    "int n; $few"                                                   'switch (n += 5) { case 5: break; } VS_assert(few());'
trial static    'static int few(void) { static int n; n += 2; return n < 3; }'  'few(); VS_assert(few());'
trial atomic    '#include <stdatomic.h>
atomic_int n; static int few(void) { return atomic_load(&n) < 3; }'             'atomic_store(&n, 5); VS_assert(few());'
trial outside   "int n; $few"                                                   'sscanf("5", "%d", &n); VS_assert(few());' both
trial apart     "int n, m; $few"                                                'm = 5; m++; VS_assert(few());' both
cat > symbol.harness << 'END'
verisoft harness 1
source symbol.c
unmapped abstract
property few
    symbol few  n < 3
    holds  []few
end
END
must printf '#include <verisoft.h>\nint n;\nint main(void) { n = 5; VS_assert(1); return 0; }\n' > symbol.c
line "verisoft extract symbol.harness 2>&1 > model.pml"

# An event machine.
machine()
{
    cat > m.c << END
enum { on, off };
struct record { int level; };
extern int measure(void), unknown(int *, int), given(struct record *);
static struct record records[2];
static int up(int *at) { return ++*at; }
static int more(int x) { return x + 1; }
void m(int event, struct record *x)
{
    static int state, tries, other, seen[2], *p = &other;
    switch (event) {
    case on:
        $1;
        state = 1;
        break;
    case off:
        state = 0;
        break;
    }
    if (x->level > 100 || seen[0])
        other = tries;
}
END
    echo "$1"
    verisoft extract m.harness 2>&1 > m.pml | grep -e "may change" -e statements:
    if [ "$2" ]; then
        verisoft verify m.harness few --exhaustive --form none 2> log | head -1
    fi
}
cat > m.harness << 'END'
verisoft harness 1
source m.c
machine m state state
property few
    symbol few   m.tries < 2 && m.other == 0 && m.level < 2
    symbol none  m.seen[0] == 0
    holds [](few && none)
end
END
for here in 'tries = 3' 'seen[0] = more(2)' 'records[0].level = 5' 'x->level += 2' 'if (up(&tries)) state = 1' 'while (tries++ < 3)' '*x = records[0]' \
    'measure()' 'given(x)' 'unknown(&tries, 1)' 'tries = 0.5 * 8' 'state = measure()' 'return (void)(tries = 3)'; do
    machine "$here"
done
machine 'tries++' both
machine '*p = 5' both

# Assertions of the source: carried over where what they ask is in the model, else left out, and said so. States and events of a typedef.
cat > asserts.c << 'END'
#include <assert.h>
#include <stdlib.h>
#include <verisoft.h>
typedef enum { msg, ack, nak } event_t;
typedef enum { IDLE, BUSY } state_t;
static int n = 4;
void machine(event_t event)
{
    static state_t state = IDLE;
    switch (state) {
    case IDLE:
        if (n > 7)
            abort();
        switch (event) { case msg: state = BUSY; break; default: assert(event != nak); }
        break;
    case BUSY:
        VS_assert(n == 4);
        VS_assert(event != ack);
        assert(n == 4);
        if (event == msg) state = IDLE;
        break;
    }
}
END
line "verisoft extract asserts.c --statements 2> /dev/null | grep -e assert -e abort | sed 's/:[0-9]*: / /'"
line "verisoft verify asserts.c assertions --trails 2 2> log"
line "verisoft verify asserts.c assertions --unmapped keep --form none 2> log"
sed -e 's/event != nak/event >= msg/' -e 's/event != ack/event <= nak/' asserts.c > right.c
line "verisoft verify right.c assertions --unmapped keep 2> log"
