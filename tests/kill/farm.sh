# The farm is killed at many moments: no result that was there is lost, none is invented, nothing is shown as running that does not run, and no process and
# no folder is left. KILLS says how many times. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
needs_farm
must cp "$project"/examples/alternating-bit/* .
verisoft farm lossy.harness --once --database whole.farm > whole 2>&1
[ $? = 1 ] || { cat whole; exit 1; }

decided() { verisoft farm lossy.harness list --json list.json && echo $(($(json list.json counts.verified) + $(json list.json counts.failed))); }
before=0 kills=${KILLS:-6} i=0
while [ $i -lt "$kills" ]; do
    moment=$(awk -v i=$i -v of="$kills" 'BEGIN { srand(i * 7919 + 1); printf "%.3f", rand() * (2 + 6 * i / of) }')
    timeout --foreground --preserve-status -k 300 -s KILL "$moment" verisoft farm lossy.harness --once -j 3 > out 2> err
    status=$?
    case $status in 137|1) ;; *) echo "after $moment seconds: status $status"; cat err; failed=1 ;; esac
    nothing_left "a kill after $moment seconds"
    now=$(decided)
    [ "$now" -ge "$before" ] || { echo "after $moment seconds: $now verdicts, $before before"; failed=1; }
    is "running after $moment seconds" 0 "$(json list.json counts.running)"
    before=$now
    [ "$now" = 4 ] && verisoft farm lossy.harness delete deadlock goes-on goes-on goes-on goes-on goes-on > out && before=2
    i=$((i + 1))
done
verisoft farm lossy.harness --once > last 2>&1
is "status at last" 1 $?
for file in whole last; do sed 's/^\([^ ]* *[a-z]*\).*/\1/' $file > $file.verdicts; done
diff whole.verdicts last.verdicts || failed=1
no_objects_left
exit $failed
