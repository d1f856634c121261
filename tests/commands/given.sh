# Functions of the C library that read or write a variable which they are given: a data race is seen, and both of what another thread can see there (races/given.c).
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
must cp "$project/tests/commands/races/given.c" .
for saw in 1 2; do must verisoft cc -O0 -w -pthread -DSAW=$saw given.c -o given$saw; done
look() {                             # SAW NUMBER...
    saw=$1
    shift
    for which; do
        verisoft ./given$saw --stop-at-error 0 --output out --json r.json --quiet -- $which
        echo "$which: $? $(json r.json result), race $(json r.json errors | grep -c '"race"'), assertion $(json r.json errors | grep -c '"assertion"'), $(json r.json whole_access)"
    done
}
for saw in 1 2; do look $saw 1 2 3 4 5 6 7 8 9 10 11 12 13 14; done
look 1 20 21 22 23 24

# Many more, but only whether the race is seen (races/told.c): some of them, or all with EVERY=1.
must cp "$project/tests/commands/races/told.c" .
must verisoft cc -O0 -w -pthread told.c -o told
must ./told > all
awk -v every="${EVERY:-6}" 'NR % every == 0' all > some
while read -r which name; do
    verisoft ./told --races stop --output out --json r.json --quiet -- "$which" < /dev/null
    json r.json errors | grep -q '"race"' || echo "$name: not seen"
done < some
[ -s some ] && echo "$(wc -l < all) calls"
