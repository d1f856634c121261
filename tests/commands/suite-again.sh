# An error of a suite is told by as few steps and as small choices as were tried, with how often it failed when it was run again; what a box does
# otherwise now and then is counted, and both answers are told. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring suite/acts.c
must ${CC:-cc} -I"$project/include" -o acts acts.c
export COUNTER=$PWD/counter
suite() {                            # LINES-OF-[box] ACTS...
    printf '[box]\n%s\n' "$1" > suite.toml
    shift
    for acts; do printf '[[driver]]\nname = "D%s"\nrun = "exec ./acts D %s"\n' "$((n += 1))" "$acts"; done >> suite.toml
    n=0
    rm -f *.path counter
    verisoft test suite.toml --no-color --json r.json > said 2>&1
    status=$?
}
replays() { echo "$(json r.json errors.0.failed_again) of $(json r.json errors.0.replays)"; }

# Two drivers and two choices have nothing to do with it.
cat > guilty.py <<'END'
import verisoft as vs
a = vs.toss(2)
vs.step()
b = vs.toss(3)
vs.check(b < 2, "b is small")
END
cat > suite.toml <<'END'
[[driver]]
name = "idle"
run = "exec ./acts D t1 s s"
[[driver]]
name = "guilty"
run = "python3 guilty.py"
END
verisoft test suite.toml --search random --random-seed 7 --json r.json --quiet; is "status" 1 $?
is "as few steps as it takes" 8 "$(json r.json errors.0.depth)"
is "choices" '0 2' "$(sed -n 's/.*VS_toss([23]) = \([0-9]\).*/\1/p' error1.path | tr '\n' ' ' | sed 's/ $//')"
is "it fails" '5 of 5' "$(replays)"
json r.json promise | grep -q 'Under control were the 2 drivers' || { echo "no promise"; failed=1; }
is "it varied" 0 "$(json r.json black_box.varied)"
sed -i '1i [box]\nshrink = 0\nreplays = 1' suite.toml
rm *.path
verisoft test suite.toml --search random --random-seed 7 --json r.json --quiet; is "status without shrinking" 1 $?
is "it fails, once" '1 of 1' "$(replays)"
is "nothing is left out" 0 "$(json r.json errors.0.steps_left_out)"

suite 'shrink = 0' 's e2'
is "status of one that fails every other time" 1 $status
is "how often it did" '2 of 5' "$(replays)"
tr -s '\n ' ' ' < said | grep -q 'it failed 2 of 5 times\.' || { cat said; failed=1; }
suite '' 's e1000'
is "status of one that never fails again" 3 $status
is "how often it did" '0 of 5' "$(json r.json unconfirmed.0.failed_again) of $(json r.json unconfirmed.0.replays)"
suite 'nondeterminism = "stop"' 's e1000'
is "status when that is an error" 1 $status
is "its kind" nondeterminism "$(json r.json errors.0.kind)"

suite '' 's a s a s' 's a s'
is "status of a box that says no one time in twenty" 3 $status
[ "$(json r.json black_box.varied)" -gt 0 ] || { echo "nothing was noticed"; failed=1; }
is "both answers" "no yes" "$(for key in first again; do json r.json black_box.$key | sed 's/.*answered: //'; done | sort | tr '\n' ' ' | sed 's/ $//')"
exit $failed
