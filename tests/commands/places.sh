# Where each step of a story is in the source: the same in the report, in its replay and in the simulator. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/commands/places.cc
command -v c++ > /dev/null || { echo "c++ is not installed"; exit 77; }
c++ -g -o places places.cc -pthread || exit 1
places() { grep -o 'places.cc:[0-9]*' | grep -n . ; }
verisoft ./places --json r.json --quiet
is "exit status" 1 $?
sed 's/.*# *//' error1.path | places > saved
verisoft replay ./places error1.path | sed -n '/^ *[0-9][0-9]*  process/p' | places > replayed
echo trace | verisoft ./places -simul error1.path --terminal | sed -n '/^=> *0/,$p' | places > simulated
diff saved replayed || { echo "the scenario and its replay are in other places"; failed=1; }
diff saved simulated || { echo "the scenario and the simulator are in other places"; failed=1; }
[ -s saved ] || { echo "no places at all"; failed=1; }
exit $failed
