# Objects have the names of the variables they are in, the same in the report, the scenario, its replay and the simulator.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
bring names.c
${CC:-gcc} -g -pthread -o names names.c || exit 1
names() { grep -o '[a-z_]*(.*)' | sed 's/  .*//' | grep -v unlock; }
verisoft ./names --quiet
verisoft replay ./names error1.path | sed -n 's/^ *[0-9]*  process [0-9] *//p' | names > replayed
sed -n 's/ *#.*//; s/^[0-9]  *//p' error1.path | names > saved
echo trace | verisoft ./names -simul error1.path --terminal | sed -n '/^=> *0/,$p' | names > simulated
diff saved replayed || { echo "the scenario and its replay have other names"; failed=1; }
diff saved simulated || { echo "the scenario and the simulator have other names"; failed=1; }
cat saved
exit $failed
