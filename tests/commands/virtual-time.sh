# Timers and waits with time limits go by one clock: which traces there are is found by brute force (virtual-time/virtual_time.py), and VeriSoft finds these and
# no others, whatever the reduction and the call that waits.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v python3 > /dev/null || { echo "python3 is not installed"; exit 77; }
traces() { python3 -B "$project/tests/commands/virtual-time/virtual_time.py" "$B/verisoft" "$project/tests/commands/virtual-time/clock.c" "$@" 2>&1; }
is "a sleep before the alarm" 1 "$(traces "A5 S1 O")"
is "in any order" 4 "$(traces --any "A5 S1 O")"
is "a sleep that is interrupted" 2 "$(traces "A1 S5 O")"
is "at the same time" 4 "$(traces "A2 S2 O")"
for reduction in none sleep source optimal; do
    export OPTIONS="--reduction $reduction"
    is "another thread sleeps, $reduction" 6 "$(traces "A2 S3 O" "S1")"
done
for reduction in none optimal; do
    export OPTIONS="--reduction $reduction"
    is "sleeps that add up, $reduction" 4 "$(traces "A2 S1 S2 O" "S4")"
    is "an alarm that is not switched off, $reduction" 12 "$(traces "A3 S1 S1" "S2")"
done
OPTIONS="--search stateful --reduction none"
is "states that are compared" 6 "$(traces "A2 S3 O" "S1")"
unset OPTIONS
is "a condition variable, before the alarm" 1 "$(traces "L A5 c1 O")"
is "after it" 3 "$(traces "L A1 c3 O" "S2")"
is "epoll, before the alarm" 2 "$(traces "A5 e1 O" "S2")"
is "another thread waits for a condition variable" 6 "$(traces "A2 S3 O" "L c1")"
for kind in u a m w d n v p s e q t; do
    is "a wait by another call, $kind" 6 "$(traces "A2 S3 O" "${kind}1")"
done

cat > rings.c <<'C'
#include <unistd.h>
int main(void) { alarm(1); sleep(5); return 0; }
C
gcc -g rings.c -o rings && verisoft ./rings > said 2>&1
is "it rings" 1 $?
grep -q '^shared: clock$' error1.path || { cat error1.path; failed=1; }
sh -c "$(sed -n 's/^  see it happen:  //p' said)" > replayed 2>&1
is "its replay" 1 $?
sed -i 's/alarm(1); sleep(5)/alarm(5); sleep(1); alarm(0)/' rings.c && gcc -g rings.c -o rings && verisoft ./rings --certificate rings.scc > said 2>&1
is "it does not, with a certificate" 0 $?
grep -q 'one clock with sleeps' said || { cat said; failed=1; }
verisoft certify ./rings rings.scc > said 2>&1
is "which is followed" 0 $?
exit ${failed:-0}
