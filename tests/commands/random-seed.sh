# The same random_seed gives the same search, another one another. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/cases/philosophers.c
build program philosophers.c
walk() {                             # SEED SEARCH
    rm -f error1.path
    verisoft ./program --search $2 --random-seed $1 --json r.json --quiet -- 4
    echo "$(json r.json states) $(json r.json transitions) $(cat error1.path)"
}
for search in random dfs; do
    is "the second time, $search" "$(walk 5 $search)" "$(walk 5 $search)"
done
first=$(walk 1 random)
for seed in 2 3 4 5 6; do
    [ "$(walk $seed random)" != "$first" ] && different=1
done
is "some seed gives another walk" 1 "$different"
rm -f error1.path
verisoft ./program --search random --json r.json --quiet -- 4
is "without random_seed" "$first" "$(echo "$(json r.json states) $(json r.json transitions) $(cat error1.path)")"
exit $failed
