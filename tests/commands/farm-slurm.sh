# The farm on a real Slurm, two nodes on this machine: the same verdicts; a job that is taken away is queued again; what a farm that was killed has left in
# Slurm's queue is cancelled by the next. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
. "$project/tests/lib/slurm.sh"
needs_farm
command -v curl > /dev/null || { echo "curl is not installed"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
slurm_start || exit 77

verdicts() { grep -v '^$' | sed 's/^\([^ ]* *[a-z]*\).*/\1/'; }
verisoft farm lossy.harness --once -j 1 --database here.farm > one 2>&1
is "here" 1 $?
verisoft farm lossy.harness --once -j 4 --cluster slurm --database cluster.farm > many 2>&1 &
farm=$!
tries=0                              # one of its jobs is taken away while it runs
until job=$(squeue -h -t RUNNING -o %i | head -n 1) && [ "$job" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "no job has come"; cat many; break; }
    sleep 0.05
done
scancel "$job"
wait $farm
is "on the cluster" 1 $?
verdicts < one > a
verdicts < many > b
diff a b || failed=1
verisoft farm lossy.harness queue --database cluster.farm --json queue.json
grep -q '"machine": "n[12]"' queue.json || { echo "no node is named"; failed=1; }
grep -q '"tries": [23]' queue.json || { echo "no job was tried again"; cat queue.json; failed=1; }
no_jobs "by the farm"

# Killed while its jobs are with Slurm; the next one finds them, and finishes the work.
verisoft farm lossy.harness --once -j 4 --cluster slurm --database killed.farm > killed 2>&1 &
farm=$!
until [ "$(squeue -h)" ]; do sleep 0.05; done
kill -KILL $farm
wait $farm
verisoft farm lossy.harness list --database killed.farm > list
grep -q ' 0 running' list || { echo "shown as running:"; cat list; failed=1; }
verisoft farm lossy.harness --once -j 4 --cluster slurm --database killed.farm > many 2>&1
is "after the kill" 1 $?
verdicts < many > b
diff a b || failed=1
no_jobs "after the kill"

# Slurm's controller does not answer: the page does, and what is aborted meanwhile is cancelled when it is back.
verisoft farm lossy.harness -j 4 --no-browser --port 0 --cluster slurm --database away.farm > printed 2> err &
farm=$!
until grep -q '^Ctrl-C' printed; do kill -0 $farm || { cat err; exit 1; }; sleep 0.05; done
asks() { curl -s -m "$1" -H 'Content-Type: application/json' -d "$2" "$(sed -n 's/^VeriSoft farm: //p' printed)do" > reply || { echo "no answer in $1 seconds: $2"; failed=1; }; }
asks 60 '{"do": "start", "all": true}'
until [ "$(squeue -h)" ]; do sleep 0.05; done
controller=$(head -n 1 slurm/pids)
kill -STOP "$controller"
sleep 1.5
for what in '{"do": "list"}' '{"do": "abort", "all": true}' '{"do": "list"}'; do asks 8 "$what"; done
is "running after the abort" 0 "$(json reply value.counts.running)"
kill -CONT "$controller"
no_jobs "by what was aborted"
kill $farm
wait $farm

# The parts of a certificate, too, where states of two starts can be compared.
if setarch "$(uname -m)" -R true 2> /dev/null; then
must cp "$project/examples/philosophers.c" .
verisoft philosophers.c --certificate p.scc --ignore-deadlock 1 --quiet --json search.json -- 4
verisoft certify philosophers.c p.scc --tasks 6 --jobs 2 --json here.json --ignore-deadlock 1 --quiet -- 4
is "certified here" 0 $?
verisoft certify philosophers.c p.scc --tasks 6 --jobs 4 --cluster slurm --json there.json --ignore-deadlock 1 --quiet -- 4
is "certified on the cluster" 0 $?
for key in result states transitions parts; do is "$key" "$(json here.json $key)" "$(json there.json $key)"; done
no_jobs "by certify"
# What is begun together is one job array.
scontrol -o show job | grep 'JobName=verisoft-certify' | sed 's/.*ArrayJobId=\([0-9]*\) .*/\1/' > arrays
is "parts in arrays" 6 "$(grep -c '^[0-9]*$' arrays)"
[ "$(sort -u arrays | wc -l)" -le 3 ] || { echo "each part is a job by itself"; cat arrays; failed=1; }
fi

# No Slurm: said, with what to do.
slurm_stop
: > empty
SLURM_CONF=$PWD/empty verisoft farm lossy.harness --once --cluster slurm --database none.farm > said 2>&1
is "without Slurm" 2 $?
grep -q 'Slurm does not answer' said || { cat said; failed=1; }
verisoft farm lossy.harness --once --cluster cloud > said 2>&1
is "another cluster" 2 $?
nothing_left "the end"
exit $failed
