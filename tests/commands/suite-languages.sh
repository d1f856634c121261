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
# A message comes as it was sent; a real call beside which an event stands waits as that operation does: the second in the queue is not let in.
cat > queue.sh <<'END'
vs send q 'a	tab and \'
vs check 'it came' test "$(vs receive q)" = 'a	tab and \'
vs look X; vs event s signal; vs event s wait 'for real'
vs event q send; vs event q send
END
cat > queue.py <<'END'
import verisoft as vs
vs.send("q", "a\ttab and \\")
vs.check(vs.receive("q") == "a\ttab and \\", "it came")
vs.look("X"); vs.event("s", "signal"); vs.event("s", "wait", "for real")
vs.event("q", "send"); vs.event("q", "send")
END
cat > queue.pl <<'END'
use VeriSoft qw(enqueue dequeue event look check);
enqueue('q', "a\ttab and \\");
check(dequeue('q') eq "a\ttab and \\", 'it came');
look('X'); event('s', 'signal'); event('s', 'wait', 'for real');
event('q', 'send'); event('q', 'send');
END
cat > queue.js <<'END'
const vs = require('verisoft');
vs.send('q', 'a\ttab and \\');
vs.check(vs.receive('q') === 'a\ttab and \\', 'it came');
vs.look('X'); vs.event('s', 'signal'); vs.event('s', 'wait', 'for real');
vs.event('q', 'send'); vs.event('q', 'send');
END
cat > queue.cc <<'END'
#include <verisoft-driver.h>
#include <string>
int main()
{
    char text[100];
    vs_print("C++"); vs_answer("so"); vs_assume(vs_toss(0) == 0); vs_step("X");
    vs_send("q", "a\ttab and \\");
    vs_check(vs_receive("q", text, sizeof text) == std::string("a\ttab and \\"));
    vs_look("X"); vs_event("s", "signal", ""); vs_event("s", "wait", "for real"); vs_signal("s"); vs_wait("s");
    vs_event("q", "send", ""); vs_event("q", "send", "");
}
END
queue() {                            # COMMAND
    rm -f *.path
    printf '[box]\ninterfaces = "X"\n[[queue]]\nname = "q"\n[[semaphore]]\nname = "s"\n[[driver]]\nname = "d"\nrun = "%s"\n' "$1" > suite.toml
    verisoft test suite.toml --json r.json --quiet
    is "status of a queue, $1" 1 $?
    is "it waits, $1" deadlock "$(json r.json errors.0.kind)"
    grep -q 'send_to_queue(q, "a.*tab and' error1.path || { cat error1.path; failed=1; }
    verisoft test suite.toml error1.path > said; is "replayed, $1" 1 $?
}
one() {                              # COMMAND ENDING
    command -v "$1" > /dev/null || { echo "$1 is not installed, and was not tried"; return; }
    rm -f *.path
    printf '[box]\ninterfaces = "X"\n[[driver]]\nname = "d"\nrun = "%s driver.%s"\n' "$1" "$2" > suite.toml
    verisoft test suite.toml --json r.json --quiet
    is "status of $1" 1 $?
    is "kind, $1" assertion "$(json r.json errors.0.kind)"
    is "location, $1" "driver.$2:4" "$(json r.json errors.0.location)"
    is "message, $1" 'VS_assert(n is not 2) is false in process 2 (d)' "$(json r.json errors.0.message)"
    grep -q 'VS_toss(2) = 2' error1.path || { cat error1.path; failed=1; }
    grep -q 'step(X)' error1.path || { cat error1.path; failed=1; }
    grep -q 'the box answered: a.tab' error1.path || { cat error1.path; failed=1; }
    queue "$1 queue.$2"
}
${CXX:-c++} -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$project/include" -o queue queue.cc || failed=1
queue ./queue
one sh sh
one python3 py
one perl pl
one node js
exit $failed
