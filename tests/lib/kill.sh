# For kill tests: what may not be left behind, whatever ended a run. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
folder=$PWD
objects() { cat /proc/sysvipc/sem /proc/sysvipc/msg /proc/sysvipc/shm 2> /dev/null | wc -l; }
objects_before=$(objects)

nothing_left() {                     # WHEN
    leftovers "$folder" "$TMPDIR" 5 > left.txt && return
    echo "after $1:"
    cat left.txt
    failed=1
}
no_objects_left() {
    at_most "lines about IPC objects" "$objects_before" "$(objects)"
}
next_run_works() {
    verisoft "$project/tests/commands/two.c" --quiet
    is "exit status of the next run" 1 $?
}
