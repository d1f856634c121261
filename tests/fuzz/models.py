#!/usr/bin/env python3
"""Random small programs with threads: what is wrong with one according to its extracted model (verisoft verify, with Spin) must be what is wrong with it
according to a search of the program itself (verisoft check): a deadlock, an assertion, both, or nothing.
    models.py VERISOFT FOLDER FIRST COUNT      seeds FIRST..; FOLDER keeps the programs on which they differ: status 1
    models.py print SEED                       the program
What threads share they use under a lock, or atomically; the rest is arithmetic in C's types, conditions, loops and calls, and tosses."""
# SPDX-License-Identifier: MIT
import collections, json, os, random, re, shutil, subprocess, sys

LOCKS, SHARED = 2, 2
TYPES = ['int', 'char', 'unsigned char', 'short', 'unsigned', 'long', 'long long', 'unsigned short', 'signed char']

class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.types = [self.r.choice(TYPES) for _ in range(SHARED)]
        self.functions = [self.function(i) for i in range(self.r.randint(0, 2))]
        self.threads = [self.thread(t) for t in range(self.r.choice([1, 2, 2]))]

    # ---- values ----

    def constant(self): return str(self.r.choice([0, 1, 1, 2, 3, 5, 127, 128, 200, 255, 256, 300, 32768, 65535, 70000, -1, -2]))

    def value(self, names, deep=0):
        r, kind = self.r, self.r.random()
        if deep > 2 or kind < 0.35: return r.choice(names) if names and r.random() < 0.7 else self.constant()
        a, b = self.value(names, deep + 1), self.value(names, deep + 1)
        if kind < 0.6: return '(unsigned)(%s) %s (unsigned)(%s)' % (a, r.choice('+-*'), b)
        if kind < 0.7: return '((%s) %s (%s))' % (a, r.choice(['&', '|', '^']), b)
        if kind < 0.78: return '((%s) %s (%s))' % (a, r.choice(['<', '==', '!=', '>=']), b)
        if kind < 0.86: return '(%s)(%s)' % (r.choice(TYPES), a)
        if kind < 0.92: return '((%s) ? (%s) : (%s))' % (a, b, self.constant())
        if self.may_call(): return 'f%d((int)(%s))' % (r.randrange(len(self.functions)), a)
        return '(%s) %% 7' % a

    def may_call(self): return bool(getattr(self, 'functions', None))

    def function(self, i):
        r = self.r
        local = r.choice(TYPES)
        loop = 'for (int i = 0; i < %d; i++) v = (%s)(v * 3u + (unsigned)a);' % (r.randint(1, 3), local)
        return 'static %s f%d(%s a) { %s v = (%s)(%s); %s return (%s)(%s); }' % (
            r.choice(TYPES), i, r.choice(TYPES), local, local, self.value(['a'], 1), loop if r.random() < 0.5 else '', r.choice(TYPES), self.value(['a', 'v'], 1))

    def small(self): return str(self.r.choice([0, 1, 1, 2, 3, -1]))

    # ---- statements ----

    def store(self, names):
        x = self.r.randrange(SHARED)
        return 'x%d = (%s)(%s);' % (x, self.types[x], self.value(names + ['x%d' % x]))

    def protected(self, names):
        r = self.r
        body = ' '.join(self.store(names) if r.random() < 0.6 else 'v = (int)(%s);' % self.value(names + ['x0', 'x1']) for _ in range(r.randint(1, 2)))
        if r.random() < 0.3: body += ' assert(x%d != %s);' % (r.randrange(SHARED), self.small())
        return body

    def locked(self, names):
        """x0 and x1 belong to both locks: who has one of them alone does not touch them."""
        r, first = self.r, self.r.randrange(LOCKS) if self.r.random() < 0.6 else 0
        lock = 'pthread_mutex_lock(&m%d); ' % first
        if r.random() < 0.2: lock = 'if (pthread_mutex_trylock(&m%d) == 0) { ' % first
        end = ' }' if lock.startswith('if') else ''
        second = 1 - first
        return '%spthread_mutex_lock(&m%d); %s pthread_mutex_unlock(&m%d); pthread_mutex_unlock(&m%d);%s' % (lock, second, self.protected(names), second, first, end)

    def statement(self, t):
        r, kind = self.r, self.r.random()
        names = ['v', 'w']
        if kind < 0.40: return self.locked(names)
        if kind < 0.52: return 'v = (int)(%s);' % self.value(names)
        if kind < 0.60: return 'w = (%s)(%s);' % (self.local, self.value(names))
        if kind < 0.68: return 'if (v %s %s) { %s }' % (r.choice(['<', '==', '!=']), self.small(), self.locked(names))
        if kind < 0.76: return 'v = atomic_fetch_add(&count, %d);' % r.randint(1, 2)
        if kind < 0.82: return 'sem_post(&s);'
        if kind < 0.88: return 'sem_wait(&s);'
        if kind < 0.93: return 'v = VS_toss(1);'
        return 'assert(v != %s);' % self.small()

    def thread(self, t):
        self.local = self.r.choice(TYPES)
        return self.local, [self.statement(t) for _ in range(self.r.randint(1, 3))]

    def text(self):
        out = ['#include <assert.h>', '#include <pthread.h>', '#include <semaphore.h>', '#include <stdatomic.h>', '#include <verisoft.h>']
        out += ['static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;', 'static sem_t s;', 'static atomic_int count;']
        out += ['static %s x%d = %d;' % (type, i, i) for i, type in enumerate(self.types)] + self.functions
        for t, (local, body) in enumerate(self.threads):
            out += ['static void *t%d(void *unused)' % t, '{', '    int v = 0;', '    %s w = 1;' % local] + ['    ' + s for s in body]
            out += ['    (void)v, (void)w;', '    return unused;', '}']
        n = len(self.threads)
        out += ['int main(void)', '{', '    pthread_t t[%d];' % n, '    sem_init(&s, 0, %d);' % self.r.randint(0, 1)]
        out += ['    pthread_create(&t[%d], NULL, t%d, NULL);' % (i, i) for i in range(n)]
        if n == 1: out += ['    t0(NULL);']
        out += ['    pthread_join(t[%d], NULL);' % i for i in range(n)]
        out += ['    assert(x0 != %s);' % self.small()] if self.r.random() < 0.3 else []
        return '\n'.join(out + ['    return 0;', '}', ''])

# ---- both verdicts ----

def run(command, folder): return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)

def of_model(verisoft, folder):
    done = run([verisoft, 'verify', 'p.c', 'deadlock', 'assertions', '--exhaustive', '--no-trial', '--form', 'none'], folder)
    failed = {'deadlock' if name == 'deadlock' else 'assertion' for name in re.findall(r'^(\w+) +failed', done.stdout, re.M)}
    return (failed, done.returncode == (1 if failed else 0), done.stdout + done.stderr)

def of_program(verisoft, folder):
    done = run([verisoft, 'check', 'p.c', '-pthread', '--stop-at-error', '0', '--output', 'out', '--json', 'r.json', '--quiet'], folder)
    with open(os.path.join(folder, 'r.json')) as file: kinds = {e['kind'] for e in json.load(file)['errors']}          # what races is one of its own
    return (kinds, done.returncode == (1 if kinds else 0), done.stdout + done.stderr)

def differs(verisoft, folder, seed, found):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, 'p.c'), 'w') as file: file.write(Program(seed).text())
    model, program = of_model(verisoft, folder), of_program(verisoft, folder)
    found.update(program[0])
    if model[:2] == program[:2] and model[1]: return False
    print('%d: the model has %s, the program %s; %s\n%s%s' % (seed, sorted(model[0]), sorted(program[0]), folder, model[2][-600:], program[2][-600:]))
    return True

def main():
    if sys.argv[1] == 'print': return print(Program(int(sys.argv[2])).text(), end='')
    verisoft, kept, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    bad, found = 0, collections.Counter()
    for seed in range(first, first + count):
        folder = os.path.join(kept, str(seed))
        if differs(verisoft, folder, seed, found): bad += 1
        else: shutil.rmtree(folder)
    print('%d programs (%d with a deadlock, %d with a violated assertion), %d differ' % (count, found['deadlock'], found['assertion'], bad))
    sys.exit(bad > 0)

main()
