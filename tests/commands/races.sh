# Data races, atomic variables and spin loops: what is found in programs that are right and in such that are not, and in how many
# executions, unless that depends on how the compiler keeps what a loop looks at. Numbers that are known from elsewhere are in counts.c. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
for file in "$project"/tests/commands/races/*.c* "$project"/tests/commands/cc/copy.c; do must cp "$file" .; done

try() {                              # FILE [FLAGS]: all errors; the report in a line
    name=$1 flags= options=
    shift
    for word; do case $word in -D*|-f*|-m*) flags="$flags $word" ;; *) options="$options $word" ;; esac; done
    case $name in *.cc) compiler=c++ ;; *) compiler=cc name=$name.c ;; esac
    verisoft $compiler "$name" -O0 -w -pthread $flags -o program || echo "$name does not compile"
    verisoft ./program $options --stop-at-error 0 --divergence-limit 60 --output out --json r.json --quiet
    status=$?
    name=${name%.c*}
    case $name in
    counter|counts|once|adds|bytes|lazy|own|statics|deque|copy) executions=", executions $(json r.json executions)" ;;
    *) executions= ;;
    esac
    case $name$flags in pair*WRONG) ;; pair*) executions=", executions $(json r.json executions)" ;; esac
    echo "$name $*: $status $(json r.json result)$executions, race-free $(json r.json race_free)"
    for i in 0 1 2 3; do
        kind=$(json r.json errors.$i.kind 2> /dev/null) || break
        case $kind in
        race) echo "    race: $(json r.json errors.$i.variable)" ;;
        ?*)   echo "    $kind" ;;
        esac
    done
    rm -rf out
}

try counter
try counter -DLOCK
try counter -DATOMIC
try counter -DVOLATILE
try counter -DVOLATILE --volatile plain
try counter --races ignore
try counter --races stop
for store in seq_cst release relaxed; do
    for load in seq_cst acquire relaxed; do
        try handover -DSTORE=$store -DLOAD=$load
    done
done
try handover -DPLAIN
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
try stack
try stack -DREUSE
try stack -DREUSE -DCOUNTED
try ring
try ring -DRELAXED
for n in 1 2; do try pair -DN=$n; done
try pair -DN=3 -DWRONG
try bytes
try bits
try bytes -DUNION
try bytes -DLOCAL
for n in 2 3 4; do try counts -DWHICH=1 -DN=$n; done
try counts -DWHICH=2 -DN=5
for n in 3 5; do try counts -DWHICH=3 -DN=$n; done
for n in 11 12; do try counts -DWHICH=4 -DN=$n; done
for which in 1 2 3 4 5; do try spins -DWHICH=$which -DSUM=0; done
for sum in 0 1 2 3 4; do try spins -DWHICH=6 -DSUM=$sum; done
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
for which in 1 2 3; do
    try own -DWHICH=$which
    try own -DWHICH=$which -DLENT
done
for which in 1 2 3 4; do try builtins -mcx16 -DWHICH=$which; done
try exchange
try exchange -DFIRST
case ${CC:-gcc} in                    # clang keeps what it does not look at
*gcc) for order in relaxed release seq_cst; do try adds -DORDER=memory_order_$order; done; try adds -DORDER=memory_order_relaxed -DLOOK ;;
*)    sed -n '/^adds /p' "$project/tests/commands/races.out" ;;
esac
try shared
try shared -DLOCK
try shared -DATOMIC
try shared -DATOMIC -DSPIN
try statics.cc
try statics.cc -fno-threadsafe-statics
try copy
try copy -DMOVE
verisoft copy.c -O0 -pthread --stop-at-error 0 --output out --json r.json --quiet          # linked with the runtime: the same
is "executions of copy, by its source" 20 "$(json r.json executions)"
for n in 10 12; do try counts -DWHICH=2 -DN=$n; done
try counts -DWHICH=4 -DN=15
try counts -DWHICH=1 -DN=5
try counts -DWHICH=3 -DN=6

library() {                          # [FLAGS]: what is found in library.cc, each kind once; how it is spelled depends on the library
    verisoft library.cc -std=c++20 -pthread "$@" --stop-at-error 0 --divergence-limit 60 --output out --json r.json --quiet
    echo "library $*: $? $(json r.json result) $(sed -n 's/^ *"kind": "\(.*\)",*$/\1/p' r.json | sort -u | tr '\n' ' ')"
    rm -rf out
}

for which in 1 2 3 4 5 6 7; do library -DWHICH=$which; done
for type in char long pair; do library -DWHICH=8 -DTYPE=$type; done
library -DWHICH=8 -DTYPE=char -DWRONG
library -DWHICH=3 -DWRONG
library -DWHICH=7 -DWRONG

# What there is not: states of several UNIX processes.
find_in verisoft: verisoft shared.c --search stateful --reduction none

# In words: who spins where, for what, and that nobody is left.
line "verisoft spins.c -pthread -DWHICH=5 -DSUM=0 --output out | grep -A 1 'process 1 spins'"
line "verisoft locks.c -pthread -DFORGETS --output out | grep -e 'spins until' -e 'nobody is left'"
