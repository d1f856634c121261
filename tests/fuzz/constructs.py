#!/usr/bin/env python3
"""Random combinations of C's constructs in one thread: what gcc's program computes is asserted in it, and its extracted model must be verified; with one
of the assertions made wrong, that one must fail in the model, and be confirmed by the program.
    constructs.py VERISOFT FOLDER FIRST COUNT      seeds FIRST..; FOLDER keeps the programs on which they differ: status 1
    constructs.py print SEED                       the program
Programs whose value two compilers do not agree on, or that do what C leaves undefined, are left out, and counted."""
# SPDX-License-Identifier: MIT
import os, random, re, shutil, subprocess, sys

TYPES = ['int', 'char', 'unsigned char', 'short', 'unsigned', 'long', 'long long', 'uint16_t', 'int8_t', 'bool', 'uint64_t', 'enum colour']
INCLUDES = ['assert.h', 'pthread.h', 'semaphore.h', 'stdatomic.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'stdlib.h', 'string.h']
HEAD = '''enum colour { RED, GREEN = 5, BLUE };
struct deep { int k; union { struct { short a, b; union { char p; unsigned char q; }; }; long long all; }; };
typedef union { unsigned word; short half[2]; } mixed;
typedef struct { int a; unsigned char b; struct { short c; long long d; } in; unsigned bits : 5; signed more : 4; } rec;
union both { unsigned word; unsigned char part[4]; };
#define TWICE(x) ((x) + (x))
#define STEP(x) do { mix(x); if ((x) & 1) break; mix(7); } while (0)
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
static unsigned R = 1;
static void mix(unsigned v) { R = R * 31u + v; }
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static atomic_uint count;
static int G0 = 3;
static unsigned char G1 = 250;
static long long G2 = 0x123456789LL;
static int A[4] = { [1] = 7, 8, [0] = -1 };
static rec S = { .b = 200, .in = { .d = -5, .c = 300 }, .more = -3 }, T;
static union both U;
static mixed V = { .half = { [1] = 3 } };
static struct deep D = { .a = 1, .q = 200 }, *E = &D;
static int B[2] = { 5, 6 }, W = 9;
static int *given(void) { return B; }
static int *way(void) { static int *to = &W; return to; }
static rec *P = &S;
static const char *const words[] = { "a;}", "\\"{(", "'", "/* no */" };
static inline int low(int x) { static int calls; return x & (++calls | 1); }
static int up(int x) { G0 = (int)((unsigned)G0 + (unsigned)x); return G0 & 255; }
static int down(int x) { G1 = (unsigned char)(G1 - x); if (G1 < 100) return -1; for (int i = 0; i < 2; i++) G1 ^= (unsigned char)i; return G1; }
static rec made(int a, rec r) { r.a += a & 1023; r.bits++; return r; }
static int (*const table[])(int) = { up, down, low };
static int apply(int (*f)(int), int x) { return f ? f(x) : 0; }
static rec Q[3] = { [2] = { .a = 9, .in.d = 1 }, [0].b = 7 };
static int M[2][3] = { { 1, [2] = 4 }, { -2 } };
static struct node { short v; struct node *next; } N[3] = { { 1, &N[1] }, { -2, &N[2] }, { 300, NULL } }, *L = N;
static volatile unsigned short H = 0xfffe;
static _Atomic int K = 5;
static atomic_bool Z;
static double F = 1.5;
static struct { int (*op)(int); char name[6]; } ops[] = { { up, "up;}" }, { .name = "dn", .op = down } };
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int sum(const int *a, int n) { int t = 0; while (n-- > 0) t ^= *a++ + n; return t; }
static long long wide(signed char c, unsigned short u, bool b, enum colour e) { return (long long)c * u + b - e; }
static _Bool flip(void) { static _Bool now = 1; return now = !now; }
static int walk(struct node *n) { int t = 0; for (; n; n = n->next) { if (n->v < 0) continue; t += n->v; } return t; }
static int nest(int d) { switch (d & 3) { int k; case 0: k = 5; d += k; /* fall through */ case 1: do { if (d & 8) goto out; d += 3; } while (d < 6); break; default: d = -d; } out: return d; }
'''

class Program:
    def __init__(self, seed):
        self.r, self.next = random.Random(seed), 0
        self.bodies = [self.function(i) for i in range(self.r.randint(1, 2))]

    def name(self, base):
        self.next += 1
        return '%s%d' % (base, self.next)

    # ---- values that change nothing ----

    def constant(self):
        return self.r.choice(['0', '1', '2', '3', '7', '255u', '256', '-1', '-128', '70000', '0x7fff', "'a'", "'\\''", '4294967296LL', '0xffffffffu', 'GREEN', 'BLUE', '017',
                              'sizeof(rec)', 'offsetof(rec, in)', '(char)200', '(short)70000', 'true', '1ull << 40', "sizeof \"a;}\"", 'strlen("}{;")'])

    def leaf(self, names):
        if self.r.random() < 0.3: return self.constant()
        return self.r.choice(names + ['G0', 'G1', 'G2', 'A[%d]' % self.r.randrange(4), 'S.b', 'S.in.c', 'P->in.d', 'P->bits', 'T.more', 'U.part[%d]' % self.r.randrange(4),
                                      'U.word', '*(A + 2)', '*&G0', 'A[G0 & 3]', 'words[G1 & 3][0]', '(&S)->a', 'count', 'D.a', 'E->p', 'D.all', 'given()[0]', '*way()', 'V.word',
                                      'Q[1].in.c', 'Q[G1 % 3].b', 'M[1][2]', '*M[0]', '(*(M + 1))[0]', 'L->v', 'N[1].next->v', 'H', '(K + 0)', 'Z', '(int)F', "ops[1].name[0]", 'L[1].v', '*words[2]',
                                      '(&Q[0])[2].a', 'sizeof Q / sizeof *Q', '_Alignof(long long)', '(F > 1.0)', '(&Q[2] - Q)'])

    def pure(self, names, deep=0):
        r, kind = self.r, self.r.random()
        if deep > 2 or kind < 0.3: return self.leaf(names)
        a, b = self.pure(names, deep + 1), self.pure(names, deep + 1)
        if kind < 0.50: return '((unsigned)(%s) %s (unsigned)(%s))' % (a, r.choice(['+', '-', '*', '/ 3u +']), b)
        if kind < 0.58: return '((%s) %s (%s))' % (a, r.choice(['&', '|', '^']), b)
        if kind < 0.66: return '((%s) %s (%s))' % (a, r.choice(['<', '==', '!=', '>=', '>', '<=']), b)
        if kind < 0.72: return '(%s)(%s)' % (r.choice(TYPES), a)
        if kind < 0.78: return '((%s) ? (%s) : (%s))' % (a, b, self.leaf(names))
        if kind < 0.84: return '((%s) %s (%s))' % (a, r.choice(['&&', '||']), b)
        if kind < 0.88: return '%s(%s)' % (r.choice(['!', '~', '!!']), '(unsigned)(%s)' % a)
        if kind < 0.91: return '((unsigned)(%s) >> ((%s) & 15))' % (a, b)
        if kind < 0.94: return '((%s) ?: (%s))' % (a, b)
        if kind < 0.97: return '((int[]){ %s, (int)(%s) }[1])' % (r.randint(0, 9), a)
        return '(unsigned)TWICE((unsigned)(%s))' % a

    # ---- values that change something, once between two sequence points ----

    def local(self, names): return self.r.choice(names) if names else 'G0'

    def place(self, names): return self.r.choice(names * 2 + ['G0', 'G1', 'G2', 'A[%d]' % self.r.randrange(4), 'S.b', 'P->in.d', 'P->bits', 'S.more', 'U.part[2]', '*(A + 1)', '(*P).a', 'D.b', 'D.q', 'E->a', 'given()[1]', '*way()', 'Q[2].a', 'Q[1].in.d', 'M[1][1]', '(*(M + 1))[2]', 'L->v', 'N[2].v', 'H'])

    def effect(self, names, deep=0):
        r, kind = self.r, self.r.random()
        if deep > 2 or kind < 0.35:
            x = self.place(names)
            return r.choice(['%s = %s' % (x, self.pure(names)), '%s ^= (%s)' % (x, self.integer(names)), '%s++' % self.counted(names), '--%s' % self.counted(names),
                             '%s %s (%s)' % (x, r.choice(['&=', '|=', '=']), self.integer(names)), '%s >>= 1' % x])
        if kind < 0.50: return '%s(%s & 1023)' % (r.choice(['up', 'down', 'low', 'table[%s & 1]' % self.leaf(names), '(*table[2])']), '(int)(%s)' % self.pure(names, 1))
        if kind < 0.55: return 'apply(%s, %s & 511)' % (r.choice(['up', 'low', '&down', 'NULL']), '(int)(%s)' % self.pure(names, 1))
        if kind < 0.58: return 'atomic_fetch_add(&count, %d)' % r.randint(1, 3)
        if kind < 0.61: return r.choice(['atomic_exchange(&K, %s & 127)' % self.integer(names), 'K++', 'atomic_fetch_xor(&K, 3)', 'flip()',
                                         'atomic_compare_exchange_strong(&K, &A[3], 8)', '__sync_fetch_and_add(&B[0], 2)', '__atomic_sub_fetch(&W, 1, __ATOMIC_RELAXED)'])
        if kind < 0.64: return r.choice(['(int)wide((signed char)(%s), (unsigned short)%s, %s, GREEN)' % (self.pure(names, 2), self.leaf(names), self.leaf(names)), 'nest((int)(%s) & 15)' % self.pure(names, 1),
                                         'ops[%s & 1].op(%s & 255)' % (self.leaf(names), self.leaf(names)), '(G0 & 1 ? up : down)(%s & 63)' % self.leaf(names)])
        a, b = self.effect(names, deep + 1), self.effect(names, deep + 1)
        if kind < 0.72: return '(%s, %s)' % (a, b)
        if kind < 0.82: return '((%s) %s (%s))' % (a, r.choice(['&&', '||']), b)
        if kind < 0.92: return '((%s) ? (%s) : (%s))' % (self.pure(names, 1) if r.random() < 0.5 else a, b, self.effect(names, deep + 1))
        return '%s = (%s)(%s)' % (self.local(names), 'int', a)

    def counted(self, names): return self.r.choice(['G1', 'S.b', 'U.part[1]', 'P->bits', 'S.in.c', 'U.word'] + names[:1])

    def integer(self, names): return '(unsigned char)(%s)' % self.pure(names, 1)

    # ---- statements ----

    def statement(self, names, deep, inside=()):
        r, kind = self.r, self.r.random()
        if deep > 3 or kind < 0.2: return 'mix((unsigned)(%s));' % (self.effect(names) if r.random() < 0.5 else self.pure(names))
        if kind < 0.3: return self.effect(names) + ';'
        if kind < 0.34 and inside: return 'if ((%s) & 1) %s;' % (self.pure(names), r.choice(inside))
        block = lambda also=(): self.block(names, deep + 1, tuple(inside) + also)
        if kind < 0.42: return 'if (%s) %s else %s' % (self.condition(names), block(), block())
        if kind < 0.46: return 'if (%s) %s' % (self.condition(names), block())
        if kind < 0.53: return self.for_loop(names, block)
        if kind < 0.59: return self.while_loop(names, block)
        if kind < 0.68: return self.switch(names, deep, inside)
        if kind < 0.73: return self.jump(names, block)
        if kind < 0.78: return self.shadow(names, deep, inside)
        if kind < 0.83: return self.structs(names)
        if kind < 0.87: return 'pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);' % self.block(names, deep + 2, ())
        if kind < 0.88: return 'sem_post(&s); sem_wait(&s);'
        if kind < 0.90: return self.more(names)
        if kind < 0.92: return 'STEP(%s & 255u);' % self.r.choice(['G1', 'R', 'U.part[0]'])
        if kind < 0.93: return 'mix((unsigned)((%s), ({ int k_ = (int)(%s) & 255; %s; k_ + 1; })));' % (self.effect(names), self.pure(names, 1), self.effect(names))
        if kind < 0.95: return 'mix((unsigned)({ %s __auto_type v_ = +(%s); v_ + 1u; }));' % (self.effect(names) + ';' if r.random() < 0.5 else '', self.pure(names))
        return 'mix((unsigned)MAX((int)(%s) & 4095, +%s));' % (self.pure(names), self.leaf(names))

    def more(self, names):
        r, x = self.r, self.name('m')
        a = '(int)(%s) & 1023' % self.pure(names, 1)
        return r.choice(['swap(&A[%d], &B[1]);' % r.randrange(4), 'mix((unsigned)sum(A + 1, %d));' % r.randint(0, 3), 'mix((unsigned)walk(L));', 'L = L->next ? L->next : N;',
                         'N[1].next = %s & 1 ? &N[2] : NULL; mix((unsigned)walk(N)); N[1].next = &N[2];' % a, 'F = F * 0.5 + (%s); mix((unsigned)(int)F);' % a, 'Q[%d] = Q[%d];' % (r.randrange(3), r.randrange(3)),
                         '{ union { int i; unsigned char c[4]; } %s = { .i = %s }; %s.c[1]++; mix((unsigned)%s.i); }' % (x, a, x, x),
                         '{ struct { rec r[2]; int n; } %s = { .r[1].b = 4, .n = %s }, also = %s; also.r[0] = %s.r[1]; mix((unsigned)also.r[0].b + (unsigned)also.n); }' % (x, a, x, x),
                         '{ char %s[8] = "a;}"; strcat(%s, "{"); mix((unsigned)strlen(%s)); mix((unsigned char)%s[%s & 3]); }' % (x, x, x, x, a),
                         '{ int (*%s[])(int) = { up, nest, low }; mix((unsigned)%s[%s %% 3](5)); }' % (x, x, a), '{ int *%s = &M[0][0]; %s[2] ^= 5; mix((unsigned)*(%s + 2)); }' % (x, x, x),
                         '{ rec *%s = malloc(sizeof *%s * 2); %s[1] = S; %s[0].a = %s; mix((unsigned)(%s->a + %s[1].b)); free(%s); }' % (x, x, x, x, a, x, x, x),
                         '{ typedef short %s_t; %s_t %s = (%s_t)(%s << 6); mix((unsigned)%s); }' % (x, x, x, x, a, x), 'if (pthread_mutex_trylock(&m) == 0) { mix(3); pthread_mutex_unlock(&m); }',
                         'for (struct node *%s = L; %s; %s = %s->next) mix((unsigned)%s->v);' % (x, x, x, x, x), '{ enum { %s_ONE = 3, %s_TWO } %s = %s_TWO; mix((unsigned)%s); }' % (x, x, x, x, x),
                         'for (int %s = 0, *p = A; p < A + 4; p++, %s++) mix((unsigned)(*p ^ %s));' % (x, x, x), 'mix((unsigned)_Generic(%s, int: 1, default: 2));' % self.leaf(names),
                         'P->in.c %= 7, P->in.c -= 3; mix((unsigned)P->in.c);', 'U.word <<= 3; mix(U.word);',
                         'Z = !Z; mix(Z ? 4 : 5);', 'memset(&Q[1], 0, sizeof Q[1]); mix((unsigned)memcmp(&Q[1].in.c, "\\0", 1));'])

    def condition(self, names): return self.pure(names) if self.r.random() < 0.5 else self.effect(names)

    def block(self, names, deep, inside): return '{ %s }' % ' '.join(self.statement(names, deep, inside) for _ in range(self.r.randint(1, 3)))

    def for_loop(self, names, block):
        i = self.name('i')
        return self.r.choice(['for (int %s = 0; %s < %d; %s++) %s', 'for (unsigned char %s = 254; %s != %d; %s++) %s', 'for (int %s = 3, j = 1; %s > %d + j; --%s) %s']) \
            % (i, i, self.r.randint(0, 2), i, block(('break', 'continue')))

    def while_loop(self, names, block):
        i = self.name('n')
        limit = self.r.randint(1, 3)
        if self.r.random() < 0.5: return '{ int %s = 0; do %s while (++%s < %d && (%s, 1)); }' % (i, block(('break', 'continue')), i, limit, self.effect(names))
        return '{ int %s = %d; while (%s-- > 0) %s }' % (i, limit, i, block(('break', 'continue')))

    def switch(self, names, deep, inside):
        r = self.r
        labels = ['case 0:', 'case 1:', 'case 2 ... 4:', "case 'a':", 'case GREEN + 1:', 'case -1:', 'case 255:', 'case 256:', 'default:', 'case 1000 ... 70000:', 'case 7: case 8:']
        r.shuffle(labels)
        ways = ['%s %s%s' % (label, self.block(names, deep + 2, tuple(inside) if 'continue' in inside else ()), ' break;' if r.random() < 0.5 else '') for label in labels[:r.randint(1, 5)]]
        value = r.choice(['(int)(%s)', '(unsigned char)(%s)', '(long long)(%s)', '(%s) & 7', '(short)(%s)', '(unsigned)(%s) %% 9u']) % (self.pure(names) if r.random() < 0.7 else self.effect(names))
        return 'switch (%s) { %s }' % (value, ' '.join(ways))

    def jump(self, names, block):
        into, out = self.name('in'), self.name('out')
        return 'if (%s) goto %s; if (%s) { mix(1); %s: %s goto %s; } mix(2); %s:;' % (self.condition(names), into, self.condition(names), into, block(), out, out)

    def shadow(self, names, deep, inside):
        x = self.r.choice(names) if names and self.r.random() < 0.7 else self.name('v')
        type = self.r.choice(TYPES)
        return '{ mix((unsigned)%s); { %s %s = (%s)(%s); %s mix((unsigned)%s); } }' % (self.leaf(names), type, x, type, self.pure([n for n in names if n != x]),
                                                                           ' '.join(self.statement(list(dict.fromkeys(names + [x])), deep + 1, inside) for _ in range(2)), x)

    def structs(self, names):
        r, x = self.r, self.name('r')
        a, b = '(int)(%s) & 1023' % self.pure(names, 1), '(unsigned char)(%s)' % self.pure(names, 1)
        return r.choice(['T = S;', 'S = (rec){ .a = %s, .b = %s };' % (a, b), '{ rec %s = { %s, .in.c = 5, .bits = 31 }; %s.bits++; T = %s; mix((unsigned)%s.in.c); }' % (x, a, x, x, x),
                         'T = made(%s, S);' % a, 'P = %s ? &S : &T; mix((unsigned)P->b);' % a, '{ rec %s[2] = { [1] = { .b = %s } }; S = %s[1]; mix(%s[0].b); }' % (x, b, x, x),
                         'mix((unsigned)made(%s, *P).bits);' % a, 'U = (union both){ .word = (unsigned)(%s) };' % a, 'memcpy(&T, &S, sizeof T);',
                         '{ int *%s = A; *%s++ = %s; mix((unsigned)*%s); %s += 2; mix((unsigned)(%s - A)); *--%s = 4; }' % (x, x, a, x, x, x, x),
                         '{ const char *%s = words[%s & 3]; while (*%s) mix((unsigned char)*%s++); }' % (x, a, x, x),
                         '{ static int %s = 4; mix((unsigned)%s++); }' % (x, x), '{ int %s[2][3] = { { 1 }, { [2] = %s } }; mix((unsigned)%s[1][G1 %% 3]); }' % (x, a, x)])

    def function(self, i):
        r = self.r
        types = [r.choice(TYPES[:9]) for _ in range(2)]
        names = ['x', 'y']
        return ['static void part%d(void)' % i, '{'] + ['    %s %s = (%s)%s;' % (t, n, t, self.constant()) for t, n in zip(types, names)] + \
            ['    ' + self.statement(names, 0) for _ in range(r.randint(3, 6))] + ['    mix((unsigned)x); mix((unsigned)y);', '}']

    def text(self, values=None):
        out = ['#include <%s>' % i for i in INCLUDES] + HEAD.splitlines()
        for body in self.bodies: out += body
        out += ['static void *work(void *unused)', '{']
        for i in range(len(self.bodies)):
            out += ['    part%d();' % i, '    printf("%u\\n", R);' if values is None else '    assert(R == %du);' % values[i]]
        out += ['    return unused;', '}', 'int main(void)', '{', '    pthread_t t;', '    sem_init(&s, 0, 0);', '    pthread_create(&t, NULL, work, NULL);', '    pthread_join(t, NULL);']
        return '\n'.join(out + ['    return 0;', '}', ''])

# ---- what the program computes ----

WAYS = [['gcc', '-O0', '-fsanitize=undefined,address', '-fno-sanitize-recover=all'], ['gcc', '-O2', '-fwrapv'], ['clang', '-O1', '-fwrapv']]

def run(command, folder, limit=300): return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit)

def computed(folder):
    seen = set()
    for way in WAYS:
        built = run(way + ['-w', '-std=gnu11', '-pthread', 'p.c', '-o', 'p'], folder)
        if built.returncode: raise Exception('%s: %s' % (folder, built.stderr[:600]))
        try: done = run(['./p'], folder, 5)
        except subprocess.TimeoutExpired: return None
        if done.returncode: return None
        seen.add(done.stdout)
    return [int(v) for v in seen.pop().split()] if len(seen) == 1 else None

def write(folder, text):
    with open(os.path.join(folder, 'p.c'), 'w') as file: file.write(text)

def verify(verisoft, folder, *more): return run([verisoft, 'verify', 'p.c', 'deadlock', 'assertions', '--form', 'none', '--exhaustive', '--output', 'out', *more], folder)

def differs(verisoft, folder, seed):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    program = Program(seed)
    write(folder, program.text())
    values = computed(folder)
    if values is None: return None
    write(folder, program.text(values))
    right = verify(verisoft, folder, '--no-trial')
    if right.returncode: return report(seed, folder, 'is not verified', right)
    values[-1] = (values[-1] + 1) % 2**32
    write(folder, program.text(values))
    wrong = verify(verisoft, folder)
    if wrong.returncode != 1 or not re.search(r'^confirmed: ', wrong.stdout, re.M): return report(seed, folder, 'is not confirmed', wrong)
    return False

def report(seed, folder, what, done):
    print('%d: the model %s; %s\n%s' % (seed, what, folder, (done.stdout + done.stderr)[-1200:]), flush=True)
    return True

def main():
    if sys.argv[1] == 'print': return print(Program(int(sys.argv[2])).text(), end='')
    verisoft, kept, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    bad = left = 0
    for seed in range(first, first + count):
        folder = os.path.join(kept, str(seed))
        result = differs(verisoft, folder, seed)
        bad, left = bad + bool(result), left + (result is None)
        if not result: shutil.rmtree(folder)
    print('%d programs, %d of them left out, %d differ' % (count, left, bad))
    sys.exit(bad > 0)

main()
