# The farm from the command line: verdicts are kept and known again, properties go out and come in, conflicts are shown.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_farm
must cp "$project"/examples/alternating-bit/* .

run verisoft farm lossy.harness list
run verisoft farm lossy.harness --once -j 1 --junit junit.xml --sarif sarif.json --json list.json
grep -c '<testcase' junit.xml
grep -o '<failure message="[^"]*"' junit.xml
json list.json properties.3.identifier
json sarif.json runs.0.results.0.ruleId
run verisoft farm lossy.harness show goes-on --json show.json
json show.json runs.1.state
json show.json runs.0.why
json show.json automaton.states.0.name
run verisoft farm lossy.harness --once
line 'verisoft farm lossy.harness queue --json - | json /dev/stdin open.#'

# The next shortest counter-example, and back to pending.
run verisoft farm lossy.harness delete goes-on
find_in goes-on verisoft farm lossy.harness list
run verisoft farm lossy.harness start goes-on
for i in 1 2 3 4 5 6; do verisoft farm lossy.harness delete goes-on deadlock > said; done
run verisoft farm lossy.harness list --state pending
run verisoft farm lossy.harness start deadlock
run verisoft farm lossy.harness queue
run verisoft farm lossy.harness abort --all
run verisoft farm lossy.harness queue

# Out, and in again.
cp lossy.harness before
run verisoft farm lossy.harness export properties
run verisoft farm lossy.harness import properties
cmp before lossy.harness
sed 's/never waits/always goes on and never waits/' properties > changed
run verisoft farm lossy.harness import changed
cmp before lossy.harness
run verisoft farm lossy.harness import changed --take theirs
diff before lossy.harness
sed 's/<>works/<>nonsense/' properties > wrong
run verisoft farm lossy.harness import wrong --take theirs
sed 's/sender.event != -1/sender.event == == -1/' properties > refused
run verisoft farm lossy.harness import refused --take theirs
sed 's/goes-on/goes-on-too/; s/^end/end/' properties > new
cp lossy.harness without
run verisoft farm lossy.harness put goes-on-too new
find_in goes-on verisoft farm lossy.harness list
run verisoft farm lossy.harness remove goes-on-too
diff -B without lossy.harness
run verisoft farm lossy.harness remove deadlock

# What is left out is mapped.
cp map map.before
sed -i '/^getnew_data/d' map
run verisoft farm lossy.harness model
cp map map.without
run verisoft farm lossy.harness map 'getnew_data()' 'no Promela {'
cmp map map.without
run verisoft farm lossy.harness map 'getnew_data()' skip
run verisoft farm lossy.harness model
tail -n 1 map
cp map.before map

# The code changes: everything is pending again; what it was before costs nothing.
cp sender.at before.at
sed -i 's/if (s == seqno)/if (s != seqno)/' sender.at
find_in pending, verisoft farm lossy.harness list
cp before.at sender.at
find_in pending, verisoft farm lossy.harness list

# From elsewhere it is the same farm, and files are where they are named.
mkdir elsewhere
(cd elsewhere && find_in pending, verisoft farm ../lossy.harness list --json list.json; run json list.json counts.pending; run verisoft farm ../lossy.harness export out; ls)

# What is wrong.
run verisoft farm
run verisoft farm none.harness list
run verisoft farm lossy.harness lits
run verisoft farm lossy.harness start
run verisoft farm lossy.harness start goes
run verisoft farm lossy.harness show goes-on --form drawing
run verisoft farm lossy.harness --jump
run verisoft farm lossy.harness list extra
echo 'not a database, whatever it is called' > lossy.farm
run verisoft farm lossy.harness list
