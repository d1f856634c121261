#!/usr/bin/env python3
"""Random small programs with threads, most of which run for ever; how many states and transitions they have is counted by an interpreter
of its own, and by every search that keeps states: the numbers must be the same.
    states.py VERISOFT FOLDER FIRST COUNT                seeds FIRST.. ; FOLDER keeps the programs that differ; status 1 if some do
    states.py print SEED                                 print a program
Where a thread stands is where its code is: so the compiler is gcc, which, without optimisation, keeps what looks alike apart, and nothing
that nobody asked for (clang keeps results that the program throws away)."""
# SPDX-License-Identifier: MIT
import json, os, random, subprocess, sys

HEAD = '''#include <pthread.h>
#include <semaphore.h>
#include <verisoft.h>
static int x[3];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t c[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s, never;
'''
MOST = 4000              # states; what is larger is left out

# ---- programs: statements become C, and instructions ----
# An instruction is visible (lock i, ...), or ('set', i, k, n): x[i] = x[i] * k + n & 3, ('unless', i, n, to): x[i] > n or go to, ('go', to).
# A visible one leads to the next; those that fail ('try', 'semtry') to ... + 1.

class Program:
    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.value = r.randint(0, 2)
        kinds = ['set', 'lock', 'lock', 'try', 'if', 'wait', 'wake', 'sem', 'semtry', 'rw', 'toss', 'loop', 'end']
        self.kinds = r.sample(kinds, r.randint(3, 7)) + ['set', 'lock']
        count, same = r.choice([1, 2, 2, 2, 3]), r.random() < 0.4
        bodies = [self.body() for _ in range(1 if same else count)]
        self.threads = [bodies[0 if same else i] for i in range(count)]
        self.bodies, self.forever = bodies, [r.random() < 0.7 for _ in bodies]
        self.joins = r.random() < 0.7

    def body(self): return [self.statement(0, ()) for _ in range(self.r.randint(1, 3))]
    def inner(self, depth, held): return [self.statement(depth + 1, held) for _ in range(self.r.randint(0, 2))]

    def statement(self, depth, held):
        r, k = self.r, self.r.choice(self.kinds)
        i, n = r.randrange(3), r.randint(0, 2)
        if depth > 1 or k == 'set': return ('set', i, r.choice([0, 1, 1, 2]), n)
        free = [a for a in (0, 1) if a not in held]
        lock = r.choice(free) if free else None
        if k in ('lock', 'try', 'wait', 'wake') and lock is None: return ('set', i, 1, 1)
        if k == 'lock': return ('lock', lock, self.inner(depth, held + (lock,)))
        if k == 'try': return ('try', lock, self.inner(depth, held + (lock,)), self.inner(depth, held))
        if k == 'wait': return ('wait', lock, i, n, self.inner(depth, held + (lock,)))
        if k == 'wake': return ('wake', lock, r.random() < 0.5, self.inner(depth, held + (lock,)))
        if k == 'if': return ('if', i, n, self.inner(depth, held), self.inner(depth, held))
        if k == 'loop': return ('loop', i, n, [('lock', lock, [('set', i, 1, 1)])] if lock is not None else [('set', i, 1, 1), ('toss', i, 1)])
        if k == 'sem': return (r.choice(['semwait', 'sempost']),)
        if k == 'semtry': return ('semtry', self.inner(depth, held), self.inner(depth, held))
        if k == 'rw': return ('set', i, 1, 1) if 'r' in held else ('rw', r.random() < 0.5, self.inner(depth, held + ('r',)))
        if k == 'toss': return ('toss', i, r.randint(1, 2))
        return ('end', i, n) if not held else ('set', i, 1, n)

    # as C
    def c(self, s, pad):
        def block(b, more=''): return '{\n' + ''.join(self.c(t, pad + '    ') for t in b) + (pad + '    ' + more + '\n' if more else '') + pad + '}\n'
        k = s[0]
        if k == 'set': t = 'x[%d] = (x[%d] * %d + %d) & 3;\n' % (s[1], s[1], s[2], s[3])
        elif k == 'lock': t = 'pthread_mutex_lock(&m[%d]);\n' % s[1] + pad + block(s[2]) + pad + 'pthread_mutex_unlock(&m[%d]);\n' % s[1]
        elif k == 'try': t = 'if (pthread_mutex_trylock(&m[%d]) == 0) ' % s[1] + block(s[2], 'pthread_mutex_unlock(&m[%d]);' % s[1]) + pad + 'else ' + block(s[3])
        elif k == 'wait':
            t = 'pthread_mutex_lock(&m[%d]);\n' % s[1] + pad + 'while (x[%d] <= %d) pthread_cond_wait(&c[%d], &m[%d]);\n' % (s[2], s[3], s[1], s[1])
            t += pad + block(s[4]) + pad + 'pthread_mutex_unlock(&m[%d]);\n' % s[1]
        elif k == 'wake':
            t = 'pthread_mutex_lock(&m[%d]);\n' % s[1] + pad + block(s[3]) + pad + 'pthread_cond_%s(&c[%d]);\n' % ('broadcast' if s[2] else 'signal', s[1])
            t += pad + 'pthread_mutex_unlock(&m[%d]);\n' % s[1]
        elif k == 'if': t = 'if (x[%d] > %d) ' % (s[1], s[2]) + block(s[3]) + pad + 'else ' + block(s[4])
        elif k == 'loop': t = 'while (x[%d] > %d) ' % (s[1], s[2]) + block(s[3])
        elif k == 'semwait': t = 'sem_wait(&s);\n'
        elif k == 'sempost': t = 'if (x[0] > 0) sem_post(&s);\n'
        elif k == 'semtry': t = 'if (sem_trywait(&s) == 0) ' + block(s[1], 'sem_post(&s);') + pad + 'else ' + block(s[2])
        elif k == 'rw': t = 'pthread_rwlock_%slock(&r);\n' % ('wr' if s[1] else 'rd') + pad + block(s[2]) + pad + 'pthread_rwlock_unlock(&r);\n'
        elif k == 'toss': t = 'x[%d] = VS_toss(%d);\n' % (s[1], s[2])
        elif k == 'end': t = 'if (x[%d] > %d) return a;\n' % (s[1], s[2])
        return pad + t

    def text(self):
        t = HEAD
        for i, b in enumerate(self.bodies):
            body = ''.join(self.c(s, '        ') for s in b)
            loop = ('for (;;) {\n        pthread_mutex_lock(&m[0]);\n        pthread_mutex_unlock(&m[0]);\n' if self.forever[i] else '{\n') + body + '    }\n'
            t += 'static void *f%d(void *a)\n{\n    %s    return a;\n}\n' % (i, loop)
        t += 'int main(void)\n{\n    static pthread_t t[%d];\n    sem_init(&s, 0, %d);\n    sem_init(&never, 0, 0);\n' % (len(self.threads), self.value)
        for i, b in enumerate(self.threads): t += '    pthread_create(&t[%d], NULL, f%d, NULL);\n' % (i, self.bodies.index(b))
        if self.joins: t += ''.join('    pthread_join(t[%d], NULL);\n' % i for i in range(len(self.threads)))
        else: t += '    sem_wait(&never);\n'
        return t + '    return 0;\n}\n'

    # as instructions
    def code(self, body, forever):
        out = []
        def add(*instruction): out.append(list(instruction)); return len(out) - 1
        def block(b):
            for s in b: statement(s)
        def statement(s):
            k = s[0]
            if k == 'set': add('set', s[1], s[2], s[3])
            elif k == 'lock': add('lock', s[1]); block(s[2]); add('unlock', s[1])
            elif k == 'try':
                add('try', s[1]); skip = add('go', None); start = len(out)
                block(s[2]); add('unlock', s[1]); end = add('go', None); out[skip][1] = len(out)
                block(s[3]); out[end][1] = len(out)
                out[skip - 1] += [start, skip]
            elif k == 'wait':
                add('lock', s[1]); begin = len(out)
                test = add('unless', s[2], s[3], None); over = add('go', None); out[test][3] = len(out)
                for step in (('enter', s[1]), ('unlock', s[1]), ('woken', s[1]), ('lock', s[1]), ('go', begin)): add(*step)
                out[over][1] = len(out)
                block(s[4]); add('unlock', s[1])
            elif k == 'wake': add('lock', s[1]); block(s[3]); add('broadcast' if s[2] else 'signal', s[1]); add('unlock', s[1])
            elif k == 'if':
                test = add('unless', s[1], s[2], None); block(s[3]); end = add('go', None); out[test][3] = len(out)
                block(s[4]); out[end][1] = len(out)
            elif k == 'loop':
                test = add('unless', s[1], s[2], None); block(s[3]); add('go', test); out[test][3] = len(out)
            elif k == 'semwait': add('semwait')
            elif k == 'sempost': test = add('unless', 0, 0, None); add('sempost'); out[test][3] = len(out)
            elif k == 'semtry':
                t = add('semtry'); skip = add('go', None); start = len(out)
                block(s[1]); add('sempost'); end = add('go', None); out[skip][1] = len(out)
                block(s[2]); out[end][1] = len(out)
                out[t] += [start, skip]
            elif k == 'rw': add('write' if s[1] else 'read'); block(s[2]); add('rwunlock')
            elif k == 'toss': add('toss', s[1], s[2])
            elif k == 'end': test = add('unless', s[1], s[2], None); add('go', -1); out[test][3] = len(out)
        if forever: add('lock', 0); add('unlock', 0)
        block(body)
        if forever: add('go', 0)
        end = len(out)
        out.append(['finish'])
        for i in out:
            if i[0] == 'go' and i[1] == -1: i[1] = end
        return [['start']] + [shift(i) for i in out]

def shift(i):            # for the start in front
    i = list(i)
    if i[0] == 'go': i[1] += 1
    elif i[0] == 'unless': i[3] += 1
    elif i[0] in ('try', 'semtry'): i[-2] += 1; i[-1] += 1
    return i

# ---- the interpreter ----

UNBORN, ENDED = -1, -2
class Machine:
    def __init__(self, program):
        p = program
        n = len(p.threads)
        main = [['start'], ['init'], ['init']] + [['create', i + 1] for i in range(n)]
        main += [['join', i + 1] for i in range(n)] + [['leave']] if p.joins else [['never']]
        codes = [p.code(b, p.forever[p.bodies.index(b)]) for b in p.threads]
        self.codes = [main] + codes
        # where each stands, its errno; x; mutexes; waiting and woken sets; semaphore; the reader-writer lock: writer, readers; joined
        self.first = (tuple([0] + [UNBORN] * n), (0,) * (n + 1), (0, 0, 0), (-1, -1), (frozenset(), frozenset()), (frozenset(), frozenset()),
                      p.value, (-1, frozenset()), frozenset())

    def run(self, code, pc, x):
        """To the next visible instruction. None: it never comes to one."""
        seen = set()
        while code[pc][0] in ('set', 'unless', 'go'):
            if (pc, tuple(x)) in seen: return None
            seen.add((pc, tuple(x)))
            i = code[pc]
            if i[0] == 'set': x[i[1]] = (x[i[1]] * i[2] + i[3]) & 3; pc += 1
            elif i[0] == 'unless': pc = pc + 1 if x[i[1]] > i[2] else i[3]
            else: pc = i[1]
        return pc

    def steps(self, state):
        """All that can come next. None in it: a loop without visible instructions."""
        at, errno, x, m, waiting, woken, sem, rw, joined = state
        out = []
        for p, pc in enumerate(at):
            if pc < 0: continue
            i = self.codes[p][pc]
            k = i[0]
            def go(pc2, x=x, m=m, waiting=waiting, woken=woken, sem=sem, rw=rw, joined=joined, errno=errno, others={}):
                x = list(x)
                where = self.run(self.codes[p], pc2, x) if pc2 >= 0 else pc2
                if where is None: out.append(None); return
                places = list(at)
                places[p] = where
                for q, w in others.items(): places[q] = w
                out.append((tuple(places), errno, tuple(x), m, waiting, woken, sem, rw, joined))
            def put(t, j, v): return t[:j] + (v,) + t[j + 1:]
            if k in ('start', 'init'): go(pc + 1)
            elif k == 'create': go(pc + 1, others={i[1]: 0})
            elif k == 'join':
                if at[i[1]] == ENDED: go(pc + 1, joined=joined | {i[1]})
            elif k in ('finish', 'leave'): go(ENDED, errno=put(errno, p, 0))
            elif k == 'lock':
                if m[i[1]] < 0: go(pc + 1, m=put(m, i[1], p))
            elif k == 'unlock': go(pc + 1, m=put(m, i[1], -1))
            elif k == 'try':
                if m[i[1]] < 0: go(i[-2], m=put(m, i[1], p))
                else: go(i[-1])
            elif k == 'enter': go(pc + 1, waiting=put(waiting, i[1], waiting[i[1]] | {p}))
            elif k == 'woken':
                if p in woken[i[1]]: go(pc + 1, woken=put(woken, i[1], woken[i[1]] - {p}))
            elif k == 'signal':
                for q in sorted(waiting[i[1]]): go(pc + 1, waiting=put(waiting, i[1], waiting[i[1]] - {q}), woken=put(woken, i[1], woken[i[1]] | {q}))
                if not waiting[i[1]]: go(pc + 1)
            elif k == 'broadcast': go(pc + 1, waiting=put(waiting, i[1], frozenset()), woken=put(woken, i[1], woken[i[1]] | waiting[i[1]]))
            elif k == 'semwait':
                if sem: go(pc + 1, sem=sem - 1)
            elif k == 'sempost': go(pc + 1, sem=sem + 1)
            elif k == 'semtry':
                if sem: go(i[-2], sem=sem - 1)
                else: go(i[-1], errno=put(errno, p, 1))
            elif k == 'write':
                if rw[0] < 0 and not rw[1]: go(pc + 1, rw=(p, rw[1]))
            elif k == 'read':
                if rw[0] < 0: go(pc + 1, rw=(rw[0], rw[1] | {p}))
            elif k == 'rwunlock': go(pc + 1, rw=(-1, rw[1]) if rw[0] == p else (rw[0], rw[1] - {p}))
            elif k == 'toss':
                for v in range(i[2] + 1): go(pc + 1, x=put(x, i[1], v))
        return out

    def count(self):
        """States, transitions, and states where nothing goes on; None: too many, or a loop that nobody sees."""
        seen, todo, transitions, ends = {self.first}, [self.first], 0, 0
        while todo:
            steps = self.steps(todo.pop())
            transitions += len(steps)
            ends += not steps
            for s in steps:
                if s is None or len(seen) > MOST or s[6] > 3: return None
                if s not in seen: seen.add(s); todo.append(s)
        return len(seen), transitions, ends

# ---- comparing ----

SEARCHES = [['--search', 'stateful'], ['--search', 'bfs']]
if not subprocess.call(['setarch', os.uname().machine, '-R', 'true'], stderr=subprocess.DEVNULL):     # else states of two starts cannot be compared
    SEARCHES.append(['--search', 'stateful', '--restart', '1'])
RESTART = 300            # transitions: starting again is slow

def check(verisoft, program, options):
    command = ['timeout', '-s', 'KILL', '600', verisoft, program, '--json', '-', '--ignore-deadlock', '1', '--instrument', '0', '--output', os.path.dirname(program)] + options
    p = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, CC='gcc'))
    try: report = json.loads(p.stdout)
    except ValueError: return 'status %d, no report: %s %s' % (p.returncode, p.stdout[:200], p.stderr[:300])
    if report['result'] != 'complete': return '%s: %s' % (report['result'], str(report['errors'])[:300])
    return report['states'], report['transitions'], report['executions']

def main():
    if sys.argv[1] == 'print':
        p = Program(int(sys.argv[2]))
        print(p.text(), '/*', Machine(p).count(), '*/'); return
    verisoft, folder, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    tried, differ = 0, 0
    for seed in range(first, first + count):
        p = Program(seed)
        expected = Machine(p).count()
        if not expected: continue
        tried += 1
        program = '%s/s%d.c' % (folder, seed)
        open(program, 'w').write(p.text())
        wrong = []
        for options in SEARCHES:
            if '--restart' in options and expected[1] > RESTART: continue
            got = check(verisoft, program, options)
            if got != expected: wrong.append('%s: %s, expected %s' % (' '.join(options), got, expected))
        differ += bool(wrong)
        if wrong: print(seed, '\n    '.join([''] + wrong), flush=True)
        else: os.remove(program)
    print(tried, 'programs,', differ, 'differ')
    sys.exit(1 if differ else 0)

main()
