# All that drivers can do, tried without VeriSoft: the runs, one a line as acts.c notes them; with `traces`, how many differ by more than the
# order of what commutes: count.py runs|traces "A t2 s" "B s c" ... SPDX-License-Identifier: MIT
import sys


def results(act):
    return range(int(act[1:]) + 1) if act[0] == "t" else [0]


def runs(drivers, at, done):
    if all(i == len(d) - 1 for i, d in zip(at, drivers)):
        yield done
    for k, d in enumerate(drivers):
        if at[k] < len(d) - 1:
            for r in results(d[at[k] + 1]):
                yield from runs(drivers, at[:k] + (at[k] + 1,) + at[k + 1:], done + ((d[0], d[at[k] + 1], r),))


def dependent(a, b):
    return a[0] == b[0] or (a[1][0] == "s" and a[1] == b[1])


def normal(run):                     # the least order of the same trace
    left, out = list(run), []
    while left:
        first = min(i for i, e in enumerate(left) if not any(dependent(f, e) for f in left[:i])
                    and e == min(g for j, g in enumerate(left) if not any(dependent(f, g) for f in left[:j])))
        out.append(left.pop(first))
    return tuple(out)


drivers = [tuple(d.split()) for d in sys.argv[2:]]
every = list(runs(drivers, (0,) * len(drivers), ()))
if sys.argv[1] == "runs":
    for run in sorted(every):
        print("".join("%s:%s=%d " % e for e in run))
else:
    print(len({normal(r) for r in every}))
