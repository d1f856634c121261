# A search of threads without errors, with no end in sight, is interrupted at many moments: nothing that was only supposed is reported.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
${CC:-cc} -g -o program "$project/bench/threads/philosophers.c" -pthread || exit 1
moments="0.1 0.13 0.17 0.2 0.23 0.28 0.31 0.37 0.4 0.45 0.5 0.55 0.61 0.7 0.8 0.9"
[ "$SAN" ] && moments="0.3 0.6 1 1.5 2"
for moment in $moments; do
    rm -f r.json
    timeout --foreground --preserve-status -k 300 -s INT $moment verisoft ./program --json r.json -- ordered 9 4 > out 2> err
    status=$?
    [ $status = 130 ] || { echo "after $moment seconds: status $status"; cat out err; failed=1; }
    [ -e r.json ] || continue                            # it had not begun
    is "errors after $moment seconds" 0 "$(json r.json errors.#)"
    is "unconfirmed after $moment seconds" 0 "$(json r.json unconfirmed.#)"
    is "result after $moment seconds" incomplete "$(json r.json result)"
done
is "scenarios" '*.path' "$(echo *.path)"
nothing_left "the interrupts"
exit $failed
