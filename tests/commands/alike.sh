# Errors that are alike are one, with a count and the shortest scenario; no run writes over another's. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring alike.c
must ${CC:-gcc} -g -o program alike.c -pthread
verisoft ./program --stop-at-error 0 --json all.json > text
is "exit status" 1 $?
is "errors" 2 "$(json all.json errors.#)"
is "scenarios" "error1.path error2.path" "$(echo *.path)"
sum=$(($(json all.json errors.0.count) + $(json all.json errors.1.count)))
is "every execution ends in one of them" "$(json all.json executions)" $sum
at_most "lines of the report" 120 "$(wc -l < text)"
verisoft replay ./program error1.path > /dev/null
is "replay" 1 $?

# The shortest of many: no longer than the first one that is met.
mkdir first && verisoft ./program --json one.json --quiet --output first
for e in 0 1; do
    [ "$(json all.json errors.$e.location)$(json all.json errors.$e.message)" = "$(json one.json errors.0.location)$(json one.json errors.0.message)" ] &&
        at_most "depth" "$(json one.json errors.0.depth)" "$(json all.json errors.$e.depth)"
done

# The same error again has the same file; another program's error has another name, and both replay.
verisoft ./program --stop-at-error 0 --quiet
is "scenarios after a second run" "error1.path error2.path" "$(echo *.path)"
bring two.c
verisoft two.c --json two.json --quiet
is "the other program's scenario" error3.path "$(json two.json errors.0.scenario)"
verisoft replay two.c error3.path > /dev/null
is "its replay" 1 $?
verisoft replay ./program error1.path > /dev/null
is "replay of the first" 1 $?
exit $failed
