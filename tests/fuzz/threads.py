#!/usr/bin/env python3
"""Random small programs with threads and processes; what the searches say about each must agree.
    threads.py VERISOFT FOLDER FIRST COUNT [profile ["certificates"]]    seeds FIRST.. ; FOLDER keeps the programs that differ; status 1 if some do
                                                         (profile "": any; certificates: only these)
    threads.py print SEED [profile]                      print a program
Shared data is used under its own lock only: so the number of executions is that of the Mazurkiewicz traces."""
# SPDX-License-Identifier: MIT
import json, os, random, re, subprocess, sys, time

HEAD = r'''#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static struct shared {
    pthread_mutex_t m[3]; int x[3];                  /* x[i] under m[i] */
    pthread_cond_t c[3];
    sem_t s[2];
    pthread_rwlock_t r[2]; int y[2];                 /* y[i] under r[i] */
    pthread_barrier_t b[2];
} *S;
static int pipes[2][2];
static void setup(int shared)
{
    pthread_mutexattr_t ma; pthread_condattr_t ca; pthread_rwlockattr_t ra; pthread_barrierattr_t ba;
    pthread_mutexattr_init(&ma); pthread_condattr_init(&ca); pthread_rwlockattr_init(&ra); pthread_barrierattr_init(&ba);
    static struct shared here;
    S = &here;
    if (shared) {
        S = mmap(0, sizeof *S, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        pthread_mutexattr_setpshared(&ma, 1); pthread_condattr_setpshared(&ca, 1);
        pthread_rwlockattr_setpshared(&ra, 1); pthread_barrierattr_setpshared(&ba, 1);
    }
    for (int i = 0; i < 3; i++) pthread_mutex_init(&S->m[i], &ma), pthread_cond_init(&S->c[i], &ca);
    for (int i = 0; i < 2; i++) sem_init(&S->s[i], shared, SEM%d), pthread_rwlock_init(&S->r[i], &ra), pthread_barrier_init(&S->b[i], &ba, 2);
}
#define L(i) pthread_mutex_lock(&S->m[i])
#define U(i) pthread_mutex_unlock(&S->m[i])
'''
PROFILES = {   # which statements, how often; 'final': the final values pick a line of an assert that fails
    'locks': dict(crit=6, steer=6, nest=3, swap=3, trylock=2),
    'cond':  dict(crit=3, steer=3, await_=4, signal=4),
    'sem':   dict(crit=3, steer=3, semwait=3, sempost=4, semtry=2),
    'rw':    dict(read=5, write=4, steer=2, rwsteer=4, tryrw=2),
    'all':   dict(crit=3, steer=4, nest=2, swap=1, trylock=1, await_=1, signal=2, semwait=1, sempost=2, semtry=1, read=2, write=2,
                  rwsteer=2, tryrw=1, barrier=1, spawn=1, timed=1),
    'spawn': dict(crit=4, steer=3, spawn=4, read=1, write=1),
    'ends':  dict(crit=5, steer=3, nest=1, swap=1, spawn=2, await_=1, signal=1, end=3),
    'fork':  dict(crit=4, steer=4, nest=1, await_=1, signal=2, semwait=1, sempost=2, write=1, rwsteer=1, put=2, get=1, barrier=1),
}

class Program:
    def __init__(self, seed, profile=None):
        self.r = r = random.Random(seed)
        self.profile = profile or r.choice(list(PROFILES))
        self.weights = PROFILES[self.profile]
        self.functions, self.locals, self.failing = [], 0, r.random() < 0.25
        self.final = not self.failing and r.random() < 0.35
        self.mutexes, self.size = r.randint(1, 3), r.choice([2, 3, 3, 4, 5, 6])
        self.text = self.program()

    def cmp(self): return '%s %d' % (self.r.choice(['==', '<', '>', '!=', '& ']), self.r.randint(0, 3))
    def effect(self, v):
        r = self.r
        e = r.choice(['%s++', '%s--', '%s = %s * 2 + 1', '%s ^= 1', '%s += 2'])
        e = e.replace('%s', v) + ';'
        if self.failing and r.random() < 0.2:
            e += ' assert(%s %s);' % (v, r.choice(['< 3', '!= 2', '>= 0', '!= 5']))
        return e

    def block(self, n, held=(), depth=0):
        return ' '.join(self.statement(held, depth) for _ in range(n))

    def small(self, held, depth): return self.block(self.r.randint(0, 1), held, depth + 1)

    def statement(self, held, depth):
        r = self.r
        kinds = {k: w for k, w in self.weights.items() if depth < 2 or k in ('crit', 'read', 'write', 'sempost', 'signal', 'put')}
        if held:
            kinds = {k: w for k, w in kinds.items() if k not in ('spawn', 'barrier') or r.random() < 0.1}
        if depth > 1 or len(self.functions) > 5:
            kinds.pop('spawn', 0)
            kinds = kinds or {'crit': 1}
        k = r.choices(list(kinds), list(kinds.values()))[0]
        free = [i for i in range(self.mutexes) if ('m', i) not in held]
        rfree = [i for i in range(2) if ('r', i) not in held]
        i = r.choice(free) if free else None
        j = r.choice(rfree) if rfree else None
        if k in ('crit', 'steer', 'nest', 'swap', 'trylock', 'await_', 'signal', 'timed', 'end') and i is None: return ';'
        if k in ('read', 'write', 'rwsteer', 'tryrw') and j is None: return ';'
        inside, rinside = held + (('m', i),), held + (('r', j),)
        self.locals += 1
        v, x, y = 'v%d' % self.locals, 'S->x[%s]' % i, 'S->y[%s]' % j
        two = (lambda h: 'if (%s %s) { %s } else { %s }' % (v, self.cmp(), self.small(h, depth), self.small(h, depth)))
        if k == 'crit': return 'L(%d); %s U(%d);\n   ' % (i, self.effect(x), i)
        if k == 'steer': return '{ L(%d); int %s = %s; %s U(%d); %s }\n   ' % (i, v, x, self.effect(x), i, two(held))
        if k == 'nest': return 'L(%d); %s if (%s %s) { %s } U(%d);\n   ' % (i, self.effect(x), x, self.cmp(), self.block(1, inside, depth + 1), i)
        if k == 'swap':
            o = [a for a in free if a != i]
            if not o: return 'L(%d); %s U(%d);' % (i, self.effect(x), i)
            o = r.choice(o)
            return 'L(%d); L(%d); %s = S->x[%d]; %s U(%d); U(%d);\n   ' % (i, o, x, o, self.effect('S->x[%d]' % o), *r.sample([i, o], 2))
        if k == 'trylock':
            return 'if (pthread_mutex_trylock(&S->m[%d]) == 0) { %s U(%d); } else { %s }\n   ' % (i, self.effect(x), i, self.small(held, depth))
        if k in ('await_', 'timed'):
            c, n = 'S->c[%d]' % i, r.randint(0, 2)
            return 'L(%d); while (%s <= %d) %s; %s U(%d);\n   ' % (i, x, n, 'pthread_cond_wait(&%s, &S->m[%d])' % (c, i) if k == 'await_' else
                '{ struct timespec t = { 1, 0 }; if (pthread_cond_timedwait(&%s, &S->m[%d], &t)) break; }' % (c, i), self.effect(x), i)
        if k == 'signal':
            return 'L(%d); %s += %d; pthread_cond_%s(&S->c[%d]); U(%d);\n   ' % (i, x, r.randint(1, 2), r.choice(['signal', 'signal', 'broadcast']), i, i)
        s = r.randrange(2)
        if k == 'semwait': return 'sem_wait(&S->s[%d]);\n   ' % s
        if k == 'sempost': return 'sem_post(&S->s[%d]);\n   ' % s
        if k == 'semtry': return 'if (sem_trywait(&S->s[%d]) == 0) { %s sem_post(&S->s[%d]); } else { %s }\n   ' % (s, self.small(held, depth), s, self.small(held, depth))
        lock = 'pthread_rwlock_%s(&S->r[%s]);'
        if k == 'read': return (lock + ' { int %s = %s; ' + lock + ' %s }\n   ') % ('rdlock', j, v, y, 'unlock', j, two(held))
        if k == 'write': return (lock + ' %s ' + lock + '\n   ') % ('wrlock', j, self.effect(y), 'unlock', j)
        if k == 'rwsteer': return (lock + ' { int %s = %s; %s } ' + lock + '\n   ') % ('rdlock', j, v, y, two(rinside), 'unlock', j)
        if k == 'tryrw':
            return 'if (pthread_rwlock_try%s(&S->r[%d]) == 0) { %s ' % (*((('wrlock', j, self.effect(y)) if r.random() < 0.5 else ('rdlock', j, ''))),) + (lock % ('unlock', j)) + ' }\n   '
        if k == 'barrier': return 'pthread_barrier_wait(&S->b[%d]);\n   ' % s
        if k == 'put': return '{ char a = 1; write(pipes[%d][1], &a, 1); }\n   ' % s
        if k == 'get': return '{ char a; if (read(pipes[%d][0], &a, 1) == 1) { %s } }\n   ' % (s, self.small(held, depth))
        if k == 'end':
            how = r.choice(['exit(1)', 'exit(0)', '_exit(2)', 'quick_exit(3)', 'pthread_exit(0)', 'pthread_exit(0)'])
            return '{ L(%d); int %s = %s; %s U(%d); if (%s %s) %s; }\n   ' % (i, v, x, self.effect(x), i, v, self.cmp(), how)
        if k == 'spawn':
            f = self.function(r.randint(1, 2))
            body, end = self.small(held, depth), r.choice(['pthread_join(%s, 0);', 'pthread_join(%s, 0);', 'pthread_detach(%s);']) % v
            return '{ pthread_t %s; pthread_create(&%s, 0, %s, 0); %s %s }\n   ' % (v, v, f, body, end)

    def function(self, size):
        name = 'f%d' % len(self.functions)
        self.functions.append(None)
        at = len(self.functions) - 1
        if len(self.functions) >= 5:
            self.weights = {k: w for k, w in self.weights.items() if k != 'spawn'}
        body = self.block(size)
        self.functions[at] = 'static void *%s(void *a)\n{\n    %sreturn a;\n}\n' % (name, body)
        return name

    def handler(self, main):
        self.weights = {k: w for k, w in self.weights.items() if k not in ('spawn', 'end')}
        how = self.r.choice(['atexit(at_end);', 'at_quick_exit(at_end);', 'atexit(at_end); at_quick_exit(at_end);'])
        return 'static void at_end(void)\n{\n    %s\n}\n' % self.block(self.r.randint(1, 2)), '    %s\n' % how + main

    def program(self):
        r, forks = self.r, self.profile == 'fork'
        n = r.choice([2, 2, 3, 3, 4]) if not forks else r.choice([1, 2, 2, 3])
        if n == 4 or (n == 3 and forks): self.size = min(self.size, 3)
        ends = self.profile == 'ends'
        names = [self.function(r.randint(1, max(1, self.size - n // 2))) for _ in range(n - (0 if r.random() < 0.4 else 1) or 1)]
        if r.random() < 0.3: names = [names[0]] * len(names)
        main, n = '', len(names)
        for i, f in enumerate(names):
            if forks: main += '    pid_t p%d = fork(); if (!p%d) { %s%s(0); _exit(0); }\n' % (i, i, 'close(pipes[0][1]); ' if r.random() < 0.3 else '', f)
            else: main += '    pthread_t t%d; pthread_create(&t%d, 0, %s, 0);\n' % (i, i, f)
            if r.random() < 0.15: main += '    ' + self.block(1) + '\n'
        if forks and r.random() < 0.5: main += '    close(pipes[%d][1]);\n' % r.randrange(2)
        if forks and r.random() < 0.3:
            main += '    pthread_t q; pthread_create(&q, 0, %s, 0);\n' % self.function(1)
        if r.random() < 0.6: main += '    ' + self.block(r.randint(1, max(1, self.size - 1))) + '\n'
        order, clean = r.sample(range(n), n), True
        for i in order:
            if forks: main += '    waitpid(p%d, 0, 0);\n' % i
            elif r.random() < (0.3 if ends else 0.9): main += '    pthread_join(t%d, 0);\n' % i
            elif ends and r.random() < 0.5: clean = False
            else: main += '    pthread_detach(t%d);\n' % i; clean = False
        if self.final and clean:     # every final state is an error of its own
            main += '    int h = 0; for (int i = 0; i < 3; i++) { L(i); h = h * 5 + S->x[i]; U(i); }\n'
            main += '    for (int i = 0; i < 2; i++) pthread_rwlock_rdlock(&S->r[i]), h = h * 5 + S->y[i], pthread_rwlock_unlock(&S->r[i]);\n    h &= 15;\n'
            main += ''.join('    assert(h != %d);\n' % i for i in range(16))
        elif r.random() < 0.2: main += '    %s;\n' % r.choice(['pthread_exit(0)', 'exit(0)', '_exit(1)'])
        if ends and r.random() < 0.5: handler, main = self.handler(main)
        else: handler = ''
        head = HEAD.replace('SEM%d', str(r.randint(0, 1)))
        setup = '    setup(%d);\n' % forks + ('    pipe(pipes[0]); pipe(pipes[1]);\n' if forks else '')
        return '/* profile %s */\n' % self.profile + head + ''.join(self.functions[::-1]) + handler + 'int main(void)\n{\n' + setup + main + '    return 0;\n}\n'

# ---- running ----

def forward(text):       # all functions are declared first
    names = re.findall(r'^static void \*(f\d+)', text, re.M)
    return text.replace('#define L(i)', ''.join('static void *%s(void *);\n' % n for n in names) + '#define L(i)', 1)

def errors_of(report):
    found = set()
    for e in report['errors']:
        waits = tuple(sorted((s['operation'], s['location']) for s in e['steps'] if s['step'] is None)) if e['kind'] == 'deadlock' else ()
        message = re.sub(r'process \d+', 'process', e['message'])     # who came first has the lower number
        found.add((e['kind'], e['location'], message if e['kind'] != 'deadlock' else '', waits))
    return found

def check(verisoft, program, args, options, limit=600):
    command = ['timeout', '-s', 'KILL', str(limit), verisoft, '--json', '-', '--stop-at-error', '0', '--output', os.path.dirname(program)] + options + [program] + args
    p = subprocess.run(command, capture_output=True, text=True, cwd=os.path.dirname(program))
    try: report = json.loads(p.stdout)
    except ValueError: return {'bad': 'status %d, no report: %s %s' % (p.returncode, p.stdout[:200], p.stderr[:300])}
    report['found'], report['status'] = errors_of(report), p.returncode
    return report

def left_over(program):
    left = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            if program in open('/proc/%s/cmdline' % pid).read() and int(pid) != os.getpid(): left.append(pid)
        except OSError: pass
    return left

SMALL = 30000
def compare(verisoft, program, args=[], small=SMALL):
    """What is wrong, as a list of words; and the number of executions (None: too large)."""
    wrong, o = [], check(verisoft, program, args, ['--reduction', 'optimal', '--stop-at-state', str(small)])
    if 'bad' in o: return ['optimal: ' + o['bad']], None
    if o['coverage'] != 'all' and o['stopped_by'] == 'stop_at_state': return [], None
    if o['coverage'] != 'all': wrong.append('optimal: coverage %s %s %s' % (o['coverage'], o['stopped_by'], o['warnings']))
    for key in ('sleep_cut', 'depth_cut', 'surprises'):
        if o[key]: wrong.append('optimal: %s %d' % (key, o[key]))
    if o['status'] != (1 if o['errors'] else 0): wrong.append('optimal: exit status %d' % o['status'])
    if any(e['kind'] not in ('deadlock', 'assertion') for e in o['errors']): wrong.append('optimal: %s' % sorted({e['kind'] for e in o['errors']}))
    runs = [('sleep', ['--reduction', 'sleep']), ('source', ['--reduction', 'source'])]
    if o['executions'] < 60: runs.append(('none', ['--reduction', 'none']))
    if o['executions'] < 400: runs.append(('restart', ['--reduction', 'optimal', '--restart', '1']))
    runs.append(('again', ['--reduction', 'optimal', '--stop-at-state', str(small)]))
    runs.append(('helped', ['--reduction', 'optimal', '--stop-at-state', str(small), '-j', '3']))
    for name, options in runs:
        r = check(verisoft, program, args, options + (['--stop-at-state', '15000' if name == 'none' else str(small)] if name in ('sleep', 'source', 'none') else []))
        if 'bad' in r: wrong.append(name + ': ' + r['bad']); continue
        if name in ('none', 'sleep', 'source') and r['stopped_by'] == 'stop_at_state': continue
        if r['coverage'] != 'all': wrong.append('%s: coverage %s' % (name, r['coverage']))
        if r['status'] != o['status']: wrong.append('%s: exit status %d, optimal %d' % (name, r['status'], o['status']))
        if r['found'] != o['found']:
            wrong.append('%s: only here %s; only optimal %s' % (name, sorted(map(str, r['found'] - o['found'])), sorted(map(str, o['found'] - r['found']))))
        # sleep sets with the dependence of a state merge more: there only the errors must agree
        # and source sets do not know that what the end of a UNIX process cuts short is a prefix of what is explored anyway
        more = name == 'none' or (name == 'source' and 'fork()' in open(program + '.c').read())
        ok = name == 'sleep' or (r['executions'] >= o['executions'] if more else r['executions'] == o['executions'])
        if not ok: wrong.append('%s: executions %d, optimal %d' % (name, r['executions'], o['executions']))
        if name in ('restart', 'again', 'helped') and r['transitions'] != o['transitions']: wrong.append('%s: transitions %d, %d' % (name, r['transitions'], o['transitions']))
        unlike = ['seconds', 'memory_kb', 'found', 'errors'] if name == 'again' else ['seconds', 'memory_kb', 'native_transitions', 'native_starts', 'restores', 'found']
        plain = lambda value: [{k: v for k, v in e.items() if k != 'scenario'} if isinstance(e, dict) else e for e in value] if isinstance(value, list) else value
        others = [k for k in o if k not in unlike and plain(o[k]) != plain(r.get(k))] if name in ('again', 'helped') else []
        if others: wrong.append(name + ': differs in ' + ' '.join('%s %s/%s' % (k, o[k], r.get(k)) for k in others)[:300])
    left = left_over(program)
    if left: wrong.append('processes left: %s' % left)
    return wrong, o['executions']

def certify(verisoft, program):
    """The same without its assertions: a certificate of a reduced search is accepted, whole and in parts, with as many executions."""
    plain, wrong = program + '.plain', []
    subprocess.run(['gcc', '-g', '-O1', '-w', '-pthread', '-DNDEBUG', program + '.c', '-o', plain], check=True)
    for reduction in ('source', 'optimal'):
        r = check(verisoft, plain, [], ['--reduction', reduction, '--ignore-deadlock', '--certificate', plain + '.scc', '--stop-at-state', str(SMALL)])
        if r.get('result') != 'complete':
            if r.get('stopped_by') != 'stop_at_state' and not r.get('errors'): wrong.append('certificate of %s: %s' % (reduction, r.get('bad') or r['result']))
            continue
        for parts in ([], ['--tasks', '3', '-j', '2']):
            command = [verisoft, 'certify', plain, plain + '.scc', '--ignore-deadlock', '--json', '-', '--output', os.path.dirname(program)] + parts
            c = subprocess.run(['timeout', '-s', 'KILL', '600'] + command, capture_output=True, text=True, cwd=os.path.dirname(program))
            try: report = json.loads(c.stdout)
            except ValueError: report = {'result': 'status %d %s' % (c.returncode, c.stderr[:300]), 'executions': 0}
            if report['result'] != 'certified' or report['executions'] != r['executions']:
                wrong.append('certify %s %s: %s, %d executions of %d: %s' % (reduction, parts, report['result'], report['executions'], r['executions'],
                                                                            (report.get('veracity_error') or {}).get('message')))
    for end in ('', '.scc'):
        if os.path.exists(plain + end): os.remove(plain + end)
    return wrong, r.get('executions')

def main():
    if sys.argv[1] == 'print':
        print(forward(Program(int(sys.argv[2]), *sys.argv[3:4]).text)); return
    verisoft, folder, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    done, differ = {}, 0
    profile, mode = (sys.argv[5:] + ['', ''])[:2]
    for seed in range(first, first + count):
        p = Program(seed, profile or None)
        program = '%s/p%d' % (folder, seed)
        open(program + '.c', 'w').write(forward(p.text))
        subprocess.run(['gcc', '-g', '-O1', '-w', '-pthread', program + '.c', '-o', program], check=True)
        begin = time.time()
        wrong, executions = compare(verisoft, program) if mode != 'certificates' else certify(verisoft, program)
        done.setdefault(p.profile, []).append(executions)
        differ += bool(wrong)
        if wrong: print(seed, p.profile, executions, '%.1fs' % (time.time() - begin), '\n   ', '\n    '.join(wrong), flush=True)
        else: os.remove(program), os.remove(program + '.c')
    for name, numbers in done.items():
        known = sorted(n for n in numbers if n is not None)
        print(name, len(numbers), 'programs, too large', len(numbers) - len(known), 'median', known[len(known) // 2] if known else None, 'most', known[-1] if known else None)
    sys.exit(1 if differ else 0)

main()
