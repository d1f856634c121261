#!/usr/bin/env python3
"""Random programs whose threads wait in loops: for a value, for one of two, by exchange and by compare and exchange, for a mutex that they try
to get, with few rounds that count. What VeriSoft finds must be what is found here in the graph of all states: how they end, and who waits for
ever.
    loops.py VERISOFT FOLDER FIRST COUNT      seeds FIRST..; FOLDER keeps the programs on which they differ: status 1
    loops.py print SEED                       the program, and what is true of it

Nothing here knows how VeriSoft works. A program is a few threads, each a list of statements, of which each is text in C and a few instructions, written
side by side (STATEMENTS). All variables are atomic. Those programs are left out in which something can go on changing for ever."""
# SPDX-License-Identifier: MIT
import json, os, random, subprocess, sys

VARIABLES, TOLD, MOST, BATCH = 3, 64, 60000, 40

class TooLarge(Exception): pass

# ---- statements ----

# i, j: variables; k, l, q: values. In C L, S, X, C are load, store, exchange, compare and exchange; Y lets others go first, or does nothing. Instructions work on
# v, t, e, n of a thread; targets are counted from the first of the statement; BODY stands for what is done inside.
STATEMENTS = {
    'store':    ('S(i, k);', [('store', 'i', 'k')]),
    'load':     ('v = L(i);', [('load', 'v', 'i')]),
    'add':      ('v = A(i, k);', [('add', 'v', 'i', 'k')]),
    'swap':     ('v = X(i, k);', [('swap', 'v', 'i', 'k')]),
    'compare':  ('e = k; v = C(i, l);', [('set', 'e', 'k'), ('cas', 'v', 'i', 'l')]),
    'locked':   ('M(lock); BODY M(unlock);', [('lock',), 'BODY', ('unlock',)]),
    'if':       ('if (v == k) { BODY }', [('unless', 'v', 'k', 'END'), 'BODY']),
    'value':    ('while ((v = L(i)) != k) Y;', [('load', 'v', 'i'), ('unless', 'v', 'k', 0)]),
    'either':   ('while (L(i) != k && L(j) != l) Y;', [('load', 't', 'i'), ('if', 't', 'k', 'END'), ('load', 't', 'j'), ('unless', 't', 'l', 0)]),
    'both':     ('while (L(i) != k || L(j) != l) Y;', [('load', 't', 'i'), ('unless', 't', 'k', 0), ('load', 't', 'j'), ('unless', 't', 'l', 0)]),
    'take':     ('while (X(i, 1)) Y;', [('swap', 't', 'i', 'one'), ('unless', 't', 'zero', 0)]),
    'taste':    ('do while (L(i)) Y; while (X(i, 1));', [('load', 't', 'i'), ('unless', 't', 'zero', 0), ('swap', 't', 'i', 'one'), ('unless', 't', 'zero', 0)]),
    'change':   ('e = k; while (!C(i, l)) { e = k; Y; }', [('set', 'e', 'k'), ('cas', 't', 'i', 'l'), ('if', 't', 'zero', 0), ('set', 'e', 'zero')]),
    'follow':   ('e = L(i); while (!C(i, (e + 1) % 3)) Y; v = e; e = 0;', [('load', 'e', 'i'), ('casnext', 't', 'i'), ('if', 't', 'zero', 1), ('move', 'v', 'e'), ('set', 'e', 'zero')]),
    'try':      ('while (M(trylock)) Y; BODY M(unlock);', [('try', 't'), ('unless', 't', 'zero', 0), 'BODY', ('unlock',)]),
    'tryor':    ('while ((v = M(trylock)) && L(i) != k) Y; if (!v) { BODY M(unlock); }',
                 [('try', 'v'), ('if', 'v', 'zero', 4), ('load', 't', 'i'), ('unless', 't', 'k', 0), ('unless', 'v', 'zero', 'END'), 'BODY', ('unlock',)]),
    'ortry':    ('while (L(i) != k && (v = M(trylock))) Y; if (L(j) == l) BODY',
                 [('load', 't', 'i'), ('if', 't', 'k', 4), ('try', 'v'), ('unless', 'v', 'zero', 0), ('load', 't', 'j'), ('unless', 't', 'l', 'END'), 'BODY']),
    'rounds':   ('for (n = 0; n < 3 && L(i) != k; n++) Y; v = n; n = 0;',
                 [('load', 't', 'i'), ('if', 't', 'k', 4), ('inc', 'n'), ('unless', 'n', 'three', 0), ('move', 'v', 'n'), ('set', 'n', 'zero')]),
    'answer':   ('while ((v = L(i)) != k) if (v == l) S(j, q);', [('load', 'v', 'i'), ('if', 'v', 'k', 'END'), ('unless', 'v', 'l', 0), ('store', 'j', 'q'), ('jump', 0)]),
    'same':     ('do { v = L(i); Y; } while (v != L(j));', [('load', 'v', 'i'), ('load', 't', 'j'), ('differ', 'v', 't', 0)]),
    'twice':    ('do v = L(i); while (v != L(i) || v == k);', [('load', 'v', 'i'), ('load', 't', 'i'), ('differ', 'v', 't', 0), ('if', 'v', 'k', 0)]),
    'leave':    ('for (;;) { if ((v = L(i)) == k) break; if (L(j) == l) { S(i, q); break; } Y; }',
                 [('load', 'v', 'i'), ('if', 'v', 'k', 'END'), ('load', 't', 'j'), ('unless', 't', 'l', 0), ('store', 'i', 'q')]),
    'give up':  ('while (X(i, 1)) { while (L(i) && L(j) != k) Y; if (L(j) == k) break; }',
                 [('swap', 't', 'i', 'one'), ('if', 't', 'zero', 'END'), ('load', 't', 'i'), ('if', 't', 'zero', 6), ('load', 't', 'j'), ('unless', 't', 'k', 2),
                  ('load', 't', 'j'), ('unless', 't', 'k', 0)]),
    'compared': ('while (e = k, !C(i, l) && L(j) != q) Y; e = 0;', [('set', 'e', 'k'), ('cas', 't', 'i', 'l'), ('unless', 't', 'zero', 5), ('load', 't', 'j'), ('unless', 't', 'q', 0), ('set', 'e', 'zero')]),
    'three':    ('while (L(0) != k && L(1) != l && L(2) != q) Y;', [('load', 't', 0), ('if', 't', 'k', 'END'), ('load', 't', 1), ('if', 't', 'l', 'END'), ('load', 't', 2), ('unless', 't', 'q', 0)]),
}
SIMPLE = ['store', 'store', 'load', 'add', 'swap', 'compare']
WAITS = ['value', 'value', 'either', 'both', 'take', 'taste', 'change', 'follow', 'try', 'tryor', 'ortry', 'rounds', 'answer', 'same', 'twice', 'leave', 'give up', 'compared', 'three']
CONSTANTS = {'zero': 0, 'one': 1, 'three': 3}

class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.threads = self.r.choice([2, 2, 2, 3])
        self.waits = self.r.sample(WAITS, self.r.choice([1, 2, 4]))
        self.yields = self.r.random() < 0.3

    def statement(self, deep):
        r = self.r
        kind = r.choice(self.waits) if r.random() < 0.4 else r.choice(SIMPLE + (['locked', 'if'] if not deep else []))
        if deep and any(x == 'BODY' for x in STATEMENTS[kind][1]): kind = 'store'
        i = r.randrange(VARIABLES)
        j = (i + r.randrange(1, VARIABLES)) % VARIABLES
        return kind, dict(i=i, j=j, k=r.randint(0, 2), l=r.randint(0, 2), q=r.randint(0, 2)), self.yields and r.random() < 0.6, \
            [self.statement(True) for _ in range(r.randint(1, 2))] if not deep else []

    def program(self): return [[self.statement(False) for _ in range(self.r.randint(1, 4 if self.threads == 2 else 3))] for _ in range(self.threads)]

# ---- as C, and as instructions ----

HEAD = '''#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x[%d], last[4];
#define L(i) __atomic_load_n(&x[i], 5)
#define S(i, k) __atomic_store_n(&x[i], k, 5)
#define A(i, k) __atomic_fetch_add(&x[i], k, 5)
#define X(i, k) __atomic_exchange_n(&x[i], k, 5)
#define C(i, k) __atomic_compare_exchange_n(&x[i], &e, k, 0, 5, 5)
#define M(how) pthread_mutex_##how(&m)
static int sum(void) { unsigned h = 0; for (int i = 0; i < %d; i++) h = 5 * h + (unsigned)x[i]; for (int i = 0; i < 4; i++) h = 3 * h + (unsigned)last[i]; return (int)(h %% %d); }
''' % (VARIABLES, VARIABLES, TOLD)

def in_c(statement):
    kind, holes, yields, body = statement
    text = STATEMENTS[kind][0]
    out, word = '', ''
    for c in text + ' ':
        if c.isalnum(): word += c
        else:
            if word == 'BODY': word = '{ %s }' % ' '.join(in_c(s) for s in body)
            elif word == 'Y': word = 'sched_yield()' if yields else ''
            elif word in holes and len(word) == 1: word = str(holes[word])
            out += word + c
            word = ''
    return out.strip()

def code_of(statement, code):
    kind, holes, yields, body = statement
    start, place, fix = len(code), [], []
    for ins in STATEMENTS[kind][1]:
        place.append(len(code))
        if ins == 'BODY':
            for s in body: code_of(s, code)
            continue
        words = [holes.get(w, CONSTANTS.get(w, w)) if isinstance(w, str) and p else w for p, w in enumerate(ins)]
        if ins[0] in ('if', 'unless', 'jump', 'differ'): fix.append(len(code))
        code.append(words)
    place.append(len(code))
    for at in fix:
        to = code[at][-1]
        code[at][-1] = len(code) if to == 'END' else place[to]

class Compiled:
    def __init__(self, lines, number, program):
        self.threads, self.lines = [], {}
        for t, body in enumerate(program):
            code = []
            lines.append('static void *p%d_%d(void *_) { int v = 0, t = 0, e = 0, n = 0; (void)t; (void)e; (void)n;' % (number, t))
            for s in body:
                lines.append(in_c(s))
                self.lines[len(lines)] = t
                code_of(s, code)
            lines.append('last[%d] = v; return _; }' % t)
            self.threads.append(code)
        lines.append('static void p%d(void) { pthread_t t[%d];' % (number, len(program)))
        for t in range(len(program)): lines.append('pthread_create(&t[%d], NULL, p%d_%d, NULL);' % (t, number, t))
        for t in range(len(program)): lines.append('pthread_join(t[%d], NULL);' % t)
        lines.append('switch (sum()) {')
        self.told = []
        for k in range(TOLD):
            lines.append('case %d: assert(0); break;' % k)
            self.told.append(len(lines))
        lines.append('} }')

def text_of(programs):
    lines = HEAD.splitlines()
    compiled = [Compiled(lines, n, p) for n, p in enumerate(programs)]
    lines.append('int main(int argc, char **argv) { static void (*const all[])(void) = { %s };' % ', '.join('p%d' % n for n in range(len(programs))))
    lines.append('all[argc > 1 ? atoi(argv[1]) : 0](); return 0; }')
    return lines, compiled

# ---- the graph of all states ----

REGISTERS = {'v': 0, 't': 1, 'e': 2, 'n': 3}

def step(code, thread, x, owner, t):
    """The thread, the variables and the owner after the next instruction of thread t; None: it waits for the mutex."""
    at, regs = thread[0], list(thread[1:])
    ins, x = code[at], list(x)
    kind, to = ins[0], at + 1
    if kind == 'set': regs[REGISTERS[ins[1]]] = ins[2]
    elif kind == 'move': regs[REGISTERS[ins[1]]] = regs[REGISTERS[ins[2]]]
    elif kind == 'inc': regs[REGISTERS[ins[1]]] += 1
    elif kind == 'if': to = ins[3] if regs[REGISTERS[ins[1]]] == ins[2] else to
    elif kind == 'unless': to = ins[3] if regs[REGISTERS[ins[1]]] != ins[2] else to
    elif kind == 'differ': to = ins[3] if regs[REGISTERS[ins[1]]] != regs[REGISTERS[ins[2]]] else to
    elif kind == 'jump': to = ins[1]
    elif kind == 'store': x[ins[1]] = ins[2]
    elif kind == 'load': regs[REGISTERS[ins[1]]] = x[ins[2]]
    elif kind == 'add': regs[REGISTERS[ins[1]]], x[ins[2]] = x[ins[2]], x[ins[2]] + ins[3]
    elif kind == 'swap': regs[REGISTERS[ins[1]]], x[ins[2]] = x[ins[2]], ins[3]
    elif kind in ('cas', 'casnext'):
        new = (regs[2] + 1) % 3 if kind == 'casnext' else ins[3]
        regs[REGISTERS[ins[1]]] = int(x[ins[2]] == regs[2])
        if x[ins[2]] == regs[2]: x[ins[2]] = new
        else: regs[2] = x[ins[2]]
    elif kind == 'lock':
        if owner >= 0: return None
        owner = t
    elif kind == 'try':
        regs[REGISTERS[ins[1]]] = 16 if owner >= 0 else 0
        owner = t if owner < 0 else owner
    elif kind == 'unlock': owner = -1 if owner == t else owner
    return (to, *regs), tuple(x), owner

LOCAL = {'set', 'move', 'inc', 'if', 'unless', 'differ', 'jump'}

class Brute:
    def __init__(self, compiled):
        self.code, self.told = compiled.threads, compiled.told

    def settle(self, thread, t):
        """What it does by itself is no step."""
        while thread[0] < len(self.code[t]) and self.code[t][thread[0]][0] in LOCAL: thread = step(self.code[t], thread, (), -1, t)[0]
        if thread[0] < len(self.code[t]): return thread
        return thread[:2] + (0, 0, 0)                    # of what is left only v counts

    def next(self, state):
        threads, x, owner = state
        for t, thread in enumerate(threads):
            if thread[0] >= len(self.code[t]): continue
            after = step(self.code[t], thread, x, owner, t)
            if not after: continue
            state = threads[:t] + (self.settle(after[0], t),) + threads[t + 1:], after[1], after[2]
            if self.code[t][thread[0]][0] == 'store': self.stores.append(state)
            yield state

    def all(self):
        n = len(self.code)
        first = (tuple(self.settle((0, 0, 0, 0, 0), t) for t in range(n)), (0,) * VARIABLES, -1)
        graph, stored, todo = {}, {}, [first]
        while todo:
            state = todo.pop()
            if state in graph: continue
            self.stores = []
            graph[state] = list(self.next(state))
            stored[state] = self.stores
            if len(graph) > MOST: raise TooLarge
            todo += graph[state]
        return self.outcomes(graph, stored, first)

    def outcomes(self, graph, stored, first):
        found = set()
        for component in components(graph, first):
            inside = set(component)
            leaves = any(s not in inside for c in component for s in graph[c])
            if len({(x, owner) for _, x, owner in component}) > 1 or any(s in inside for c in component for s in stored[c]): raise TooLarge            # something goes on changing
            if leaves: continue
            threads, x, owner = component[0]
            stuck = frozenset(t for t, thread in enumerate(threads) if thread[0] < len(self.code[t]))
            if stuck: found.add(('deadlock', stuck))
            else: found.add(('assertion', self.told[self.hash(x, threads)]))
        return found

    def hash(self, x, threads):
        h = 0
        for value in x: h = (5 * h + value) % 2**32
        for i in range(4): h = (3 * h + (threads[i][1] if i < len(threads) else 0)) % 2**32
        return h % TOLD

def components(graph, first):
    """Strongly connected ones, by Tarjan's algorithm without recursion."""
    number, low, stack, on, result, work = {}, {}, [], set(), [], [(first, 0)]
    while work:
        state, child = work.pop()
        if state not in number:
            number[state] = low[state] = len(number)
            stack.append(state); on.add(state)
        follow = graph[state]
        while child < len(follow):
            s = follow[child]
            if s not in number:
                work += [(state, child), (s, 0)]
                break
            if s in on: low[state] = min(low[state], low[s])
            child += 1
        else:
            if low[state] == number[state]:
                component = []
                while True:
                    s = stack.pop(); on.discard(s); component.append(s)
                    if s == state: break
                result.append(component)
    return result

# ---- what VeriSoft says ----

def line_of(place): return int(place.rsplit(':', 1)[1])

def told(error, compiled):
    if error['kind'] == 'assertion': return 'assertion', line_of(error['location'])
    stand = [s['location'] for s in error['steps'] if s['step'] is None]
    return error['kind'], frozenset(compiled.lines[line_of(p)] for p in stand if p and line_of(p) in compiled.lines)

def verisoft(command, program, number, compiled, options):
    run = subprocess.run(['timeout', '-s', 'KILL', '60', command, program, '--json', '-', '--stop-at-error', '0', '--output',
                          program + '.out', '--search', 'dfs', *options, '--', str(number)], capture_output=True, text=True)
    subprocess.run(['rm', '-rf', program + '.out'])
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return 'status %d, no report: %s %s' % (run.returncode, run.stdout[:200], run.stderr[:300])
    if report['coverage'] != 'all' or report.get('unsupported') or report.get('unconfirmed'):
        return 'coverage %s, stopped by %s, unsupported %s, counting %s, unconfirmed %s' % (report['coverage'], report['stopped_by'],
            report.get('unsupported'), report.get('counting_loop'), report.get('unconfirmed'))
    return {told(e, compiled) for e in report['errors'] if e['kind'] != 'race'}

def compare(command, executable, number, compiled):
    try:
        true = Brute(compiled).all()
    except TooLarge:
        return None
    wrong = []
    for reduction in ['source'] if number % 4 == 0 else ['optimal']:
        found = verisoft(command, executable, number, compiled, ['--reduction', reduction])
        if isinstance(found, str) and found.startswith('status -9'): return None
        if isinstance(found, str): wrong.append('%s: %s' % (reduction, found))
        elif found != true: wrong.append('%s: missed %s; not true %s' % (reduction, sorted(map(str, true - found)), sorted(map(str, found - true))))
    return wrong

def batch(command, folder, seeds):
    lines, compiled = text_of([Generator(s).program() for s in seeds])
    executable = '%s/b%d' % (folder, seeds[0])
    with open(executable + '.c', 'w') as file: file.write('\n'.join(lines) + '\n')
    optimise = ['-O0', '-O1', '-O2'][seeds[0] // BATCH % 3]
    subprocess.run([command, 'cc', '-g', optimise, '-w', '-pthread', executable + '.c', '-o', executable], check=True)
    results = [compare(command, executable, n, c) for n, c in enumerate(compiled)]
    for seed, number, wrong in zip(seeds, range(len(seeds)), results):
        if wrong: print('seed %d, %s -- %d (%s)\n    %s' % (seed, executable, number, optimise, '\n    '.join(wrong)), flush=True)
    if not any(results): os.remove(executable), os.remove(executable + '.c')
    return results

def show(seed):
    lines, compiled = text_of([Generator(seed).program()])
    for number, line in enumerate(lines, 1):
        if not line.startswith('case '): print('%4d  %s' % (number, line))
    print('outcomes', sorted(map(str, Brute(compiled[0]).all())))

def main():
    if sys.argv[1] == 'print': return show(int(sys.argv[2]))
    command, folder, seed, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    results = []
    while len(results) - results.count(None) < count:
        results += batch(command, folder, list(range(seed, seed + BATCH)))
        seed += BATCH
    differ = sum(map(bool, results))
    print('%d programs compared, %d left out because they have too much to try or go on for ever, %d differ' % (len(results) - results.count(None), results.count(None), differ))
    sys.exit(1 if differ else 0)

main()
