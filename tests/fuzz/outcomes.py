#!/usr/bin/env python3
"""Random programs with threads: what VeriSoft finds must be what interpreter.py finds by trying everything.
    outcomes.py VERISOFT FOLDER FIRST COUNT [PROFILE]    seeds FIRST..; FOLDER keeps the programs on which they differ: status 1
    outcomes.py print SEED [PROFILE]                     the program, and what is true of it"""
# SPDX-License-Identifier: MIT
import json, os, random, subprocess, sys
from interpreter import Compiler, Interpreter, Program, TooLarge, EFFECTS, TESTS

MUTEXES, THREADS, MOST = 2, 3, 6000
PROFILES = {                             # which statements, how often
    'locks':   dict(critical=5, steer=5, nest=4, trylock=2),
    'waits':   dict(critical=2, steer=2, wait=4, signal=4, trylock=1),
    'counts':  dict(critical=2, steer=2, semwait=3, sempost=4, semtry=2),
    'readers': dict(read=4, write=4, steer=2, tryrw=2, nest=1),
    'ends':    dict(critical=3, steer=3, sempost=2, semwait=1, end=3, nest=1),
    'signals': dict(critical=2, semwait=2, sempost=1, kill=3, mask=2, sigwait=1, steer=1),
    'all':     dict(critical=2, steer=3, nest=2, trylock=1, wait=1, signal=2, semwait=1, sempost=2, semtry=1, read=1, write=1, tryrw=1,
                    barrier=1, end=1, kill=1, mask=1),
}

class Generator:
    """Locks are taken and given back in pairs, so that no rule of POSIX is broken; all else is as it comes."""
    def __init__(self, seed, profile=None):
        self.r = random.Random(seed)
        self.profile = profile or self.r.choice(list(PROFILES))
        self.weights = PROFILES[self.profile]
        self.asserts = self.r.random() < 0.3
        self.once = self.r.random() < 0.5                # if instead of while before a wait: then also with spurious wake-ups
        self.creator = False                             # only the thread that makes others may send them signals

    def test(self): return self.r.choice(list(TESTS)), self.r.randint(0, 2)
    def effect(self): return self.r.choice(list(EFFECTS))

    def block(self, size, held=(), deep=0):
        return [s for _ in range(size) for s in self.statement(held, deep)]

    def small(self, held, deep): return self.block(self.r.randint(0, 1), held, deep + 1)

    def touch(self, i):
        check = [('assert', i, *self.test())] if self.asserts and self.r.random() < 0.2 else []
        return [('set', i, self.effect())] + check

    def statement(self, held, deep):
        kinds = {k: w for k, w in self.weights.items() if deep < 2 or k in ('critical', 'sempost', 'signal', 'write')}
        kind = self.r.choices(list(kinds), list(kinds.values()))[0]
        return getattr(self, kind)(held, deep, self.r.randrange(MUTEXES), self.r.randrange(2))

    def critical(self, held, deep, i, k):
        return [] if i in held else [('lock', i), *self.touch(i), ('unlock', i)]
    def steer(self, held, deep, i, k):
        if i in held: return []
        return [('lock', i), ('keep', i), *self.touch(i), ('unlock', i), ('ifkept', *self.test(), self.small(held, deep), self.small(held, deep))]
    def nest(self, held, deep, i, k):
        if i in held: return []
        return [('lock', i), *self.touch(i), *self.block(1, held + (i,), deep + 1), ('unlock', i)]
    def trylock(self, held, deep, i, k):
        if i in held: return []
        return [('trylock', i, [*self.touch(i), ('unlock', i)], self.small(held, deep))]
    def wait(self, held, deep, i, k):
        if i in held: return []
        return [('lock', i), ('waitonce' if self.once else 'wait', i, '<=', self.r.randint(0, 1)), *self.touch(i), ('unlock', i)]
    def signal(self, held, deep, i, k):
        if i in held: return []
        return [('lock', i), ('set', i, '++'), (self.r.choice(['signal', 'signal', 'broadcast']), i), ('unlock', i)]
    def semwait(self, held, deep, i, k): return [('semwait', k)]
    def sempost(self, held, deep, i, k): return [('sempost', k)]
    def semtry(self, held, deep, i, k): return [('semtry', k, self.small(held, deep), self.small(held, deep))]
    def read(self, held, deep, i, k): return [] if 'r' in held else [('rdlock', 0), *self.block(1, held + ('r',), deep + 1), ('rwunlock', 0)]
    def write(self, held, deep, i, k): return [] if 'r' in held else [('wrlock', 0), ('sety', 0, self.effect()), ('rwunlock', 0)]
    def tryrw(self, held, deep, i, k):
        if 'r' in held: return []
        return [(self.r.choice(['tryrd', 'trywr']), 0, [('rwunlock', 0)], self.small(held, deep))]
    def barrier(self, held, deep, i, k): return [('barrier', 0)]
    def end(self, held, deep, i, k):
        return [(self.r.choice(['exit', 'quick', 'leave', 'leave']),)] if not held and self.r.random() < 0.5 else []
    def kill(self, held, deep, i, k):
        return [('kill', self.r.choice(self.creator))] if self.creator else [('raise',)] if self.r.random() < 0.3 else []
    def mask(self, held, deep, i, k): return [('block',), *self.small(held, deep), ('unblock',)]
    def sigwait(self, held, deep, i, k): return [('block',), ('sigwait',), ('unblock',)]

    def program(self):
        r = self.r
        count = r.randint(1, THREADS)
        functions = {'f%d' % i: self.block(r.randint(1, 3 if count > 2 else 4)) for i in range(count)}
        if r.random() < 0.3:
            functions = {'f0': functions['f0']}
        main = [('create', i, 'f%d' % (i % len(functions))) for i in range(count)]
        self.creator = list(range(count)) if 'kill' in self.weights else False
        main += self.block(r.randint(0, 3))
        joined = [('detach' if self.profile in ('ends', 'all') and r.random() < 0.4 else 'join', i) for i in r.sample(range(count), count)]
        main += joined
        if r.random() < 0.7: main.append(('tell',))
        elif r.random() < 0.5: main.append((r.choice(['leave', 'exit', 'quick']),))
        functions['main'] = main
        return Program(functions, MUTEXES, 1, (r.randint(0, 1), r.randint(0, 1)), count)

# ---- what VeriSoft says ----

def at_lines(kind, lines):
    """Deadlocks in which threads stand at the same lines are one, however many stand at each."""
    return (kind, tuple(sorted(set(lines)))) if kind == 'deadlock' else (kind, lines)

def lines_of(error):
    if error['kind'] == 'assertion':
        return ('assertion', int(error['location'].rsplit(':', 1)[1]))
    stand = [s['location'] for s in error['steps'] if s['step'] is None]
    return at_lines(error['kind'], tuple(sorted(int(place.rsplit(':', 1)[1]) for place in stand if place)))

def verisoft(command, program, options):
    """What it found and its report; None: it did not search all, because a bound of ours was reached."""
    run = subprocess.run(['timeout', '-s', 'KILL', '1200', command, program, '--json', '-', '--stop-at-error', '0', '--output',
                          os.path.dirname(program), *options], capture_output=True, text=True)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return 'status %d, no report: %s %s' % (run.returncode, run.stdout[:200], run.stderr[:300])
    if report['stopped_by'] == 'stop_at_state':
        return None
    found = {lines_of(e) for e in report['errors']}
    if report['coverage'] != 'all' or report.get('unsupported'):
        return 'coverage %s, stopped by %s, unsupported %s' % (report['coverage'], report['stopped_by'], report.get('unsupported'))
    if run.returncode != (1 if found else 0):
        return 'status %d' % run.returncode
    return found

def difference(found, true):
    if isinstance(found, str):
        return found
    return '' if found == true else 'missed %s; not true %s' % (sorted(true - found), sorted(found - true))

REDUCTIONS = {'optimal': 40000, 'source': 40000, 'sleep': 40000, 'none': 5000}           # states until it is too large

def compare(command, program, compiler, generator):
    """What is wrong, in words; None: too large to try everything."""
    wrong = []
    for spurious in [False, True] if generator.once else [False]:
        try:
            true = {at_lines(*outcome) for outcome in Interpreter(compiler, spurious, MOST).outcomes()}
        except TooLarge:
            return None
        for reduction, states in REDUCTIONS.items():
            options = ['--search', 'dfs', '--reduction', reduction, '--stop-at-state', str(states), '--max-depth', '0']
            found = verisoft(command, program, options + ['--spurious-wakeups'] * spurious)
            difference_ = '' if found is None else difference(found, true)
            if difference_:
                wrong.append('%s%s: %s' % (reduction, ', spurious' * spurious, difference_))
    return wrong

def write(program, compiler):
    with open(program + '.c', 'w') as file:
        file.write('\n'.join(compiler.text.lines) + '\n')
    subprocess.run([os.environ.get('CC', 'cc'), '-g', '-O0', '-w', '-pthread', program + '.c', '-o', program], check=True)

def show(seed, profile=None):
    generator = Generator(seed, profile)
    compiler = Compiler(generator.program())
    print('/* %s */' % generator.profile, *compiler.text.lines, sep='\n')
    for spurious in False, True:
        interpreter = Interpreter(compiler, spurious, 10 * MOST)
        print('/* %s: %s (%d states) */' % ('spurious' if spurious else 'true', sorted(interpreter.outcomes()), interpreter.states))

def main():
    if sys.argv[1] == 'print':
        return show(int(sys.argv[2]), *sys.argv[3:])
    command, folder, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    compared = differ = 0
    seed = first
    while compared < count:
        generator = Generator(seed, *sys.argv[5:])
        program, compiler = '%s/p%d' % (folder, seed), Compiler(generator.program())
        write(program, compiler)
        wrong = compare(command, program, compiler, generator)
        compared += wrong is not None
        differ += bool(wrong)
        if wrong:
            print(seed, generator.profile, '\n   ', '\n    '.join(wrong), flush=True)
        else:
            os.remove(program), os.remove(program + '.c')
        seed += 1
    print('%d programs compared, %d left out because there is too much to try, %d differ' % (compared, seed - first - compared, differ))
    sys.exit(1 if differ or not compared else 0)

main()
