# stop_at_error N finds N errors, each in a file of its own that replays. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/cases/several-errors.c
build program several-errors.c
for n in 1 2 3 4 0; do
    rm -f *.path
    verisoft ./program --stop-at-error $n --json r.json --quiet
    is "exit status" 1 $?
    all=$n
    [ $n = 0 ] && all=4
    is "errors with stop_at_error $n" $all "$(json r.json errors.#)"
    is "scenarios" $all "$(ls | grep -c 'error[0-9]*.path')"
    for path in error*.path; do
        verisoft replay ./program $path > /dev/null
        is "replay of $path" 1 $?
    done
    [ $n != 0 ] && is "stopped by" stop_at_error "$(json r.json stopped_by)"
done
exit $failed
