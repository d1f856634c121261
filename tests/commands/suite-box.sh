# How a box of a suite is waited for and put back, what is asked of it after each step and at the end, how much is searched, and what is told of each
# driver. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring suite/acts.c
must ${CC:-cc} -I"$project/include" -o acts acts.c
suite() {                            # TEXT ACTS...
    printf '%b\n' "$1" > suite.toml
    shift
    for acts; do printf '[[driver]]\nname = "D%s"\nrun = "exec ./acts D %s"\n' "$((n += 1))" "$acts"; done >> suite.toml
    n=0
    rm -f *.path
    verisoft test suite.toml --no-color $options --json r.json --junit r.xml > said 2>&1
    status=$?
}

# Ready by a line that it prints; what it said is told when it is not.
suite '[box]\nstart = "echo one; echo now: ready; touch $VERISOFT_FOLDER/up; exec sleep 100"\nready_line = "now: ready"' 's'
is "status of a box that says when it is ready" 0 $status
suite '[box]\nstart = "echo one; echo no such port; exit 7"\nready_line = "ready"' 's'
is "status of one that does not" 2 $status
grep -q 'ended before it was ready, with status 7: .*; it said: no such port' said || { cat said; failed=1; }

# One that prints for ever: the line is found in between, and what was read is given back.
suite '[box]\nstart = "head -c 3000000 /dev/zero; echo; echo now: ready; exec yes"\nready_line = "now: ready"\n[[driver]]\nname = "b"\nrun = "vs step; sleep 1; vs step; du -k $VERISOFT_FOLDER/../said > used"' 's'
is "status of one that prints for ever" 0 $status
printf x > hole; fallocate -p -o 0 -l 1 hole 2> hole.said && { [ "$(sed 's/\t.*//' used)" -lt 1000000 ] || { cat used; failed=1; }; }
suite '[box]\nstart = "exec yes not ready"\nready_line = "now: ready"\ntimeout = 1' 's'
is "status of one that prints something else for ever" 2 $status
tr -s '\n ' ' ' < said | grep -q "has not printed a line with 'now: ready'; it said: n" || { cat said; failed=1; }

# One that goes to the background.
suite '[box]\nstart = "(sleep 0.1; touch $VERISOFT_FOLDER/up; exec sleep 100) &"\nready = "test -e $VERISOFT_FOLDER/up"' 's'
is "status of one that goes to the background, and does not say so" 2 $status
grep -q 'the suite must say background = true' said || { cat said; failed=1; }
suite '[box]\nbackground = true\nstart = "(sleep 0.1; touch $VERISOFT_FOLDER/up; exec sleep 100) &"\nready = "test -e $VERISOFT_FOLDER/up"' 't1 s' 's'
is "status of one that says so" 0 $status
is "its executions" 6 "$(json r.json executions)"
suite '[box]\nbackground = true\nstart = "sleep 0.2; exit 3"' 's'
is "status of one that fails on its way there" 2 $status
grep -q 'ended before it was ready, with status 3' said || { cat said; failed=1; }
suite '[box]\nbackground = true\nstart = "exec sleep 100"\ntimeout = 1' 's'
is "status of one that stays" 2 $status
grep -q 'its command has not ended' said || { cat said; failed=1; }
export STARTS=$PWD/starts
suite '[box]\nbackground = true\nstart = "echo >> $STARTS; (exec sleep 100) &"\nrenew = "true"' 't1 s' 's'
is "starts of one in the background that is renewed" 1 "$(wc -l < starts | tr -d " ")"
rm starts

# Ready when it listens; nobody connects to it before the drivers do: this one would die of that.
cat > listens.py <<'END'
import os, socket
s = socket.socket()
s.bind(("127.0.0.1", int(os.environ["VERISOFT_PORT"])))
s.listen()
for number in range(1, 9):
    c, _ = s.accept()
    assert c.makefile().readline() == "hello\n"
    c.sendall(b"%d" % number)
    c.close()
END
cat > greets.py <<'END'
import os, socket
import verisoft as vs
vs.step()
c = socket.create_connection(("127.0.0.1", int(os.environ["VERISOFT_PORT"])))
c.sendall(b"hello\n")
vs.check(vs.answer(c.recv(9).decode()) == "1", "the first who comes is the driver")
END
suite '[box]\nstart = "exec python3 listens.py"\nready_port = true\n[[driver]]\nname = "greets"\nrun = "exec python3 greets.py"'
is "status of a box to which nobody connects but drivers" 0 $status

# Started once, and renewed for each path; started again when it has ended.
export STARTS=$PWD/starts
suite '[box]\nstart = "echo >> $STARTS; touch $VERISOFT_FOLDER/up; exec sleep 100"\nready = "test -e $VERISOFT_FOLDER/up"\nrenew = "echo renewed >> $STARTS"' 't1 s' 's'
is "status of a box that is renewed" 0 $status
is "executions" 6 "$(json r.json executions)"
is "starts" 1 "$(grep -vc renewed starts)"
is "renewals" $(($(json r.json black_box.runs) - 1)) "$(grep -c renewed starts)"
: > starts
options='-j 2'; suite '[box]\nstart = "echo >> $STARTS; touch $VERISOFT_FOLDER/up; exec sleep 100"\nready = "test -e $VERISOFT_FOLDER/up"\nrenew = "true"' 't1 s' 's'
is "executions with two copies" 6 "$(json r.json executions)"
is "starts of two copies" 2 "$(wc -l < starts | tr -d " ")"
options=
suite '[box]\nstart = "exec sleep 100"\nrenew = "exit 3"' 's' 's'
is "status when it cannot be renewed" 2 $status
grep -q 'renew ended with status 3' said || { cat said; failed=1; }

# Invariants. Of the first, D2 with a choice of 1 and one step more is guilty; of the second, whoever is last.
cat > add.sh <<'END'
n=$(vs toss 1)
vs step
echo >> "$VERISOFT_FOLDER/lines"
[ "$n" = 0 ] || echo >> "$VERISOFT_FOLDER/lines"
vs step
END
two='[[driver]]\nname = "first"\nrun = "sh add.sh"\n[[driver]]\nname = "second"\nrun = "sh add.sh"\n'
suite "$two"'[[invariant]]\nname = "few"\nrun = "test ! -e $VERISOFT_FOLDER/lines || test $(wc -l < $VERISOFT_FOLDER/lines) -lt 4"\n'
is "status of an invariant" 1 $status
is "its kind" assertion "$(json r.json errors.0.kind)"
is "its words" 'assert(few) is false in process' "$(json r.json errors.0.message | sed 's/ [0-9]* ([a-z]*)$//')"
is "both have chosen 1" 2 "$(grep -c 'VS_toss(1) = 1' error1.path)"
suite "$two"'[[invariant]]\nname = "all"\nwhen = "end"\nrun = "test $(wc -l < $VERISOFT_FOLDER/lines) = 2"\n'
is "status of one at the end" 1 $status
options='-j 3 --stop-at-error 0'
suite '[box]\nshrink = 0\n[[invariant]]\nname = "all"\nwhen = "end"\nrun = "false"\n' 't1 s' 's'
is "executions when all fail" 6 "$(json r.json executions)"
longest=$((5 + $(json r.json max_depth)))
[ "$(json r.json native_transitions)" -le $((longest * $(json r.json black_box.runs))) ] || { echo "a driver that has ended was run on"; failed=1; }
options=
suite "$two"'[[invariant]]\nname = "all"\nwhen = "end"\nrun = "test $(wc -l < $VERISOFT_FOLDER/lines) -ge 2"\n'
is "status of one that holds" 0 $status

# What programs keep for a while is theirs for a path.
suite '[[driver]]\nname = "messy"\nrun = "vs toss 1 && test -z \"$(ls $TMPDIR)\" && mktemp && vs step"\n'
is "status of one who leaves files" 0 $status

# Bounds, and what is told of each driver.
suite '[bounds]\ndepth = 3' 's s s s'
is "status within a depth" 3 $status
is "stopped by" max_depth "$(json r.json stopped_by)"
suite '[bounds]\nerrors = 0' 's c0' 's x3' 's'
is "status with all errors" 1 $status
is "errors by driver" '1 1 0' "$(json r.json drivers.0.errors) $(json r.json drivers.1.errors) $(json r.json drivers.2.errors)"
is "names" 'D1 D3' "$(json r.json drivers.0.name) $(json r.json drivers.2.name)"
grep -q 'tests="4" failures="2"' r.xml || { cat r.xml; failed=1; }
grep -q 'name="driver" classname="D3"></testcase>' r.xml || { cat r.xml; failed=1; }
grep -q 'name="assertion at acts.c:[0-9]*" classname="D1"' r.xml || { cat r.xml; failed=1; }
tr -s '\n ' ' ' < said | grep -q 'D1 is process 2, with an error, D2 is process 3, with an error, D3 is process 4' || { cat said; failed=1; }
# One that is never asked for does not hold because of that.
suite '[[invariant]]\nname = "never"\nrun = "false"\n[[invariant]]\nname = "last"\nwhen = "end"\nrun = "true"\n' 't1'
is "status when an invariant was never tested" 3 $status
grep -q 'never tested: never (no driver made a step)' said || { cat said; failed=1; }
# An invariant that is an expression.
lines='values = "echo lines=$(cat $VERISOFT_FOLDER/lines 2> /dev/null | wc -l) most=4"\n'
suite "$two"'[[invariant]]\nexpression = "lines < most && !(lines == 9)"\n'"$lines"
is "status of an expression" 1 $status
grep -q 'lines < most' said || { cat said; failed=1; }
suite "$two"'[[invariant]]\nname = "few"\nexpression = "lines <= 2 * most - 4"\n'"$lines"
is "status of one that is so" 0 $status
suite "$two"'[[invariant]]\nname = "few"\nexpression = "lines <= other"\n'"$lines"
is "a name that nobody tells" 1 $status
for wrong in 'lines = 3' 'lines++ < 3' '(lines < 3' 'lines < $(id)' '1 < 2'; do
    suite "$two"'[[invariant]]\nname = "few"\nexpression = "'"$wrong"'"\n'"$lines"
    is "$wrong" 2 $status
    grep -q 'the expression of the' said || { cat said; failed=1; }
done
suite "$two"'[[invariant]]\nname = "few"\nexpression = "lines < 3"\n'
is "no values" 2 $status
exit $failed
