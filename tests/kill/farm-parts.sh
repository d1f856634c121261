# Server, workers, Slurm's daemons and browsers are killed at random moments while a farm works: after a restart no result is lost, none is invented, no run is
# shown as running that does not run, and nothing is left. KILLS says how many times. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
. "$project/tests/lib/slurm.sh"
needs_farm
command -v curl > /dev/null || { echo "curl is not installed"; exit 77; }
must cp "$project"/examples/alternating-bit/* .
verisoft farm lossy.harness --once --database whole.farm > whole 2>&1
[ $? = 1 ] || { cat whole; exit 1; }
verdicts() { sed -n 's/^\([^ ]*  *[a-z]*\) .*/\1/p' | sort; }
verdicts < whole > right

slurm=no cluster=
slurm_start > /dev/null && slurm=yes
number() { echo $(($(od -An -N4 -tu4 /dev/urandom) % $1)); }                     # below $1
pause() { sleep "$(awk -v n="$(number 2500)" 'BEGIN { print n / 1000 }')"; }
list() { verisoft farm lossy.harness list --json list.json > /dev/null && verisoft farm lossy.harness list | verdicts; }

# A page that asks as a browser does, and is gone in the middle of it.
browse() {
    curl -s -m 60 "${1}wait?seq=0" > /dev/null &
    reader=$!
    curl -s -m 60 -H 'Content-Type: application/json' -d '{"do": "start", "all": true}' "${1}do" > /dev/null
    curl -s -m 60 -H 'Content-Type: application/json' -d '{"do": "list"}' "${1}do" > /dev/null &
    kill -9 $! $reader 2> /dev/null
    wait $! $reader 2> /dev/null
}

serve() {                            # the farm's server, as $farm, at $address
    : > printed
    verisoft farm lossy.harness -j 3 --no-browser --port 0 $cluster > printed 2> err &
    farm=$!
    tries=0
    until grep -q '^Ctrl-C' printed; do
        kill -0 $farm 2> /dev/null && [ $tries -lt 1200 ] || { echo "the server did not come"; cat err; exit 1; }
        tries=$((tries + 1))
        sleep 0.05
    done
    address=$(sed -n 's/^VeriSoft farm: //p' printed)
}

kill_workers() {                     # not who takes care of the farm's folder
    for pid in $(pgrep -P $farm); do
        tr '\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null | grep -q ' farm .* run ' && kill -9 "$pid"
    done
    :
}
kill_daemon() {                      # one of Slurm's, which is started again
    [ $slurm = yes ] || return 0
    line=$((1 + $(number 3)))
    kill -9 "$(sed -n ${line}p slurm/pids)"
    if [ $line = 1 ]; then
        slurmctld -D > slurm/again.out 2>&1 < /dev/null &
    else
        slurmd -D -N n$((line - 1)) > slurm/again.out 2>&1 < /dev/null &
    fi
    sed -i "${line}s/.*/$!/" slurm/pids
}

# Slurm takes a node out of service when what it finds there is strange to it; who looks after a cluster puts it back.
resume() { [ $slurm = no ] || scontrol update nodename=n1,n2 state=resume > /dev/null 2>&1 || :; }

before=right.none i=0 kills=${KILLS:-6}
: > $before
while [ $i -lt "$kills" ]; do
    cluster=
    [ $slurm = yes ] && [ $((i % 2)) = 1 ] && cluster='--cluster slurm'
    resume
    serve
    browse "$address"
    pause
    case $((i % 4)) in 2) kill_workers; pause ;; 3) kill_daemon; pause ;; esac
    kill -9 $farm
    wait $farm 2> /dev/null
    list > now
    is "running after kill $i" 0 "$(json list.json counts.running)"
    grep ' verified$\| failed$' now > decided
    comm -23 $before decided | grep . && { echo "lost by kill $i"; failed=1; }
    comm -13 right decided | grep . && { echo "invented by kill $i"; failed=1; }
    cp decided before; before=before
    if [ "$(wc -l < decided)" = 4 ]; then    # all over again
        rm -f lossy.farm*
        : > before
    fi
    [ $failed = 0 ] || exit 1
    i=$((i + 1))
done
# The next one finishes the work, and takes away what was left in Slurm's queue and in folders.
[ $slurm = yes ] && cluster='--cluster slurm' || cluster=
verisoft farm lossy.harness --once $cluster > last 2>&1 &
farm=$!
while kill -0 $farm 2> /dev/null; do
    resume
    sleep 1
done
wait $farm
is "status at last" 1 $?
verdicts < last | diff right - || failed=1
if [ $slurm = yes ]; then
    no_jobs "by the farm"
    slurm_stop
fi
nothing_left "the end"
no_objects_left
exit $failed
