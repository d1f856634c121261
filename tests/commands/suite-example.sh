# The black box of examples/key-value, with drivers in shell, Python and C: an update is lost, and the scenario shows it again. Also what the
# drivers do without VeriSoft, and another language by doc/drivers.md alone. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v python3 > /dev/null && command -v bash > /dev/null || { echo "python3 or bash is not installed"; exit 77; }
cp -r "$project/examples/key-value" . || exit 1
verisoft test key-value/suite.toml --json r.json --junit r.xml --quiet
is "status" 1 $?
is "kind" assertion "$(json r.json errors.0.kind)"
is "message" 'VS_assert(after >= before + amount) is false in process 4 (pay)' "$(json r.json errors.0.message)"
is "location" pay.c "$(json r.json errors.0.location | sed 's/:.*//')"
grep -q '<failure' r.xml || { echo "JUnit has no failure"; failed=1; }
grep -q 'step(account0): get account0 .*# deposit.py:' error1.path || { cat error1.path; failed=1; }
verisoft test key-value/suite.toml error1.path > said
is "replayed" 1 $?
grep -q 'the box answered' said || { cat said; failed=1; }
ls key-value > now; (cd "$project/examples" && ls key-value) | diff - now || failed=1

# A database in a folder, which is copied for each path.
if command -v sqlite3 > /dev/null; then
    verisoft test "$project/examples/sqlite/wrong.toml" --json r.json --quiet; is "status of sqlite/wrong" 1 $?
    json r.json errors.0.message | grep -q 'come to 100, not 1[0-9]*) is false' || { json r.json errors.0.message; failed=1; }
    verisoft test "$project/examples/sqlite/right.toml" --json r.json --quiet; is "status of sqlite/right" 0 $?
    is "executions: choices, times orders of the four steps" 24 "$(json r.json executions)"
else
    echo "sqlite3 is not installed, and was not tried"
fi

# Git as a black box.
if command -v git > /dev/null; then
    verisoft test "$project/examples/git/polite.toml" -j 2 --json r.json --quiet; is "status of git/polite" 0 $?
    is "executions: the orders of the four steps" 6 "$(json r.json executions)"
    verisoft test "$project/examples/git/forced.toml" --json r.json --quiet; is "status of git/forced" 1 $?
    is "its message" 'assert(nothing-is-lost) is false in process' "$(json r.json errors.0.message | sed 's/ [0-9]* ([a-z]*)$//')"
else
    echo "git is not installed, and was not tried"
fi

# The last lines of doc/drivers.md, as a driver.
{ sed -n '/^request() {/,/^request toss/p' "$project/doc/drivers.md"; echo '[ "$answer" -le 3 ]'; echo 'request check 1'; } > own.sh
printf '[[driver]]\nname = "own"\nrun = "bash own.sh"\n' > own.toml
verisoft test own.toml --json r.json --quiet; is "status of a driver of our own" 0 $?
is "its choices" 4 "$(json r.json executions)"

# By itself it is a script like others.
PATH=$B/drivers:$PATH
is "a choice without VeriSoft" 0 "$(vs toss 0)"
vs step; is "a step without VeriSoft" 0 $?
vs check 'that fails' false 2> /dev/null; is "a check without VeriSoft" 1 $?
vs nonsense 2> /dev/null; is "nonsense" 2 $?
PYTHONPATH=$B/drivers python3 -B -c 'import verisoft as vs; assert vs.toss(0) == 0; vs.step(); vs.check(False, "so")' 2> /dev/null
is "a check in Python without VeriSoft" 1 $?
exit $failed
