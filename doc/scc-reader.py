#!/usr/bin/env python3
"""Prints a certificate as text (doc/scc.md is the format): python3 scc-reader.py FILE.scc

A line for each transition, as in sss.VS: FROM TO PROCESS OPERATION. Of a tree of executions a line for each: its number, how many steps it has
in common with the one before, and its other steps: a process each, with :RESULT where that is not the first. That needs the command zstd.
SPDX-License-Identifier: MIT"""
import subprocess, sys

BACK, NONE, PROCESSES = 0, -1, 64
FEWEST, MOST, SURE, ONE, LIMIT, MASK = 1 << 12, 1 << 18, 24, 1 << 16, 2047, (1 << 32) - 1
HAS, MORE, AS_GUESSED, OVER, NUMBER, WORDS, FIRST = range(7)
CANNOT, CAN, UNTOLD, MOVED = range(4)
KNOWN_MOST, FAR, SAME_SUM = 1 << 22, 64, 8
PRIME, KINDS, EQUATIONS = (1 << 61) - 1, 4096, 256

def divide(a, b): return a // b if a >= 0 else -(-a // b)                # towards zero, as C does

def mix(a, b):
    h = ((a ^ (b + 0x9e3779b9 + (a << 6) + (a >> 2))) & MASK) * 0x85ebca6b & MASK
    return h ^ h >> 15

class Coder:                                     # bits, as well as they are foretold
    AT = [22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565, 62428,
          63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514]
    def __init__(self, data):
        self.data, self.next, self.low, self.high, self.at = data, 4, 0, MASK, int.from_bytes(data[:4], "big")
        self.counters, self.size, self.told, self.weights, self.stretched = {}, FEWEST, 0, {}, []
        for x in range(-LIMIT, LIMIT + 1):
            self.stretched += [x] * ((self.squash(x) >> 4) + 1 - len(self.stretched))
        self.stretched += [LIMIT] * ((ONE >> 4) - len(self.stretched))

    def squash(self, x):
        part, i = (x + LIMIT + 1) & 127, (x + LIMIT + 1) >> 7
        return (self.AT[i] * (128 - part) + self.AT[i + 1] * part + 64) >> 7

    def narrow(self, one):
        span = self.high - self.low
        middle = self.low + (span >> 16) * one + ((span & 0xffff) * one >> 16)
        bit = int(self.at <= middle)
        self.low, self.high = (self.low, middle) if bit else (middle + 1, self.high)
        while self.low >> 24 == self.high >> 24:
            self.at = (self.at << 8 | self.data[self.next]) & MASK
            self.low, self.high, self.next = self.low << 8 & MASK, self.high << 8 & MASK | 255, self.next + 1
        return bit

    def bit(self, kind, contexts):
        self.told += 1
        if self.told >= self.size // 8 and self.size < MOST:               # each counter becomes two, of which each goes on by itself
            self.counters.update({at + self.size: c[:] for at, c in self.counters.items()})
            self.size *= 2
        counters = [self.counters.setdefault(mix(c, kind << 4 | i) % self.size, [0, 0]) for i, c in enumerate(contexts)]
        guesses = [self.stretched[(c[0] + ONE // 2) >> 4] for c in counters]
        sure = max(c[1] for c in counters)
        weights = self.weights.setdefault((kind, 0 if sure < 3 else 1 if sure < 20 else 2), [ONE * 2 // 5] * 6)
        total = divide(sum(w * g for w, g in zip(weights, guesses)), ONE)
        one = self.squash(max(-LIMIT, min(LIMIT, total)))
        bit = self.narrow(one)
        for i, c in enumerate(counters):
            weights[i] += divide(guesses[i] * ((ONE - 1 if bit else 0) - one), 6400)
            c[0] += divide(((ONE // 2 - 1 if bit else -ONE // 2) - c[0]) * (2 * ONE // (2 * c[1] + 3)), ONE)
            c[1] += c[1] < SURE
        return bit

    def number(self, most, kind, context):       # one that is at most this
        value = 0
        for i in range(most.bit_length()):
            value = value << 1 | self.bit(kind, [mix(context, value + (1 << i))])
        return value

def scatter(x):
    x = (x + 1) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93 & (1 << 64) - 1
    return (x ^ x >> 29) % PRIME

class Sums:                                      # which states may be the same
    def __init__(self):
        self.values, self.kinds, self.equations, self.tries = {}, {}, [], 0
        self.forget()
    def forget(self): self.states, self.buckets, self.size = [], {}, 0           # a state: from, kind, sum
    def kind(self, label, before):
        key = (label << 32 | before) + 1
        if key not in self.kinds and len(self.kinds) == KINDS:
            return KINDS + (scatter(key) >> 32)
        return self.kinds.setdefault(key, len(self.kinds))
    def value(self, kind): return self.values.get(kind, scatter(kind))
    def after(self, total, kind): return (total + self.value(kind)) % PRIME
    def add(self, source, kind):
        total = scatter((1 << 64) - 2 - len(self.states)) if source == NONE else self.after(self.states[source][2], kind)
        self.states.append((source, kind, total))
    def same(self, total):                       # states of this sum, the last first, as far as they are found within FAR of a bucket
        buckets = 1024
        while buckets <= len(self.states): buckets *= 2
        if buckets != self.size:
            self.size, self.buckets, self.done = buckets, {}, 0
        for i in range(self.done, len(self.states)):
            self.buckets.setdefault(self.states[i][2] & buckets - 1, []).append(i)
        self.done = len(self.states)
        far = 0
        for state in reversed(self.buckets.get(total & buckets - 1, [])):
            far += 1
            if far > FAR: return
            if self.states[state][2] == total:
                far = 0
                yield state
    def path(self, state, counts, sign):
        while self.states[state][0] != NONE:
            counts[self.states[state][1]] = (counts.get(self.states[state][1], 0) + sign) % PRIME
            state = self.states[state][0]
        return state
    def subtract(self, counts, other, factor):
        for kind, n in other.items():
            counts[kind] = (counts.get(kind, 0) - factor * n) % PRIME
    def learn(self, source, kind, to):
        if self.tries == EQUATIONS or kind >= KINDS or self.after(self.states[source][2], kind) == self.states[to][2]:
            return
        self.tries += 1
        counts = {kind: 1}
        if self.path(source, counts, 1) != self.path(to, counts, -1) or max(counts) >= KINDS:
            return
        for solved, other in self.equations:
            if counts.get(solved, 0): self.subtract(counts, other, counts[solved])
        left = [k for k, n in counts.items() if n]
        if not left: return
        newest, factor = max(left), pow(counts[max(left)], PRIME - 2, PRIME)
        counts = {k: n * factor % PRIME for k, n in counts.items() if n}
        for solved, other in self.equations:
            if other.get(newest, 0): self.subtract(other, counts, other[newest])
        self.equations.append((newest, counts))
        for solved, other in self.equations:
            self.values[solved] = -sum(n * self.value(k) for k, n in other.items() if k != solved) % PRIME
        old, self.states, self.size = self.states, [], 0
        for source, kind, total in old:
            self.states.append((source, kind, total if source == NONE else self.after(self.states[source][2], kind)))

class State:                                     # on the path. Of each process: what it does next, did last, and whether it can
    def __init__(self, number, arrived):
        self.number, self.arrived, self.last, self.twin, self.moved, self.process, self.told = number, arrived, BACK, None, None, 0, 0
        self.next, self.before, self.can = [BACK], [BACK], [UNTOLD]

class Reader:
    def __init__(self, fields, body):
        self.trustful = fields["kind"] == "trustful"
        self.coder, self.sums, self.labels = Coder(body), Sums(), [None]         # (process, operation, outcome); BACK has none
        self.sums.add(NONE, 0)
        self.path, self.highest, self.base, self.processes = [State(0, BACK)], 0, 0, 1
        self.edges, self.into, self.count = {0: []}, {0: []}, 0
        self.sequel, self.then = {}, {}

    def process(self, label): return self.labels[label][0]
    def follow(self, state, label): return next((to for l, to in self.edges.get(state, []) if l == label), None)
    def back(self, state, label, but): return next((f for l, f in self.into[state][:-FAR - 1:-1] if l == label and f != but), None)

    def find_twin(self, here, new):
        for moved, sibling in self.edges.get(here.number, []):
            if self.process(moved) != self.process(new.arrived) and sibling != here.number:
                new.twin, new.moved = self.follow(sibling, new.arrived), moved
                if new.twin is not None: return
        if here.twin is not None and self.process(here.moved) != self.process(new.arrived):
            new.twin, new.moved = self.follow(here.twin, new.arrived), here.moved

    def enter(self, to, label, kind):
        here, new, p = self.path[-1], State(to, label), self.process(label)
        self.find_twin(here, new)
        new.next, new.before, new.can = here.next[:], here.before[:], here.can[:]
        new.next[p], new.before[p], new.can[p] = self.then.get(kind, BACK), label, UNTOLD
        self.path.append(new)

    def leave(self):
        old = self.path.pop()
        if not self.path: return
        here, moved = self.path[-1], self.process(old.arrived)
        for p in range(self.processes):
            if p != moved and old.next[p]:
                here.next[p] = old.next[p]
                if p > moved: here.can[p] = old.can[p]
        kind = self.sums.kind(old.arrived, here.before[moved])
        if kind < KINDS and old.next[moved]: self.then[kind] = old.next[moved]

    def text(self):
        text, past = b"", 0
        while True:
            read = 1
            for _ in range(8):
                read = read << 1 | self.coder.bit(WORDS, [mix(past & 0xff, read), mix(past & 0xffff, read), mix(past & 0xffffff, read)])
            past = past << 8 | read & 255
            if read == 256: return text.decode("utf-8", "surrogateescape")
            text += bytes([read & 255])

    def any_label(self, context, process):
        number = self.coder.number(len(self.labels) - 1, NUMBER, mix(context, process))
        if number: return number
        if process == PROCESSES: process = self.coder.number(PROCESSES - 1, NUMBER, PROCESSES + 1)
        self.labels.append((process, self.text(), self.text()))
        return len(self.labels) - 1

    def ask_twin(self, here, p):                 # can it go on there, and by which label
        if here.twin is None: return UNTOLD, here.next[p]
        if self.process(here.moved) == p: return MOVED, here.next[p]
        label = next((l for l, _ in self.edges[here.twin] if self.process(l) == p), None)
        return (CANNOT, here.next[p]) if label is None else (CAN, label)

    def all_of(self, here):                      # what all processes do next
        labels = 0
        for label in here.next: labels = mix(labels, label)
        return labels

    def first_label(self, here, p):              # None: it cannot go on
        twin, guess = self.ask_twin(here, p)
        labels, some = self.all_of(here), 0
        for q in range(p + 1):
            some = mix(some, here.can[q])
        now = mix(guess, mix(twin, here.can[p]))
        can = self.coder.bit(HAS, [now, mix(labels, mix(p, twin)), mix(now, mix(here.arrived, here.last)), mix(mix(labels, some), p)])
        here.can[p] = CAN if can else CANNOT
        if not can: return None
        same = guess and self.coder.bit(AS_GUESSED, [mix(guess, here.before[p]), mix(guess, here.arrived), mix(mix(labels, guess), p)])
        here.next[p] = guess if same else self.any_label(mix(here.before[p], guess), p)
        return here.next[p]

    def label(self, here):
        if here.told:
            if self.coder.bit(MORE, [here.last, mix(here.last, here.told)]):
                guess = self.sequel.get(here.last, BACK)
                same = guess and self.coder.bit(AS_GUESSED, [guess, mix(here.last, MASK)])
                self.sequel[here.last] = guess if same else self.any_label(here.last, self.process(here.last))
                return self.sequel[here.last]
            here.process, here.told = here.process + 1, 0
        while here.process < self.processes:
            label = self.first_label(here, here.process)
            if label is not None: return label
            here.process += 1
        return BACK if self.coder.bit(OVER, [here.arrived]) else self.any_label(0, PROCESSES)

    def candidates(self, here, label, kind):     # states, and how they were found
        new, parent = self.highest + 1, self.path[-2].number if len(self.path) > 1 else NONE
        state, how = new, 0
        for moved, there in self.edges.get(here.number, []):
            end = self.follow(there, label) if self.process(moved) != self.process(label) and there != here.number else None
            if end is not None:
                state, how = self.back(end, moved, here.number), 1
                break
        if how == 0 and here.twin is not None and label == here.moved:
            state, how = here.twin, 2
        elif how == 0 and self.follow(here.twin, label) is not None:
            state, how = self.back(self.follow(here.twin, label), here.moved, None), 3
        found, total, same = [(new if state is None else state, how)], None, 0
        found.append((self.follow(self.follow(parent, label), here.arrived), 4))
        if here.number in self.edges:
            total = self.sums.after(self.sums.states[here.number - self.base][2], kind)
            for state in self.sums.same(total):
                if same == SAME_SUM: break
                found.append((self.base + state, 5))
                same += 1
        found.append((new, 6))
        once = []
        for state, how in found:
            if state is not None and all(state != s for s, _ in once): once.append((state, how))
        return once, 0 if total is None else total, min(same, 4)

    def state(self, here, label, kind):
        found, total, same = self.candidates(here, label, kind)
        labels = self.all_of(here)
        for i, (state, how) in enumerate(found):
            fits = int(self.sums.states[state - self.base][2] == total) if state in self.edges else 2
            way = mix(how, fits)
            some = mix(way, same)
            before = here.before[self.process(label)]
            if self.coder.bit(FIRST + min(i, 3), [some, mix(some, mix(label, before)), mix(way, mix(label, here.arrived)),
                                                  mix(mix(here.last, i), mix(label, here.arrived)), mix(mix(labels, some), label)]):
                return state
        return self.coder.number(self.highest, NUMBER, PROCESSES + 2)

    def remember(self, here, label, kind, to):
        known = here.number in self.edges
        if to > self.highest:
            self.highest, self.edges[to], self.into[to] = to, [], []
            self.sums.add(here.number - self.base if known else NONE, kind)
        elif known and to in self.edges:
            self.sums.learn(here.number - self.base, kind, to - self.base)
        if known and to in self.edges:
            self.edges[here.number].append((label, to))
            self.into[to].append((label, here.number))
            self.count += 1

    def forget(self):
        self.base, self.count, self.edges, self.into = self.highest + 1, 0, {}, {}
        self.sums.forget()
        for state in self.path: state.twin = None

    def entries(self):                           # (label, from, to)
        while self.path:
            here = self.path[-1]
            label = self.label(here)
            if label == BACK:
                self.leave()
                continue
            p = self.process(label)
            for state in self.path:              # there may be a process that there was not before
                more = p + 1 - len(state.next)
                state.next, state.before, state.can = state.next + [BACK] * more, state.before + [BACK] * more, state.can + [UNTOLD] * more
            self.processes = max(self.processes, p + 1)
            here.told = here.told + 1 if here.process == p else 1
            here.process = p
            kind = self.sums.kind(label, here.before[p])
            if self.count == KNOWN_MOST: self.forget()
            to = self.highest + 1 if self.trustful else self.state(here, label, kind)
            is_new = to > self.highest
            self.remember(here, label, kind, to)
            here.last = label
            if is_new: self.enter(to, label, kind)
            yield label, here.number, to

class Bytes:                                     # of a tree of executions
    def __init__(self, packed):
        self.all = subprocess.run(["zstd", "-dcq"], input=packed, stdout=subprocess.PIPE, check=True).stdout
        self.at = 0
    def byte(self):
        self.at += 1
        return self.all[self.at - 1]
    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

def executions(fields, body):                    # (how many steps it has in common with the one before, its others)
    lengths = [int(fields[name + "-bytes"]) for name in ("steps", "choices", "turns")]
    steps, choices, turns = (Bytes(body[sum(lengths[:i]):sum(lengths[:i + 1])]) for i in range(3))
    depth = 0
    for _ in range(int(fields["executions"])):
        same, count = depth - turns.number(), turns.number()
        bytes = [steps.byte() for _ in range(count)]
        yield same, [(byte & 127, choices.number() if byte & 128 else 0) for byte in bytes]
        depth = same + count

header, body = open(sys.argv[1], "rb").read().split(b"\n\n", 1)
lines = header.decode("utf-8", "surrogateescape").split("\n")
assert lines[0] == "verisoft-scc 3"
fields = dict(line.split(": ", 1) for line in lines[1:])
if fields["kind"] == "executions":
    for number, (same, steps) in enumerate(executions(fields, body), 1):
        print(number, same, *(str(process + 1) + (":%d" % result if result else "") for process, result in steps))
    sys.exit()
reader = Reader(fields, body)
for label, source, to in reader.entries():
    process, operation, outcome = reader.labels[label]
    print(source, to, process + 1, operation + (" = " + outcome if outcome else ""))
assert reader.highest + 1 == int(fields["states"])
