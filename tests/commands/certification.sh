# The nine programs of examples/certification, small: no error, also with sleep sets, which enter as many states; a certificate, which is
# followed; and the error that -DWRONG puts in. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cp "$project"/examples/certification/* .

states() { json "$1" states; }

while read -r name wrong arguments; do
    [ "$wrong" = same ] && wrong=$arguments
    wrong=$(echo "$wrong" | tr , ' ')
    verisoft $name.c --config $name.VS --certificate $name.scc --json all.json --quiet -- $arguments
    is "$name: status" 0 $?
    verisoft $name.c --config $name.VS --search stateful --instrument 0 --reduction sleep --json sleep.json --quiet -- $arguments
    is "$name: status with sleep sets" 0 $?
    is "$name: states with sleep sets" "$(states all.json)" "$(states sleep.json)"
    verisoft certify $name.c $name.scc --json certified.json --quiet -- $arguments
    is "$name: status of certify" 0 $?
    is "$name: states of certify" "$(states all.json)" "$(states certified.json)"
    verisoft $name.c -DWRONG --config $name.VS --search stateful --json wrong.json --quiet -- $wrong
    is "$name: status with WRONG" 1 $?
    echo "$name, with WRONG: $(json wrong.json errors.0.kind)"
    verisoft certify $name.c -DWRONG $name.scc --quiet -- $arguments
    is "$name: status of certify with WRONG" 1 $?
done << 'END'
philosophers       same    3
bounded-buffer     same    1 1 2
ksu-pipeline       same    1 1
nested-monitor     same    1 1 1
pipeline           same    2
readers-writers    same    1 1
replicated-workers same    2 1
sleeping-barber    same    1 2 1
elevator           2,2,2   1 2 1
END
exit $failed
