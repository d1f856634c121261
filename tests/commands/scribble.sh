# A program that writes into the memory by which VeriSoft talks to it harms nobody but itself: no crash of the controller, no hang.
# SEEDS says how many are tried. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring scribble.c
build linked scribble.c -pthread
for seed in $(seq "${FIRST:-1}" $((${FIRST:-1} + ${SEEDS:-40} - 1))); do
    for kind in "" threads; do
        timeout 1000 verisoft ./linked --max-depth 50 --divergence-limit 2 --stop-at-state 20000 --quiet -- $seed $kind > said 2>&1 < /dev/null
        status=$?
        [ $status -le 3 ] && continue
        echo "seed $seed $kind: status $status"
        tail -n 30 said
        failed=1
    done
done
exit $failed
