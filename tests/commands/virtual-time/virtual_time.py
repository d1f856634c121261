#!/usr/bin/env python3
"""All traces of clock.c that there are by the rules of doc/posix.md, found by trying everything; and that VeriSoft finds these and no others.
    virtual_time.py VERISOFT CLOCK.C [--any] SCRIPT...    with the options of verisoft in $OPTIONS; prints how many; status 1: they differ
Where a reduction leaves out orders of what is independent, of each trace only what the first thread does is compared."""
# SPDX-License-Identifier: MIT
import collections, json, os, re, subprocess, sys

def steps_of(script, first):
    """What a thread has to do: steps that can go at once, and waits, which begin and end."""
    out = []
    for word in script.split():
        n = int(word[1:] or 0)
        if word[0] in 'LU':
            out += [('go',)]
        elif word[0] in 'AO':
            out += ([] if first[0] else [('go',)]) + [('arm', n)]        # the first call makes the timer
            first[0] = True
        else:
            # a condition variable is entered, the mutex unlocked, and locked again after it; epoll looks at its set before and after
            between, after = {'c': (2, 1), 'e': (1, 1)}.get(word[0], (0, 0))
            out += [('begin', n)] + [('go',)] * between + [('wait', word[0] != 'c')] + [('back',)] * after
    return out

# at: where each thread is; born: who was created; until: when each wait is over; due, measured, pending: of the alarm; handler: None, or what becomes
# of what it interrupted; said: what each will say when it is back from its wait
State = collections.namedtuple('State', 'at born until clock due measured pending handler said trace')

class Model:
    def __init__(self, scripts, any_order):
        self.any, first = any_order, [False]
        bodies = [steps_of(s, first) for s in scripts]
        others = range(1, len(scripts))
        self.programs = [[('create', i) for i in others] + [('go',)] + bodies[0] + [('join', i) for i in others]
                         + ([] if first[0] else [('go',)]) + [('arm', 0)]]
        self.programs += [[('go',)] + b + [('go',)] for b in bodies[1:]]

    def explore(self):
        n = len(self.programs)
        stack, seen, traces = [State((0,) * n, (True,) + (False,) * (n - 1), (None,) * n, 0, None, False, False, None, ('',) * n, '')], set(), set()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            nexts = self.nexts(state)
            if not nexts:
                assert all(self.over(state, i) for i in range(n)), 'the model is stuck'
                traces.add(state.trace)
            stack += nexts
        return traces

    def over(self, s, i): return s.at[i] == len(self.programs[i])

    def op(self, s, i):
        return ('return',) if i == 0 and s.handler else ('end',) if self.over(s, i) else self.programs[i][s.at[i]]

    def can_go(self, s, i):
        op = self.op(s, i)
        return s.born[i] and op[0] != 'end' and (op[0] != 'join' or self.over(s, op[1]) or self.interrupted(s, i))

    def interrupted(self, s, i): return i == 0 and s.pending and not s.handler and self.op(s, i)[0] != 'end'

    def between(self, s, i):
        """Has it said how long it waits, and comes to that?"""
        return s.until[i] is not None and self.op(s, i)[0] != 'wait' and (i or s.handler != 'interrupted')

    def nexts(self, s):
        threads = range(len(s.at))
        moves = {i for i in threads if self.can_go(s, i)}
        waits = {i for i in moves if self.op(s, i)[0] == 'wait' and not self.interrupted(s, i)}
        expires = s.due is not None and not s.pending
        if not self.any:
            begins = [s.clock + self.op(s, i)[1] for i in threads if s.born[i] and self.op(s, i)[0] == 'begin']
            begins += [s.until[i] for i in threads if self.between(s, i)]
            late = {i for i in waits if expires and s.due < s.until[i]}
            expires = expires and all(s.due <= d for d in begins + [s.until[i] for i in waits]) \
                and not (s.measured and s.due > s.clock and moves - waits)
            moves -= late
        out = [n for i in moves for n in self.step(s, i)]
        if expires:
            out.append(s._replace(clock=s.clock if self.any else max(s.clock, s.due), due=None, measured=False, pending=True))
        return out

    def step(self, s, i):
        put = lambda t, v: t[:i] + (v,) + t[i + 1:]
        kind, *n = self.op(s, i)
        if self.interrupted(s, i):                       # the handler runs first, and ends a wait; if nobody says when that began, it may come before
            rung = s._replace(pending=False, trace=s.trace + 'r')
            ends = [rung._replace(handler='interrupted')] if kind == 'wait' and n[0] else []
            return ends + ([] if ends and not self.any else [rung._replace(handler='again')])
        if kind == 'return' and s.handler == 'again':
            return [s._replace(handler=None)]
        if kind == 'return':
            return [self.back(s._replace(handler=None, at=put(s.at, s.at[i] + 1), until=put(s.until, None)), i, 'i')]
        s = s._replace(at=put(s.at, s.at[i] + 1))
        if kind == 'create':
            s = s._replace(born=s.born[:n[0]] + (True,) + s.born[n[0] + 1:])
        elif kind == 'arm':
            s = s._replace(due=s.clock + n[0] if n[0] else None, measured=False)
        elif kind == 'begin':
            s = s._replace(until=put(s.until, s.clock + n[0]))
        elif kind == 'wait':
            clock = s.clock if self.any else max(s.clock, s.until[i])
            s = self.back(s._replace(clock=clock, measured=s.due is not None, until=put(s.until, None)), i, str(i + 1))
        elif kind == 'back':
            s = self.back(s, i, s.said[i])
        return [s]

    def back(self, s, i, word):
        """The wait is over: it says so, unless there is something to do first."""
        return s._replace(said=s.said[:i] + (word,) + s.said[i + 1:]) if self.op(s, i)[0] == 'back' else s._replace(trace=s.trace + word)

def found_by(verisoft, source, scripts, expected, any_order):
    with open('outcomes.h', 'w') as f:
        for t in sorted(expected):
            f.write('if (!strcmp(trace, "%s"))\n    assert(!"trace %s");\nelse ' % (t, t))
        f.write('\n    assert(!"another");\n')
    kinds = ''.join(w[0] for s in scripts for w in s.split())
    subprocess.run(['gcc', '-g', '-pthread', '-I.', source, '-o', 'clock'], check=True)
    command = [verisoft, './clock', '--stop-at-error', '0', '--quiet', '--json', 'report.json'] + (['--timers', 'any'] if any_order else [])
    subprocess.run(command + os.environ.get('OPTIONS', '').split() + ['--', kinds] + scripts, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    report = json.load(open('report.json'))
    return {re.sub(r'.*"trace (\w*)".*', r'\1', e['message']) for e in report['errors']}, report

def main():
    any_order = '--any' in sys.argv
    verisoft, source, *scripts = [w for w in sys.argv[1:] if w != '--any']
    expected = Model(scripts, any_order).explore()
    found, report = found_by(verisoft, source, scripts, expected, any_order)
    own = (lambda traces: traces) if report['reduction'] == 'none' else lambda traces: {re.sub('[2-9]', '', t) for t in traces}
    print(len(expected))
    if own(found) != own(expected) or not found <= expected or report['stopped_by']:
        print('%s: expected %s, found %s (%s)' % (report['reduction'], sorted(expected), sorted(found), report['result']))
        sys.exit(1)

main()
