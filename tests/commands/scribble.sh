# A program that writes into the memory by which VeriSoft talks to it harms nobody but itself: no crash of the controller, no hang, and
# words in any case. SEEDS says how many are tried, of each kind. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring scribble.c
build linked scribble.c -pthread
for seed in $(seq "${FIRST:-1}" $((${FIRST:-1} + ${SEEDS:-4} - 1))); do
    for how in bytes fields forge beside; do
        for kind in "" threads; do
            timeout -k 30 600 verisoft ./linked --max-depth 50 --divergence-limit 2 --stop-at-state 3000 --stop-at-error 0 --output found \
                -- $seed $how $kind > said 2>&1 < /dev/null
            status=$?
            rm -rf found
            [ $status -le 3 ] && grep -q '[a-z]' said && ! grep -q '^verisoft: *$' said && continue
            echo "seed $seed $how $kind: status $status"
            tail -n 30 said
            failed=1
        done
    done
done
exit $failed
