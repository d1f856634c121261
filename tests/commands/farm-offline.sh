# What the farm runs has no network, where the system lets us say so; where it does not, the farm says that. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_farm
must cp "$project"/examples/alternating-bit/* .
UNSHARE=272
note='the system refuses namespaces without a network'

verisoft farm perfect.harness show delivered --json show.json
mkdir made
verisoft farm perfect.harness run delivered 0 "$(json show.json content)" "$PWD/made" "$PWD/result.json" "$PWD/live" 1024 0 1 > said 2>&1 &
run=$!
apart=no
while kill -0 $run 2> /dev/null; do
    theirs=$(readlink /proc/$run/ns/net 2> /dev/null)
    [ -z "$theirs" ] || [ "$theirs" = "$(readlink /proc/$$/ns/net)" ] || apart=yes
    sleep 0.02
done
wait $run
is "a run" 0 $?
verisoft farm perfect.harness --once > out 2> err
is "the farm" 0 $?
grep -q "$note" err && can=no || can=yes
is "a network of its own, as the farm says" $can $apart

refused $UNSHARE true
[ $? = 77 ] && exit $failed          # system calls cannot be refused here
refused $UNSHARE verisoft farm perfect.harness --once --database refused.farm > out 2> err
is "where it is refused" 0 $?
grep -q "$note" err || { echo "not a word of that:"; cat err; failed=1; }
exit $failed
