#!/usr/bin/env python3
"""Random programs that read and write shared variables, plainly and atomically, with and without a lock: the outcomes, violated assertions,
deadlocks and data races that VeriSoft finds must be those that are found here by trying every interleaving of single accesses.
    accesses.py VERISOFT FOLDER FIRST COUNT      seeds FIRST..; FOLDER keeps the programs on which they differ: status 1
    accesses.py print SEED                       the program, and what is true of it

Nothing here knows how VeriSoft works: what an access does, and what is ordered before what, is written down once more (C11 5.1.2.4, with the
release sequences of C17). Many programs are one executable, of which each is an argument. A program is a few threads, each a list of

    set i k, add i k, get i            x[i] = k, x[i] += k, v = x[i], plainly
    store i k o, load i o              with the memory order o; v = the value
    fetch i k o, swap i k o            v = the old value
    bump i k o                         an addition of which nobody looks at the result
    cas i e k o f                      v = did it succeed; f is the order where it fails
    spin i k o                         while (the load of x[i] is not k);
    lock, unlock                       one mutex
    if k BODY                          if (v == k)
    assert k                           assert(v != k)

main creates the threads, joins them, and tells what x is and each last v, as one of TOLD assertions."""
# SPDX-License-Identifier: MIT
import json, os, random, subprocess, sys

VARIABLES, TOLD, MOST, BATCH = 2, 16, 40000, 40
ORDERS = {'relaxed': (False, False), 'acquire': (True, False), 'release': (False, True), 'acq_rel': (True, True), 'seq_cst': (True, True)}
LOADS, STORES = ['relaxed', 'acquire', 'seq_cst'], ['relaxed', 'release', 'seq_cst']

class TooLarge(Exception): pass

# ---- programs ----

class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.threads = self.r.choice([2, 2, 2, 3])
        self.plain, self.atomic = self.r.choice([(3, 1), (1, 3), (2, 2), (1, 0), (0, 1)])
        self.asserts, self.spins, self.locks = self.r.random() < 0.3, self.r.random() < 0.25, self.r.random() < 0.4
        self.weak = self.r.random() < 0.6

    def order(self, among): return self.r.choice(among) if self.weak else 'seq_cst'

    def access(self):
        r, i, k = self.r, self.r.randrange(VARIABLES), self.r.randint(0, 2)
        if r.random() * (self.plain + self.atomic) < self.plain:
            return r.choice([('set', i, k), ('get', i), ('get', i), ('add', i, 1 + k)])
        every = list(ORDERS)
        kind = r.choice(['store', 'load', 'load', 'fetch', 'bump', 'swap', 'cas'])
        if kind == 'load': return kind, i, self.order(LOADS)
        if kind == 'store': return kind, i, k, self.order(STORES)
        if kind == 'cas': return kind, i, r.randint(0, 1), k, self.order(every), self.order(LOADS)
        return kind, i, k, self.order(every)

    def statement(self, deep):
        r, kind = self.r, self.r.random()
        if kind < 0.15 and not deep: return [('if', r.randint(0, 1), self.body(1, 1))]
        if kind < 0.25 and self.asserts: return [('assert', r.randint(0, 2))]
        if kind < 0.32 and self.spins: return [('spin', r.randrange(VARIABLES), r.randint(0, 1), self.order(LOADS))]
        if kind < 0.5 and self.locks and not deep: return [('lock',), *self.body(r.randint(1, 2), 1), ('unlock',)]
        return [self.access()]

    def body(self, size, deep=0): return [s for _ in range(size) for s in self.statement(deep)]

    def handover(self):
        """One writes, and does something to another variable; the other does something to that, and reads. Often nothing is changed there."""
        r, among = self.r, ['swap', 'cas', 'store', 'fetch', 'bump']
        kind, k, order = r.choice(among), r.choice([0, 0, 0, 1]), r.choice(list(ORDERS))
        first = (kind, 1, 0, k, order, r.choice(LOADS)) if kind == 'cas' else (kind, 1, k, r.choice(STORES) if kind == 'store' else order)
        kind = r.choice(['load', 'fetch', 'bump', 'swap', 'cas'])
        second = ('load', 1, r.choice(LOADS)) if kind == 'load' else ('cas', 1, k, 0, r.choice(list(ORDERS)), r.choice(LOADS)) \
            if kind == 'cas' else (kind, 1, 0, r.choice(list(ORDERS)))
        threads = [[('set', 0, 1), first], [second, ('get', 0)]]
        return threads[::r.choice([1, -1])]

    def program(self):
        if self.r.random() < 0.2: return self.handover()
        return [self.body(self.r.randint(1, 4 if self.threads == 2 else 2)) for _ in range(self.threads)]

# ---- as C, and as instructions with the line of each ----

C_OF = {'set': 'x[%d] = %d;', 'add': 'x[%d] += %d;', 'get': 'v = x[%d];', 'store': '__atomic_store_n(&x[%d], %d, %s);',
        'load': 'v = __atomic_load_n(&x[%d], %s);', 'fetch': 'v = __atomic_fetch_add(&x[%d], %d, %s);',
        'bump': '__atomic_fetch_add(&x[%d], %d, %s);', 'swap': 'v = __atomic_exchange_n(&x[%d], %d, %s);',
        'spin': 'while (__atomic_load_n(&x[%d], %s) != %d) ;', 'lock': 'pthread_mutex_lock(&m);', 'unlock': 'pthread_mutex_unlock(&m);',
        'cas': '{ int e = %d; v = __atomic_compare_exchange_n(&x[%d], &e, %d, 0, %s, %s); }'}

def order_in_c(o): return '__ATOMIC_' + o.upper()

class Compiler:
    """Adds a program to the lines of a file: functions pN_T for its threads, pN for its main."""
    def __init__(self, lines, number, program):
        self.lines, self.threads, self.joins = lines, [], []
        for t, body in enumerate(program):
            self.code = []
            self.add('static void *p%d_%d(void *_)' % (number, t))
            self.add('{ int v = 0;')
            self.statements(body)
            self.add('last[%d] = v; return _; }' % t)
            self.threads.append(self.code)
        self.add('static void p%d(void)' % number)
        self.add('{ pthread_t t[%d];' % len(program))
        for t in range(len(program)): self.add('pthread_create(&t[%d], NULL, p%d_%d, NULL);' % (t, number, t))
        self.joins = [self.add('pthread_join(t[%d], NULL);' % t) for t in range(len(program))]
        self.add('switch (sum()) {')
        self.told = [self.add('case %d: assert(0); break;' % k) for k in range(TOLD)]
        self.add('} }')

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)

    def statements(self, body):
        for s in body:
            kind = s[0]
            if kind == 'if':
                self.add('if (v == %d) {' % s[1])
                self.code.append(None)
                at = len(self.code) - 1
                self.statements(s[2])
                self.add('}')
                self.code[at] = (0, 'skip', s[1], len(self.code))
            elif kind == 'assert':
                self.code.append((self.add('assert(v != %d);' % s[1]), *s))
            else:
                words = [order_in_c(w) if isinstance(w, str) else w for w in s[1:]]
                if kind == 'cas': words[0], words[1] = words[1], words[0]
                if kind == 'spin': words[1], words[2] = words[2], words[1]
                line = self.add(C_OF[kind] % tuple(words))
                if kind == 'add':            # two accesses
                    self.code += [(line, 'fetchadd_read', s[1]), (line, 'fetchadd_write', s[1], s[2])]
                else:
                    self.code.append((line, *s))

HEAD = '''#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x[%d], last[4];
static int sum(void) { unsigned h = 0; for (int i = 0; i < %d; i++) h = 5 * h + (unsigned)x[i]; for (int i = 0; i < 4; i++) h = 3 * h + (unsigned)last[i]; return (int)(h %% %d); }
''' % (VARIABLES, VARIABLES, TOLD)

def text_of(programs):
    lines = HEAD.splitlines()
    compiled = [Compiler(lines, n, p) for n, p in enumerate(programs)]
    lines.append('int main(int argc, char **argv) { static void (*const all[])(void) = { %s };' % ', '.join('p%d' % n for n in range(len(programs))))
    lines.append('all[argc > 1 ? atoi(argv[1]) : 0](); return 0; }')
    return lines, compiled

# ---- every interleaving ----

def join(a, b): return tuple(max(p, q) for p, q in zip(a, b))

class Thread:
    """at: instruction; v, read: its locals; clock: what happens before its next step; its own entry counts its steps."""
    def __init__(self, at, v, read, clock): self.at, self.v, self.read, self.clock = at, v, read, clock
    def key(self): return self.at, self.v, self.read, self.clock

class Brute:
    def __init__(self, compiled):
        self.code, self.joins, self.told = compiled.threads, compiled.joins, compiled.told
        self.count = len(self.code)
        self.races, self.outcomes, self.seen = set(), set(), set()

    def all(self):
        n = self.count
        threads = tuple((0, 0, 0, tuple(int(i == t) for i in range(n))) for t in range(n))
        none = (0,) * n
        todo = [(threads, (0,) * VARIABLES, (none,) * VARIABLES, -1, none, frozenset())]
        while todo:
            state = todo.pop()
            if state in self.seen: continue
            self.seen.add(state)
            if len(self.seen) > MOST: raise TooLarge
            todo += self.next(state)
        return self.outcomes, self.races

    def next(self, state):
        threads, x, released, owner, given, past = state
        after, stuck, moved = [], set(), False
        for t in range(self.count):
            if threads[t][0] >= len(self.code[t]): continue
            following, waits = self.step(t, state)
            after += following
            if waits is None: moved = True
            else: stuck.add(waits)
        if not moved: self.end(threads, x, stuck)
        return after

    def end(self, threads, x, stuck):
        unfinished = [t for t in range(self.count) if threads[t][0] < len(self.code[t])]
        if unfinished:
            self.outcomes.add(('deadlock', tuple(sorted(stuck | {self.joins[unfinished[0]]}))))
            return
        h = 0
        for value in x: h = (5 * h + value) % 2**32
        for i in range(4): h = (3 * h + (threads[i][1] if i < self.count else 0)) % 2**32
        self.outcomes.add(('assertion', self.told[h % TOLD]))

    def note(self, t, i, line, writes, atomic, clock, past):
        """The access in the set of all; its races. An access happens before t's now if t's clock has come to its step."""
        for (u, step, j, other, wrote, was_atomic) in past:
            if u != t and i == j and (writes or wrote) and not (atomic and was_atomic) and clock[u] < step:
                self.races.add((i, tuple(sorted((line, other)))))
        return past | {(t, clock[t], i, line, writes, atomic)}

    def step(self, t, state):
        """States after the next instruction of t, and the line at which it waits; None: it does not."""
        threads, x, released, owner, given, past = state
        at, v, read, clock = threads[t]
        line, kind, *s = self.code[t][at]
        x, released = list(x), list(released)

        def done(v=v, read=read, clock=clock, owner=owner, given=given, past=past, to=at + 1):
            now = tuple(c + (u == t) for u, c in enumerate(clock))
            return [(threads[:t] + ((to, v, read, now),) + threads[t + 1:], tuple(x), tuple(released), owner, given, past)]

        if kind == 'skip': return done(to=at + 1 if v == s[0] else s[1]), None
        if kind == 'assert':
            if v != s[0]: return done(), None
            self.outcomes.add(('assertion', line))
            return [], None
        if kind == 'lock':
            return (done(owner=t, clock=join(clock, given)), None) if owner < 0 else ([], line)
        if kind == 'unlock': return done(owner=-1, given=clock), None
        i = s[0]
        if kind == 'set':
            x[i], released[i] = s[1], (0,) * self.count
            return done(past=self.note(t, i, line, True, False, clock, past)), None
        if kind == 'get': return done(v=x[i], past=self.note(t, i, line, False, False, clock, past)), None
        if kind == 'fetchadd_read': return done(read=x[i], past=self.note(t, i, line, False, False, clock, past)), None
        if kind == 'fetchadd_write':
            x[i], released[i] = read + s[1], (0,) * self.count
            return done(read=0, past=self.note(t, i, line, True, False, clock, past)), None
        if kind == 'spin' and x[i] != s[1]:      # it looked, and stays where it is
            past_ = self.note(t, i, line, False, True, clock, past)
            return ([(threads, tuple(x), tuple(released), owner, given, past_)] if past_ != past else []), line
        return done(**self.atomically(t, kind, s, line, v, clock, past, x, released)), None

    def atomically(self, t, kind, s, line, v, clock, past, x, released):
        i, old = s[0], x[s[0]]
        fails = kind == 'cas' and old != s[1]
        order = s[4] if fails else s[3] if kind == 'cas' else s[-1]
        acquires, releases = ORDERS[order]
        reads, writes = kind != 'store', kind not in ('load', 'spin') and not fails
        if reads and acquires: clock = join(clock, released[i])
        past = self.note(t, i, line, writes, True, clock, past)
        if writes:
            chain = released[i] if reads else (0,) * self.count          # an update goes on with the release sequence
            released[i] = join(chain, clock) if releases else chain
            x[i] = {'store': s[1], 'swap': s[1], 'fetch': old + s[1], 'bump': old + s[1], 'cas': s[2]}[kind] if kind != 'cas' else s[2]
        new = {'load': old, 'fetch': old, 'swap': old, 'cas': int(not fails)}.get(kind, v)
        return dict(v=new, clock=clock, past=past)

# ---- what VeriSoft says ----

def line_of(place): return int(place.rsplit(':', 1)[1])

def told(error):
    if error['kind'] == 'assertion': return 'assertion', line_of(error['location'])
    stand = [s['location'] for s in error['steps'] if s['step'] is None]
    return error['kind'], tuple(sorted({line_of(place) for place in stand if place}))

def race_of(error):
    name = error['variable']
    return int(name[2:-1]) if name.startswith('x[') else name, tuple(sorted(line_of(a['location']) for a in error['accesses']))

def verisoft(command, program, number, options):
    run = subprocess.run(['timeout', '-s', 'KILL', '600', command, program, '--json', '-', '--stop-at-error', '0', '--output',
                          program + '.out', '--search', 'dfs', '--max-depth', '0', *options, '--', str(number)], capture_output=True, text=True)
    subprocess.run(['rm', '-rf', program + '.out'])
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return 'status %d, no report: %s %s' % (run.returncode, run.stdout[:200], run.stderr[:300])
    if report['coverage'] != 'all' or report.get('unsupported') or report.get('unconfirmed'):
        return 'coverage %s, stopped by %s, unsupported %s, unconfirmed %s' % (report['coverage'], report['stopped_by'], report.get('unsupported'),
                                                                               report.get('unconfirmed'))
    races = {race_of(e) for e in report['errors'] if e['kind'] == 'race'}
    if report['race_free'] != (not races): return 'race_free %s with %d races' % (report['race_free'], len(races))
    return {told(e) for e in report['errors'] if e['kind'] != 'race'}, races

def difference(found, true):
    if isinstance(found, str): return found
    words = []
    for what, f, t in ('outcomes', found[0], true[0]), ('races', found[1], true[1]):
        if f != t: words.append('%s: missed %s; not true %s' % (what, sorted(t - f), sorted(f - t)))
    return '; '.join(words)

def compare(command, executable, number, compiled):
    try:
        true = Brute(compiled).all()
    except TooLarge:
        return None
    wrong = []
    for reduction in ['optimal', 'source'] if number % 4 == 0 else ['optimal']:
        words = difference(verisoft(command, executable, number, ['--reduction', reduction]), true)
        if words: wrong.append('%s: %s' % (reduction, words))
    return wrong

def batch(command, folder, seeds):
    lines, compiled = text_of([Generator(s).program() for s in seeds])
    executable = '%s/b%d' % (folder, seeds[0])
    with open(executable + '.c', 'w') as file: file.write('\n'.join(lines) + '\n')
    subprocess.run([command, 'cc', '-O0', '-w', '-pthread', executable + '.c', '-o', executable], check=True)
    results = [compare(command, executable, n, c) for n, c in enumerate(compiled)]
    for seed, number, wrong in zip(seeds, range(len(seeds)), results):
        if wrong: print('seed %d, %s -- %d\n    %s' % (seed, executable, number, '\n    '.join(wrong)), flush=True)
    if not any(results): os.remove(executable), os.remove(executable + '.c')
    return results

def show(seed):
    lines, compiled = text_of([Generator(seed).program()])
    for number, line in enumerate(lines, 1): print('%4d  %s' % (number, line))
    outcomes, races = Brute(compiled[0]).all()
    print('outcomes', sorted(outcomes), '\nraces', sorted(races))

def main():
    if sys.argv[1] == 'print': return show(int(sys.argv[2]))
    command, folder, seed, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    results = []
    while len(results) - results.count(None) < count:
        results += batch(command, folder, list(range(seed, seed + BATCH)))
        seed += BATCH
    differ = sum(map(bool, results))
    print('%d programs compared, %d left out because there is too much to try, %d differ' % (len(results) - results.count(None), results.count(None), differ))
    sys.exit(1 if differ else 0)

main()
