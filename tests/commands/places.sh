# Where each step of a story is in the source: the same in the report, in its replay and in the simulator. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/commands/places.cc
command -v ${CXX:-c++} > /dev/null || { echo "${CXX:-c++} is not installed"; exit 77; }
${CXX:-c++} -g -o places places.cc -pthread || exit 1
places() { grep -o 'places.cc:[0-9]*' | grep -n . ; }
verisoft ./places --json r.json --quiet
is "exit status" 1 $?
sed 's/.*# *//' error1.path | places > saved
verisoft replay ./places error1.path | sed -n '/^ *[0-9][0-9]*  process/p' | places > replayed
echo trace | verisoft ./places -simul error1.path --terminal | sed -n '/^=> *0/,$p' | places > simulated
diff saved replayed || { echo "the scenario and its replay are in other places"; failed=1; }
diff saved simulated || { echo "the scenario and the simulator are in other places"; failed=1; }
[ -s saved ] || { echo "no places at all"; failed=1; }

# clang leaves out the table of addresses.
mkdir bare
must objcopy --remove-section .debug_aranges places bare/places
verisoft bare/places --output bare --quiet
sed 's/.*# *//' bare/error1.path | places > without
diff saved without || { echo "without .debug_aranges the places are others"; failed=1; }
exit $failed
