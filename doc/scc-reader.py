#!/usr/bin/env python3
"""Prints a certificate as text (doc/scc.md is the format): python3 scc-reader.py FILE.scc

A line for each transition, as in sss.VS: FROM TO PROCESS OPERATION. Of a tree of executions a line for each: its number, how many steps it has
in common with the one before, and its other steps: a process each, with :RESULT where that is not the first. That needs the command zstd.
SPDX-License-Identifier: MIT"""
import subprocess, sys

BACK, NONE, PROCESSES = 0, -1, 64
FEWEST, MOST, SURE, ONE, LIMIT, MASK = 1 << 12, 1 << 18, 24, 1 << 16, 2047, (1 << 32) - 1
HAS, MORE, AS_GUESSED, OVER, NUMBER, WORDS, LEADS, FIRST = range(8)
CANNOT, CAN, NO_TWIN, MOVED = range(4)
KNOWN_MOST, KNOWN_OF_STATE, FAR, SAME_SUM = 1 << 22, 64, 64, 8
PRIME, KINDS, EQUATIONS, WORK = (1 << 61) - 1, 4096, 256, 12
SURE_FROM, OFTEN, NEVER, WAYS, LONGEST_RUN = 3, 64, -32, 5, 1 << 15

def mix(a, b):
    h = ((a ^ (b + 0x9e3779b9 + (a << 6) + (a >> 2))) & MASK) * 0x85ebca6b & MASK
    return h ^ h >> 15

def mix_fast(a, b):
    x = (a << 32 | b) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
    return x >> 32 ^ (x & MASK) >> 7

def hashed(process, label):
    x = (process << 32 | label) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
    return ((x ^ x >> 29) * 0xbf58476d1ce4e5b9 & (1 << 64) - 1) >> 32

class Coder:                                     # bits, as well as they are foretold
    AT = [22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565, 62428,
          63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514]
    def __init__(self, data):
        self.data, self.next, self.low, self.high, self.at = data, 4, 0, MASK, int.from_bytes(data[:4], "big")
        self.counters, self.size, self.told, self.weights, self.stretched = {}, FEWEST, 0, {}, []
        for x in range(-LIMIT, LIMIT + 1):
            self.stretched += [x] * ((self.squash(x) >> 4) + 1 - len(self.stretched))
        self.stretched += [LIMIT] * ((ONE >> 4) - len(self.stretched))
        self.run, self.ends, self.lengths = 0, False, [ONE // 2] * 32

    def squash(self, x):
        part, i = (x + LIMIT + 1) & 127, (x + LIMIT + 1) >> 7
        return (self.AT[i] * (128 - part) + self.AT[i + 1] * part + 64) >> 7

    def narrow(self, one):
        middle = self.low + ((self.high - self.low) * one >> 16)
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
        total = sum(w * g for w, g in zip(weights, guesses)) >> 16
        one = self.squash(max(-LIMIT, min(LIMIT, total)))
        bit = self.narrow(one)
        for i, c in enumerate(counters):
            weights[i] += guesses[i] * ((ONE - 1 if bit else 0) - one) * 5 >> 15
            c[0] += ((ONE // 2 - 1 if bit else -ONE // 2) - c[0]) * (2 * ONE // (2 * c[1] + 3)) >> 16
            c[1] += c[1] < SURE
        return bit

    def of_run(self, which):
        one = self.lengths[which]
        bit = self.narrow(one)
        self.lengths[which] = one + (ONE - ONE // 32 - one) // 16 if bit else one - (one - ONE // 32) // 16
        return bit

    def sure(self):                              # of these, only how many in a row were 1 is told
        while self.run == 0 and not self.ends:
            size = 1
            for _ in range(5): size = size << 1 | self.of_run(size)
            bits = size & 31
            self.run = int(bits > 0)
            for _ in range(bits - 1): self.run = self.run << 1 | self.narrow(ONE // 2)
            self.ends = bool(self.of_run(0))
            assert self.run <= LONGEST_RUN
        if self.run == 0:
            self.ends = False
            return False
        self.run -= 1
        return True

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
        self.values, self.kinds, self.equations, self.tries, self.summed = {}, {}, [], 0, 0
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
        if self.tries == EQUATIONS or self.summed > WORK * (4096 + len(self.states)) or kind >= KINDS or self.after(self.states[source][2], kind) == self.states[to][2]:
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
        self.summed += len(old)
        for source, kind, total in old:
            self.states.append((source, kind, total if source == NONE else self.after(self.states[source][2], kind)))

class Trust:                                     # how often in a row guesses of a sort were right
    def __init__(self): self.places = {}
    def of(self, sort):                          # -1: nobody knows
        tag, right = self.places.get(sort % 65536, (0, 0))
        return right if tag == sort >> 24 else -1
    def learn(self, sort, right):
        self.places[sort % 65536] = (sort >> 24, min(max(self.of(sort), 0) + 1, 255) if right else 0)

class State:                                     # on the path
    def __init__(self, number, arrived, kind):
        self.number, self.arrived, self.kind, self.last, self.process, self.told = number, arrived, kind, BACK, 0, 0
        self.twin = self.moved = self.cursor = None
        self.can, self.way, self.saved = 0, 0, None

class Reader:
    def __init__(self, fields, body):
        self.trustful = fields["kind"] == "trustful"
        self.coder, self.sums, self.labels = Coder(body), Sums(), [None]         # (process, operation, outcome); BACK has none
        self.sums.add(NONE, 0)
        self.path, self.highest, self.base, self.processes = [State(0, BACK, 0)], 0, 0, 1
        self.edges, self.into, self.can, self.count = {0: []}, {0: []}, {0: 0}, 0        # of the states that are known
        self.next, self.before, self.all = [BACK] * PROCESSES, [BACK] * PROCESSES, 0     # of each process: what it does next, and did last
        self.sequel, self.then = {}, {}
        self.rough, self.fine, self.by_sum = Trust(), Trust(), {}

    def process(self, label): return self.labels[label][0]
    def step_of(self, state, label): return next((i for i, (l, _) in enumerate(self.edges.get(state, [])) if l == label), None)
    def follow(self, state, label): return next((to for l, to in self.edges.get(state, []) if l == label), None)
    def back(self, state, label, but): return next((f for l, f in self.into[state][:-FAR - 1:-1] if l == label and f != but), None)

    def set_label(self, p, label):
        self.all ^= hashed(p, self.next[p]) ^ hashed(p, label)
        self.next[p] = label

    # ---- the path ----

    def find_twin(self, here, new):              # gives what it is the twin's corner of
        for moved, sibling in self.edges.get(here.number, []):
            if self.process(moved) != self.process(new.arrived) and sibling != here.number:
                new.twin, new.moved = self.follow(sibling, new.arrived), moved
                if new.twin is not None: return sibling
        if here.twin is not None and self.process(here.moved) != self.process(new.arrived):
            new.twin, new.moved = self.follow(here.twin, new.arrived), here.moved
            return here.twin

    def enter(self, to, label, kind):
        here, new, p = self.path[-1], State(to, label, kind), self.process(label)
        sibling = self.find_twin(here, new)
        if new.twin is None:
            new.can, new.way = here.can, label
        else:
            twin, arrived = self.can[new.twin], 1 << p
            new.can = (here.can ^ self.can[sibling] ^ twin | 1 << self.process(new.moved)) & ~arrived | twin & arrived
            new.way = mix_fast(label, new.moved)
            new.cursor = 0 if self.edges[new.twin] else None
        if to in self.edges: self.can[to] = new.can
        new.saved = self.next[p], self.before[p]
        self.set_label(p, self.then.get(kind, BACK) if kind < KINDS else BACK)
        self.before[p] = label
        self.path.append(new)

    def leave(self):
        old = self.path.pop()
        if not self.path: return
        here, p = self.path[-1], self.process(old.arrived)
        above = -1 << p + 1
        if here.twin is None: here.can = here.can & ~above | old.can & above
        if old.kind < KINDS and self.next[p]: self.then[old.kind] = self.next[p]
        self.set_label(p, old.saved[0])
        self.before[p] = old.saved[1]

    # ---- labels ----

    def in_twin(self, here, p, label):           # which of its transitions, from the cursor on
        while here.cursor is not None:
            there = self.edges[here.twin]
            other = self.process(there[here.cursor][0])
            if other > p or other == p and (label == BACK or there[here.cursor][0] == label):
                return here.cursor if other == p else None
            here.cursor = here.cursor + 1 if here.cursor + 1 < len(there) else None

    def first_label(self, here, p):
        moved = here.arrived and self.process(here.arrived) == p
        at = self.in_twin(here, p, BACK) if moved else None
        return self.next[p] if at is None else self.edges[here.twin][at][0]

    def other_label(self, here):                 # another one of the process that was told last
        label, followed = self.sequel.get(here.last, (BACK, False))
        if label == BACK: return BACK
        if here.twin is None: state, at = None, None
        elif self.process(here.moved) == here.process: state, at = self.path[-2].number, self.step_of(self.path[-2].number, here.last)
        else: state, at = here.twin, self.in_twin(here, here.process, here.last)
        if at is None: return label if followed else BACK
        there = self.edges[state][at + 1:at + 2]
        return there[0][0] if there and self.process(there[0][0]) == here.process else BACK

    def next_label(self, here):                  # as it is foretold; None: nobody knows
        label = self.other_label(here) if here.told else BACK
        if label != BACK: return label
        p = here.process + (here.told > 0)
        while p < PROCESSES and not here.can >> p & 1: p += 1
        return BACK if p >= PROCESSES else self.first_label(here, p) or None

    def skip(self, here, upto):
        for p in range(here.process + (here.told > 0), upto): here.can &= ~(1 << p)
        if here.told and here.last in self.sequel: self.sequel[here.last] = self.sequel[here.last][0], False

    def told_label(self, here, label):
        p = self.process(label)
        if here.told and here.process == p:
            self.sequel[here.last] = label, True
            here.told += 1
            return
        self.skip(here, p)
        here.can |= 1 << p
        here.process, here.told, self.processes = p, 1, max(self.processes, p + 1)
        if here.number in self.edges: self.can[here.number] = here.can
        self.set_label(p, label)

    def told_over(self, here):
        self.skip(here, PROCESSES)
        if here.number in self.edges: self.can[here.number] = here.can
        self.leave()

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

    def tell_can(self, here, p, guess):
        twin = NO_TWIN if here.twin is None else MOVED if self.process(here.moved) == p else self.can[here.twin] >> p & 1
        told = here.can & (2 << p) - 1
        some = mix(self.all, mix(told & MASK, told >> 32))
        now = mix(guess, mix(twin, here.can >> p & 1))
        can = self.coder.bit(HAS, [now, mix(self.all, mix(p, twin)), mix(now, mix(here.arrived, here.last)), mix(some, p)])
        here.can = here.can | 1 << p if can else here.can & ~(1 << p)
        return can

    def find_label(self, here):
        if here.told and self.coder.bit(MORE, [here.last, mix(here.last, here.told)]):
            guess = self.sequel.get(here.last, (BACK, False))[0]
            same = guess and self.coder.bit(AS_GUESSED, [guess, mix(here.last, MASK)])
            return guess if same else self.any_label(here.last, self.process(here.last))
        for p in range(here.process + (here.told > 0), self.processes):
            guess = self.first_label(here, p)
            if self.tell_can(here, p, guess):
                contexts = [mix(guess, self.before[p]), mix(guess, here.arrived), mix(mix(self.all, guess), p)]
                same = guess and self.coder.bit(AS_GUESSED, contexts)
                return guess if same else self.any_label(mix(self.before[p], guess), p)
        return BACK if self.coder.bit(OVER, [here.arrived]) else self.any_label(0, PROCESSES)

    # ---- states ----

    def by_parent(self, here, label):
        parent = self.path[-2].number if len(self.path) > 1 else None
        return self.follow(self.follow(parent, label), here.arrived)

    def leads(self, here, label):                # by what commutes; None: to a new one. And in which way
        if here.twin is not None:
            if label == here.moved: return here.twin, 1
            if self.process(here.moved) == self.process(label): return self.by_parent(here, label), 2
            there = self.edges[here.twin]
            end = there[here.cursor][1] if here.cursor is not None and there[here.cursor][0] == label else self.follow(here.twin, label)
            if end is not None: return self.back(end, here.moved, None), 3
        for moved, there in self.edges.get(here.number, []):
            end = self.follow(there, label) if self.process(moved) != self.process(label) and there != here.number else None
            if end is not None: return self.back(end, moved, here.number), 4
        return None, 0

    def sum_of(self, state): return self.sums.states[state - self.base][2]
    def sum_after(self, here, label):
        kind = self.sums.kind(label, self.before[self.process(label)])
        return self.sums.after(self.sum_of(here.number), kind) if here.number in self.edges else 0

    def guess(self, here, label):                # (state, how, key, square, by sum); key None: squares and sums agree, or sums are not asked
        new = self.highest + 1
        square, how = self.leads(here, label)
        how = 2 * how + (square is None)
        state = new if square is None else square
        key = mix_fast(label, how) % (1 << 14)
        trust = self.by_sum.get(key, 0)
        if trust == NEVER or here.number not in self.edges: return state, how, None, None, None
        total = self.sum_after(here, label)
        if square is not None and self.sum_of(square) == total: return state, how, None, None, None
        same = next(self.sums.same(total), None)
        other = new if same is None else self.base + same
        if other == state: return state, how, None, None, None
        return other if trust >= 0 else state, 2 * WAYS + 4 * how + 2 * (trust >= 0) + (same is None), key, state, other

    def candidates(self, here, label, guess):    # states, and how they were found
        total, same, found = self.sum_after(here, label), 0, [(guess[0], 0)]
        if guess[2] is not None: found += [(guess[3], 0), (guess[4], 0)]
        found.append((self.by_parent(here, label), 1))
        for state in self.sums.same(total):
            if same == SAME_SUM: break
            found.append((self.base + state, 2))
            same += 1
        once = []
        for state, how in found + [(self.highest + 1, 3)]:
            if state is not None and all(state != s for s, _ in once): once.append((state, how))
        return once[1:], total, min(same, 4)     # the first one it is not

    def state(self, here, label, guess):
        before, how = self.before[self.process(label)], guess[1]
        sort = mix_fast(label, how)
        if self.coder.bit(LEADS, [mix_fast(sort, here.way), mix_fast(sort, self.all), mix_fast(sort, before), mix_fast(how, 0),
                                  mix_fast(sort, mix(here.arrived, here.last))]):
            return guess[0]
        found, total, same = self.candidates(here, label, guess)
        for i, (state, how) in enumerate(found):
            way = mix(how, int(self.sum_of(state) == total) if state in self.edges else 2)
            some = mix(way, same)
            if self.coder.bit(FIRST + min(i, 3), [some, mix(some, mix(label, before)), mix(way, mix(label, here.arrived)),
                                                  mix(mix(here.last, i + 1), mix(label, here.arrived)), mix(mix(self.all, some), label)]):
                return state
        return self.coder.number(self.highest, NUMBER, PROCESSES + 2)

    def remember(self, here, label, to, guess):
        if guess[2] is not None and to in guess[3:]:
            self.by_sum[guess[2]] = max(min(self.by_sum.get(guess[2], 0) + (1 if to == guess[4] else -1), 32), -32)
        kind, known, is_new = self.sums.kind(label, self.before[self.process(label)]), here.number in self.edges, to > self.highest
        if is_new:
            self.highest, self.edges[to], self.into[to], self.can[to] = to, [], [], 0
            self.sums.add(here.number - self.base if known else NONE, kind)
        elif known and to in self.edges:
            self.sums.learn(here.number - self.base, kind, to - self.base)
        if known and to in self.edges and len(self.edges[here.number]) < KNOWN_OF_STATE:
            self.edges[here.number].append((label, to))
            self.into[to].append((label, here.number))
            self.count += 1
        here.last = label
        if is_new: self.enter(to, label, kind)

    def forget(self):
        self.base, self.count, self.edges, self.into, self.can = self.highest + 1, 0, {}, {}, {}
        self.sums.forget()
        for state in self.path: state.twin = state.cursor = None

    # ---- entries ----

    def foretell(self, here):                    # label; state, how, ...
        label, new = self.next_label(here), self.highest + 1
        return label, (new, MASK, None, None, None) if self.trustful or not label else self.guess(here, label)

    def slowly(self, here, foretold, guess):
        label = self.find_label(here)
        if label == BACK: return BACK, None, guess
        self.told_label(here, label)
        if self.trustful: return label, self.highest + 1, guess
        if label != foretold: guess = self.guess(here, label)
        return label, self.state(here, label, guess), guess

    def entry(self, here):                       # label, state, guess
        foretold, guess = self.foretell(here)
        if foretold is None: return self.slowly(here, foretold, guess)
        rough = mix_fast(foretold, 2 * guess[1] + (here.twin is None) & MASK)
        fine = mix_fast(rough + here.last & MASK, self.all if here.twin is None else here.way)
        right, state = self.fine.of(fine), guess[0]
        sure = self.rough.of(rough) >= OFTEN if right < 0 else right >= SURE_FROM
        if sure and self.coder.sure():
            if foretold: self.told_label(here, foretold)
            label, to = foretold, state
        else:
            label, to, guess = self.slowly(here, foretold, guess)
        for trust, sort in (self.rough, rough), (self.fine, fine):
            trust.learn(sort, label == foretold and (label == BACK or to == state))
        return label, to, guess

    def entries(self):                           # (label, from, to)
        while self.path:
            if KNOWN_MOST in (self.count, len(self.edges)): self.forget()
            here = self.path[-1]
            label, to, guess = self.entry(here)
            if label == BACK:
                self.told_over(here)
            else:
                self.remember(here, label, to, guess)
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
assert lines[0] == "verisoft-scc 5"
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
