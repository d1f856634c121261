# A driver says the same in each language that has a binding, and its lines are known. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > driver.sh <<'END'
n=$(vs toss 2)
vs step X
vs answer "a	tab"
VS_AT=driver.sh:4 vs check 'n is not 2' test "$n" != 2
END
cat > driver.py <<'END'
import verisoft as vs
n = vs.toss(2)
vs.step("X"); vs.answer("a\ttab")
vs.check(n != 2, "n is not 2")
END
cat > driver.pl <<'END'
use VeriSoft qw(toss step answer check);
my $n = toss(2);
step('X'); answer("a\ttab");
check($n != 2, 'n is not 2');
END
cat > driver.js <<'END'
const vs = require('verisoft');
const n = vs.toss(2);
vs.step('X'); vs.answer('a\ttab');
vs.check(n !== 2, 'n is not 2');
END
one() {                              # COMMAND ENDING
    command -v "$1" > /dev/null || { echo "$1 is not installed, and was not tried"; return; }
    rm -f *.path
    printf '[box]\ninterfaces = "X"\n[[driver]]\nname = "d"\nrun = "%s driver.%s"\n' "$1" "$2" > suite.toml
    verisoft test suite.toml --json r.json --quiet
    is "status of $1" 1 $?
    is "kind, $1" assertion "$(json r.json errors.0.kind)"
    is "location, $1" "driver.$2:4" "$(json r.json errors.0.location)"
    is "message, $1" 'VS_assert(n is not 2) is false in process 2' "$(json r.json errors.0.message)"
    grep -q 'VS_toss(2) = 2' error1.path || { cat error1.path; failed=1; }
    grep -q 'step(X)' error1.path || { cat error1.path; failed=1; }
    grep -q 'the box answered: a.tab' error1.path || { cat error1.path; failed=1; }
}
one sh sh
one python3 py
one perl pl
one node js
exit $failed
