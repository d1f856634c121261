# save_state_space writes sss.VS, and max_sss bounds it. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/cases/philosophers.c fine.c
build phil philosophers.c
build fine fine.c
verisoft ./fine --save-state-space 1 --search stateful --quiet
is "exit status" 0 $?
echo 'verisoft-sss 1
program: ./fine
search: stateful
reduction: none
processes: 2
0 1 2 semsignal(0, 0, 1)
1 2 1 semwait(0, 0, 1)
state 2: end
end: complete' > expected
diff expected sss.VS || failed=1
rm sss.VS
for search in "stateful" "bfs" "dfs --reduction none" "dfs" "iterative"; do
    verisoft ./phil --save-state-space --search $search --stop-at-error 0 --json r.json --quiet -- 3
    is "transitions in sss.VS of $search" "$(json r.json transitions)" "$(grep -c '^[0-9]* [0-9]* [123] sem' sss.VS)"
    is "end of $search" "end: complete" "$(tail -n 1 sss.VS)"
    grep -q '^state [0-9]*: deadlock' sss.VS || { echo "sss.VS of $search has no deadlock"; failed=1; }
done
states=$(grep '^[0-9]* [0-9]* [123] sem' sss.VS | wc -l)
verisoft ./phil --save-state-space 1 --search stateful --stop-at-error 0 --json r.json --quiet -- 4
is "states in sss.VS" "$(json r.json states)" \
    "$(awk '/^[0-9]+ [0-9]+ / { print $1; print $2 }' sss.VS | sort -u | wc -l)"
verisoft ./phil --save-state-space 1 --max-sss 1 --search dfs --reduction none --stop-at-error 0 --output out --quiet -- 4
at_most "bytes of sss.VS" 1048576 "$(wc -c < out/sss.VS)"
case $(tail -n 1 out/sss.VS) in
"end: cut short by max_sss, "*) ;;
*) echo "sss.VS does not say that it was cut: $(tail -n 1 out/sss.VS)"; failed=1 ;;
esac
bring examples/transfer.c
for reduction in optimal sleep; do
    verisoft transfer.c --save-state-space 1 --reduction $reduction --output threads --quiet
    grep -q '^state [0-9]*: deadlock' threads/sss.VS || { echo "sss.VS of threads, $reduction, has no deadlock"; failed=1; }
done
verisoft ./phil --save-state-space 0 --output empty --quiet -- 2
[ -e empty/sss.VS ] && { echo "sss.VS was written"; failed=1; }
exit $failed
