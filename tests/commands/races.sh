# Data races, atomic variables and spin loops: what is found in programs that are right and in such that are not, and in how many
# executions, unless that depends on how the compiler keeps what a loop looks at. Numbers that are known from elsewhere are in counts.c. SPDX-License-Identifier: MIT
. "$project/tests/lib/races.sh"

try counter
try counter -DLOCK
try counter -DATOMIC
try counter -DVOLATILE
try counter -DVOLATILE --volatile plain
try counter --races ignore
try counter --races stop
for which in 1 2 3 4 5 6; do try handler -DWHICH=$which; done
for store in seq_cst release relaxed; do
    for load in seq_cst acquire relaxed; do
        try handover -DSTORE=$store -DLOAD=$load
    done
done
try handover -DPLAIN
try handover -DSTORE=release -DLOAD=acquire -DOVERWRITES
for which in 1 2 3 4 5 6 7 8; do try fences -DWHICH=$which; done
try once
try once -DRIGHT
try exclusion
try exclusion -DDEKKER
try exclusion -DWRONG
try locks
try locks -DFLAG
try locks -DTICKET
try locks -DMCS
try locks -DFORGETS
try locks -DFLAG -DFORGETS
try stopbit
try stack
try stack -DREUSE
try stack -DREUSE -DCOUNTED
try expected
try expected -DWRONG
try ring
try ring -DRELAXED
for n in 1 2; do try pair -DN=$n; done
try pair -DN=3 -DWRONG
try bytes
try bits
try wide
try wide -DWRONG
for which in 1 2 3 4 5 6 7; do try mixed -mcx16 -DWHICH=$which; done
try bytes -DUNION
for n in 2 3 4; do try counts -DWHICH=1 -DN=$n; done
try counts -DWHICH=2 -DN=5
for n in 3 5; do try counts -DWHICH=3 -DN=$n; done
for n in 11 12; do try counts -DWHICH=4 -DN=$n; done
for which in 1 2 3 4 7 8 9 10 12 13; do try spins -DWHICH=$which -DSUM=0; done
for which in 1 2 3 4 5 6 7 8; do try tries -- $which; done
for which in 1 3 4 5 6 7; do try tries -- $which keeps; done
for which in 1 4 5 6 7 8 9; do try tries -- $which gives; done
for which in 1 4 5 6 7; do try tries -- $which stops; done
for which in 1 4 5 6 7 9; do try tries -- $which stays; done
for sum in 0 1 2 3 4; do try spins -DWHICH=6 -DSUM=$sum; done
for option in '' '--rounds 10'; do
    try spins -DWHICH=6 -DSUM=2 -DROUNDS=6 $option
    try spins -DWHICH=11 -DSUM=0 $option
done
for which in 14 15 16 17 18; do try spins -DWHICH=$which -DSUM=0 --rounds 10; done
for which in 2 3 4; do try flags -DWHICH=$which; done
for period in 2 3; do try phases -DPERIOD=$period; done
try late
try late -DSETS
try late_counter --max-depth 40
try bits -DAPART
try handover -DVOLATILE
try handover -DVOLATILE --volatile plain
try queue
try queue -DTAKES
try queue -DWRONG
try queue -DTAKES -DRELAXED
try seqlock
try seqlock -DPLAIN
try seqlock -DWRONG
try deque
try deque -DWRONG
try deque -DRELAXED
try publish
try publish -DRELAXED
try publish -DEARLY
try publish -DCOUNTED
try lazy
try lazy -DONCE
try lazy -DCOMPARE
try lazy -DFLAG
for which in 1 2 3; do try own -DWHICH=$which; done
try copies -flto -- 2
for which in 1 2 3 4; do try builtins -mcx16 -DWHICH=$which; done
try exchange
try exchange -DFIRST
case ${CC:-gcc} in                    # clang keeps what it does not look at, unless it optimises
*gcc) for order in relaxed release seq_cst; do try adds -DORDER=memory_order_$order; done; try adds -DORDER=memory_order_relaxed -DLOOK
        for order in relaxed seq_cst; do try adds -DORDER=memory_order_$order -DAROUND; done ;;
*)    awk '/^[^ ]/ { shown = /^adds / } shown' "$project/tests/commands/races.out" ;;
esac
try shared -DLOCK
try shared -DATOMIC
try shared -DATOMIC -DSPIN
try statics.cc
try statics.cc -fno-threadsafe-statics
try builtin.cc
try builtin.cc -DLOCK
for which in 1 2 3; do try exception.cc -DWHICH=$which; done
try copy
try copy -DMOVE
try torn
try torn -DBYTES=24
try torn -DFIELD
try torn -DLOCK
verisoft copy.c -O0 -pthread --stop-at-error 0 --output out --json r.json --quiet          # linked with the runtime: the same
is "executions of copy, by its source" 20 "$(json r.json executions)"
for n in 10 12; do try counts -DWHICH=2 -DN=$n; done
try counts -DWHICH=4 -DN=15
try counts -DWHICH=1 -DN=5
try counts -DWHICH=3 -DN=6

# What there is not: states of several UNIX processes.
find_in verisoft: verisoft shared.c --search stateful --reduction none

# A loop that does not end by itself, and does not spin: the bound cuts it, and it is named.
line "verisoft round.c -pthread --max-depth 60 --output out | tr -s '[:space:]' ' ' | grep -o 'On one of them.* never gets on'"
# A copy by instructions that are not known is one step, and that is said.
case $(grep -c -w avx /proc/cpuinfo)${CC:-gcc} in
0*|*clang*) ;;
*)          verisoft torn.c -pthread -DBYTES=32 -mavx -O1 --output out --json r.json --quiet
            is "a copy that is not cut" torn.c:23 "$(json r.json whole_access)" ;;
esac
# In words: who spins where, for what, and that nobody is left.
line "verisoft spins.c -pthread -DWHICH=5 -DSUM=0 --output out | grep -e 'not confirmed' -e 'process 1 spins' -e 'no deadlock' | sed 's, at depth.*,,'"
line "verisoft spins.c -pthread -DWHICH=5 -DSUM=0 -O1 --output out | grep -e 'error 1' -e 'process 1 spins' | sed 's, at depth.*,,'"
line "verisoft locks.c -pthread -DFORGETS --output out | grep -e 'spins until' -e 'nobody is left' | sed 's,  *, ,g'"
