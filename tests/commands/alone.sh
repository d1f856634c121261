# Without the controller a program is an ordinary one, on real semaphores and queues. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
ipcs > before 2> /dev/null || { echo "there is no ipcs"; exit 77; }
remove_new() {                       # what programs made and did not remove
    for kind in s q m; do
        ipcs -$kind | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort > now.$kind
        comm -13 before.$kind now.$kind | while read -r id; do ipcrm -$kind "$id"; done
    done
}
for kind in s q m; do ipcs -$kind | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort > before.$kind; done

alone() {                            # SOURCE FLAGS...: must end by itself with status 0
    source=$1
    shift
    must ${CC:-gcc} -g -w -std=gnu11 -I"$project/include" -o program "$project/$source" "$B/verisoft-rt.o" "$@"
    timeout -k 2 300 ./program > out 2>&1 < /dev/null
    status=$?
    is "exit status of $source" 0 $status
    [ $status = 0 ] || cat out
    remove_new
}
for source in examples/alternating-bit.c examples/leader-election.c examples/producers-consumers.c \
    examples/readers-writers.c examples/sleeping-barber.c examples/elevator.c \
    tests/cases/messages.c tests/cases/queue-questions.c tests/cases/short-forms.c tests/cases/exit-status.c \
    tests/cases/silent.c; do
    [ -e "$project/$source" ] && alone $source
done
alone tests/commands/fine.c

# A failed assertion and a failed VS_abort outside VeriSoft.
must ${CC:-gcc} -w -I"$project/include" -o program "$project/tests/cases/assertion-child.c" "$B/verisoft-rt.o"
timeout 20 ./program > out 2>&1
remove_new
must ${CC:-gcc} -w -I"$project/include" -o program "$project/tests/commands/two.c" "$B/verisoft-rt.o"
timeout 20 ./program > out 2>&1
grep -q 'received [01]' out || { echo "two.c alone printed: $(cat out)"; failed=1; }
remove_new
ipcs -s -q -m > after.txt
for kind in s q m; do
    ipcs -$kind | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort > now.$kind
    is "objects left" "" "$(comm -13 before.$kind now.$kind)"
done
exit $failed
