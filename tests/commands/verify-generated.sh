# Event machines that are made up: the model reaches the same states with the same events as a brute-force run of the source, and has
# the same unspecified receptions. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
done=0 seed=${SEED:-27}
while [ $done -lt "${MACHINES:-3}" ]; do
    must machines $seed .
    if verisoft at m.at -o m.c 2> log; then
        must ${CC:-gcc} -Wall -Werror -Wno-unused-variable -Wno-unused-but-set-variable -c m.c
        verisoft verify m.harness --form none > out 2> log
        [ $? -le 1 ] || { cat out log; echo "seed $seed: verify failed"; exit 1; }
        awk '$2 == "verified" || $2 == "failed" { print $1, $2 } /: in state / { sub(/^ */, ""); print }' out | sort > actual
        sort expected | diff - actual || { echo "seed $seed: the model and the brute force differ; m.at is in $PWD"; exit 1; }
        done=$((done + 1))
    fi
    seed=$((seed + 1))
done
echo "$done machines, of $((seed - ${SEED:-27})) that were made up"
