# Drivers that do what they should not are errors with their names, and end nothing else; so is a box that dies. A box that answers otherwise
# now and then is noticed. A suite that cannot be used is refused, with its line. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring suite/acts.c
must ${CC:-cc} -I"$project/include" -o acts acts.c
one() {                              # LINES-OF-[box] ACTS...
    printf '[box]\ntimeout = 2\n%s\n' "$1" > suite.toml
    shift
    for acts; do printf '[[driver]]\nname = "D%s"\nrun = "exec ./acts D %s"\n' "$((n += 1))" "$acts"; done >> suite.toml
    n=0
    rm -f *.path
    verisoft test suite.toml --no-color "${option:---quiet}" --json r.json > said 2>&1
    status=$?
}
wrong() {                            # WORDS KIND LINES-OF-[box] ACTS...
    words=$1 kind=$2
    shift 2
    one "$@"
    is "status of $*" 1 $status
    is "kind of $*" "$kind" "$(json r.json errors.0.kind)"
    json r.json errors.0.message | grep -q "$words" || { echo "$*: $(json r.json errors.0.message)"; failed=1; }
}
wrong 'process 2 died: driver D1 ended by SIGABRT'       crash '' 's k'
is "its place" acts.c "$(json r.json errors.0.location | sed 's/:.*//')"
wrong 'process 3 died: driver D2 ended with status 3'    crash      '' 's' 's x3'
wrong 'process 2 died: driver D1 ended with status 4'    crash      '' 'x4'
wrong 'process 2: driver D1 said what is no request: gibber' structure  '' 'ngibber'
wrong 'driver D1 did nothing for 2 seconds'              divergence '' 's h'
wrong 'driver D1 did nothing for 2 seconds'              divergence '' 'h' 's'
wrong 'asked for step none, which wants an interface'    structure  'interfaces = "X"' 'sX snone'
wrong 'asked for step, which wants an interface'    structure  'interfaces = "X"' 's'
wrong 'asked for wait none, which wants a semaphore'     structure  '' 'wnone'
wrong 'driver D2 made a request before the last one was answered' structure '' 's' 's H'
wrong 'driver D1 ran when the black box ended with status 5' crash      'start = "until [ -e $VERISOFT_FOLDER/go ]; do sleep 0.01; done; exit 5"' 's g h'

# Whatever else comes over the socket.
printf '[box]\ntimeout = 2\n[[driver]]\nname = "noise"\nrun = "./acts D s && cat noise >&$VERISOFT_DRIVER; sleep 60"\n' > noise.toml
sed -i 's/^run = "\(.*\)"$/run = "exec bash -c '"'\\1'"'"/' noise.toml
for length in 1 2 40 300 5000; do
    { head -c $length /dev/urandom; echo; } > noise
    verisoft test noise.toml --json r.json --quiet
    is "status of noise" 1 $?
    is "kind of noise" structure "$(json r.json errors.0.kind)"
    [ $failed = 0 ] || exit 1
done

# A message that is longer than a line may be, by C: it is not cut in silence.
printf '[[queue]]\nname = "q"\n[[driver]]\nname = "long"\nrun = "vs send q $(head -c 66000 /dev/zero | tr %s x)"\n' "'\\\\0'" > long.toml
verisoft test long.toml --json r.json --quiet; is "status of a message that is too long" 1 $?
json r.json errors.0.message | grep -q 'more than 65536 bytes' || { cat long.toml; json r.json errors.0.message; failed=1; }

# Two requests at a time.
printf '\tstep\t\n\tstep\t\n' > both     # a shell may write them one by one, and be answered in between
cat > hasty.sh <<'END'
cat both >&$VERISOFT_DRIVER
sleep 60
END
printf '[[driver]]\nname = "hasty"\nrun = "exec bash hasty.sh"\n' > hasty.toml
verisoft test hasty.toml --json r.json --quiet; is "status of two requests at a time" 1 $?
is "what is told of them" 'process 2: driver hasty made a request before the last one was answered: do two of its processes speak at once?' \
   "$(json r.json errors.0.message)"

one 'prepare = "test $VERISOFT_PORT -gt 0"' 's'
is "a port for what is prepared" 0 $status
wrong 'driver D1 ended in the middle of a request' structure '' 's m'
one '' 's F d s'
is "status with somebody left who has the socket" 3 $status
grep -q '"ended while processes .* were not heard: drivers D1;' r.json || { cat r.json; failed=1; }
one '' '' 's'
is "status with a driver that says nothing" 3 $status
grep -q 'never asked for anything, so nothing of them was under control: drivers D1;' r.json || { cat r.json; failed=1; }
one '' 's F s'
is "status with an orphan" 0 $status

# A box that says no one time in twenty.
export COUNTER=$PWD/counter
option=--no-color; one '' 's a s a s' 's a s'
is "status of a box that varies" 3 $status
grep -q 'nondeterminism of the black box' said || { cat said; failed=1; }
tr -s '\n ' ' ' < said | grep -q 'the box answered: [a-z]*\].*the box answered: [a-z]*\]' || { cat said; failed=1; }
is "coverage" part "$(json r.json coverage)"
one 'nondeterminism = "stop"' 's a s a s' 's a s'
is "status when it stops" 1 $status
is "kind" nondeterminism "$(json r.json errors.0.kind)"

refused() {                          # WORDS TEXT-OF-THE-SUITE
    printf "$2" > bad.toml
    verisoft test bad.toml > said 2>&1
    is "status of $2" 2 $?
    grep -q "$1" said || { echo "$2:"; cat said; failed=1; }
}
driver='[[driver]]\nname = "a"\nrun = "true"\n'
stepping='[[driver]]\nname = "a"\nrun = "vs step"\n'
refused 'there is no \[\[driver\]\]' '[box]\n'
refused 'bad.toml:2: \[box\] has no key strat; did you mean start' '[box]\nstrat = "x"\n'
refused 'bad.toml:1: neither a \[table\]' 'nonsense\n'
refused 'bad.toml:1: a table is' '[boxes]\n'
refused 'lacks run' '[[driver]]\nname = "a"\n'
refused 'does not end in its line' '[box]\nstart = "x\n'
refused 'wants a whole number from 1' '[box]\ntimeout = 0\n'
refused 'there are two drivers a' "$driver$driver"
refused 'leave out ready' "[box]\nready_port = true\n$driver"
refused 'prepare ended with status 3' "[box]\nprepare = \"exit 3\"\n$driver"
refused 'bad.toml:4: the expression of the .* values and operators do not take turns' "[[invariant]]\nexpression = \"a * / b\"\nvalues = \"x\"\n$driver"
refused 'reset ended with status 4' "[box]\nreset = \"exit 4\"\n$driver"
refused 'ended before it was ready' "[box]\nstart = \"exit 6\"\nready_port = true\n$driver"
refused 'bad.toml:3: timeout is given twice' "[box]\ntimeout = 5\ntimeout = 6\n$driver"
refused 'bad.toml:4: count is given twice' '[[driver]]\nname = "a"\ncount = 2\ncount = 3\nrun = "true"\n'
refused 'bad.toml:2: there are two tables \[box\]' "[box]\n[box]\n$driver"
refused 'there are two invariants i' "$driver[[invariant]]\nname = \"i\"\nrun = \"true\"\n[[invariant]]\nname = \"i\"\nrun = \"true\"\n"
refused 'ready_line is in one line' "[box]\nstart = \"true\"\nready_line = \"a\\\\nb\"\n$driver"
refused 'leave out .*background' "[box]\nbackground = true\n$driver"
refused 'bad.toml:2: background wants true or false' "[box]\nbackground = 1\n$driver"
# A command that is not there is no error of what is tested.
refused 'the driver a ended with status 127 before it asked for anything: a command was not found .*: ./nowhere' '[[driver]]\nname = "a"\nrun = "./nowhere"\n'
refused 'the driver a ended with status 126 .*: a command could not be run' '[[driver]]\nname = "a"\nrun = "./bad.toml"\n'
refused 'the invariant i cannot be asked: a command was not found' "$stepping[[invariant]]\nname = \"i\"\nrun = \"./nowhere\"\n"
refused 'the invariant x == 1 cannot be asked' "$stepping[[invariant]]\nexpression = \"x == 1\"\nvalues = \"./nowhere\"\n"
refused 'reset ended with status 4: .*; it said: no such folder' "[box]\nreset = \"echo no such folder; exit 4\"\n$driver"
refused 'was not ready .*; ready ended with status 5: ' "[box]\nstart = \"exec sleep 100\"\nready = \"exit 5\"\ntimeout = 1\n$driver"
refused 'was not ready .*; nothing listens at its port' "[box]\nstart = \"exec sleep 100\"\nready_port = true\ntimeout = 1\n$driver"
printf '\357\273\277%b' "[[driver]]\nname = \"a\"\nrun = \"vs step\"\n" > mark.toml
verisoft test mark.toml --quiet; is "status of a file that begins with a mark" 0 $?
wrong 'driver D1 ended with status 127 (a command was not found)' crash '' 's x127'
verisoft test nowhere.toml > said 2>&1; is "status without a file" 2 $?
verisoft test bad.toml --reduction optimal > said 2>&1; is "status of optimal" 2 $?
verisoft test bad.toml --search bfs > said 2>&1; is "status of bfs" 2 $?
exit $failed
