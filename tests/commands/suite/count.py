# All that drivers can do, tried without VeriSoft: the runs, one a line as acts.c notes them; with `traces`, how many differ by more than the
# order of what commutes: count.py runs|traces "A t2 s" "B s c" ... There is a queue for one message (S7, R), and a semaphore l (wl, pl) that begins
# with 1; one who waits in vain is left. SPDX-License-Identifier: MIT
import sys


def results(act, done):
    if act[0] == "t":
        return range(int(act[1:]) + 1)
    sent = [e[1][1:] for e in done if e[1][0] == "S"][sum(e[1] == "R" for e in done):]
    if act[0] == "S" and sent or act == "R" and not sent:
        return []
    if act == "wl" and 1 + sum(e[1] == "pl" for e in done) == sum(e[1] == "wl" for e in done):
        return []
    return [int(sent[0])] if act == "R" else [0]


def runs(drivers, at, done):
    if not any(len(results(d[i + 1], done)) for i, d in zip(at, drivers) if i < len(d) - 1):
        yield done
    for k, d in enumerate(drivers):
        if at[k] < len(d) - 1:
            for r in results(d[at[k] + 1], done):
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
