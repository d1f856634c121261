#!/usr/bin/env python3
"""Prints a certificate as text (doc/scc.md is the format): python3 scc-reader.py FILE.scc

A line for each transition, as in sss.VS: FROM TO PROCESS OPERATION. Of a tree of executions a line for each: its number, how many steps it has
in common with the one before, and its other steps: a process each, with :RESULT where that is not the first. Needs the command zstd.
SPDX-License-Identifier: MIT"""
import subprocess, sys

BACK, EDGES, CONTEXTS = 0, 1 << 22, 1 << 16

class Bytes:
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
    def text(self):
        length = self.number()
        self.at += length
        return self.all[self.at - length:self.at].decode("utf-8", "surrogateescape")

def split(file, names):                          # the header, and these streams
    header, body = open(file, "rb").read().split(b"\n\n", 1)
    lines = header.decode("utf-8", "surrogateescape").split("\n")
    assert lines[0] == "verisoft-scc 2"
    fields = dict(line.split(": ", 1) for line in lines[1:])
    names = names.get(fields["kind"], names["search"])
    lengths = [int(fields[name + "-bytes"]) for name in names]
    return fields, [Bytes(body[sum(lengths[:i]):sum(lengths[:i + 1])]) for i in range(len(names))]

class State:                                     # on the path
    def __init__(self, number, arrived):
        self.number, self.arrived, self.previous, self.twin, self.moved, self.region = number, arrived, BACK, None, None, 0

class Reader:
    def __init__(self, fields, streams):
        self.trustful = fields["kind"] == "trustful"
        self.codes, self.words, self.states, self.references = streams
        self.labels = [None]                     # (process, operation, outcome); BACK has none
        self.path, self.highest = [State(0, BACK)], 0
        self.after, self.edges, self.into, self.count = {}, {0: []}, {0: []}, 0
        self.then = {}                           # what came last after two labels, and how far back a label led then
        self.near = {}                           # to which state a label led when it was last told

    def process(self, label): return self.labels[label][0]
    def follow(self, state, label): return next((to for l, to in self.edges[state] if l == label), None)

    def find_twin(self, here, label):            # of the new state that `label` leads to
        for moved, sibling in self.edges.get(here.number, []):
            if self.process(moved) != self.process(label) and sibling != here.number:
                twin = self.follow(sibling, label)
                if twin is not None:
                    return twin, moved
        if here.twin is not None and self.process(here.moved) != self.process(label):
            return self.follow(here.twin, label), here.moved
        return None, None

    def guess_label(self, here):
        if here.twin is None:
            return self.guess_label_by_child(here)
        moved = self.process(here.moved)
        labels = [l for l, _ in self.edges[here.twin] if self.process(l) != moved]
        at = next((i for i, l in enumerate(labels) if self.process(l) > moved), len(labels))
        labels.insert(at, here.moved)
        if here.previous == BACK or here.previous in labels:
            return (labels + [BACK])[labels.index(here.previous) + 1 if here.previous else 0]
        return next((l for l in labels if self.process(l) > self.process(here.previous)), BACK)

    def guess_label_by_child(self, here):
        moved, child = (self.edges.get(here.number) or [(None, here.number)])[0]
        if here.previous == BACK or child == here.number or not self.edges[child]:
            return self.after.get((here.previous, here.arrived), BACK)
        labels = [l for l, _ in self.edges[child] if self.process(l) != self.process(moved)] + [BACK]
        if here.previous in labels:
            return labels[labels.index(here.previous) + 1]
        return next((l for l in labels[:-1] if self.process(l) > self.process(here.previous)), BACK)

    def guess_state(self, here, label):
        for moved, child in self.edges.get(here.number, []):
            if self.process(moved) != self.process(label) and child != here.number:
                to = self.follow(child, label)
                if to is not None:
                    back = [f for l, f in self.into[to] if l == moved and f != here.number]
                    return back[-1] if back else self.highest + 1
        if here.twin is not None and label == here.moved:
            return here.twin
        to = None if here.twin is None else self.follow(here.twin, label)
        back = [] if to is None else [f for l, f in self.into[to] if l == here.moved]
        return back[-1] if back else self.highest + 1

    def guess_otherwise(self, here, label):
        first = None if len(self.path) < 2 or self.path[-2].number not in self.edges else self.follow(self.path[-2].number, label)
        to = None if first is None else self.follow(first, here.arrived)
        return here.number - self.then.get((label, here.arrived), 0) if to is None else to

    def remember(self, table, key, value):
        if key in table or len(table) < CONTEXTS:
            table[key] = value

    def label(self, code, here):
        if code == 3:
            self.labels.append((self.words.number(), self.words.text(), self.words.text()))
            return len(self.labels) - 1
        return [lambda: self.guess_label(here), lambda: self.after.get((here.previous, here.arrived), BACK), self.words.number][code]()

    def state(self, code, here, label):
        if code == 3:
            more = self.states.number()
            self.near[label] = self.near.get(label, 0) + (more >> 1 ^ -(more & 1))
            return self.near[label]
        new = self.highest + 1
        return [lambda: new if self.trustful else self.guess_state(here, label), lambda: new, lambda: self.guess_otherwise(here, label)][code]()

    def step(self, here, label, to):
        if self.count == EDGES:                  # forget
            self.edges, self.into, self.count = {}, {}, 0
            for state in self.path:
                state.twin = None
        self.remember(self.after, (here.previous, here.arrived), label)
        if to > self.highest:
            self.highest, self.edges[to], self.into[to] = to, [], []
        else:
            self.remember(self.then, (label, here.arrived), here.number - to)
        if here.number in self.edges and to in self.edges:
            self.edges[here.number].append((label, to))
            self.into[to].append((label, here.number))
            self.count += 1

    def entries(self):                           # (label, from, to), BACK with the size of the region
        while self.path:
            here, code = self.path[-1], self.codes.byte()
            label = self.label(code & 3, here)
            if label == BACK:
                yield BACK, here.number, self.states.number() if code >> 2 else here.region
                self.remember(self.after, (here.previous, here.arrived), BACK)
                self.path.pop()
                if self.path:
                    self.path[-1].region += here.region
                continue
            to = self.state(code >> 2, here, label)
            new = to > self.highest
            yield label, here.number, to
            self.step(here, label, to)
            here.previous = label
            here.region += 1
            if new:
                entered = State(to, label)
                entered.twin, entered.moved = self.find_twin(here, label)
                self.path.append(entered)

def executions(fields, streams):                 # (how many steps it has in common with the one before, its others)
    steps, choices, turns, depth = streams[0], streams[1], streams[2], 0
    for _ in range(int(fields["executions"])):
        same, count = depth - turns.number(), turns.number()
        bytes = [steps.byte() for _ in range(count)]
        yield same, [(byte & 127, choices.number() if byte & 128 else 0) for byte in bytes]
        depth = same + count

fields, streams = split(sys.argv[1], {"search": ("entries", "labels", "states", "references"), "executions": ("steps", "choices", "turns", "start")})
if fields["kind"] == "executions":
    for number, (same, steps) in enumerate(executions(fields, streams), 1):
        print(number, same, *(str(process + 1) + (":%d" % result if result else "") for process, result in steps))
    sys.exit()
reader, leads = Reader(fields, streams), {}
for label, source, to in reader.entries():
    if label != BACK:
        process, operation, outcome = reader.labels[label]
        leads[to] = leads.get(to, 0) + 1
        print(source, to, process + 1, operation + (" = " + outcome if outcome else ""))
if not reader.trustful:                          # the list of references says the same
    assert all(reader.references.number() == leads.get(state, 0) for state in range(reader.highest + 1))
