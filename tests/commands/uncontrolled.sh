# What is not controlled is a limit of ours: it cuts a path, the search goes on, and each is told once. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring uncontrolled.c
must ${CC:-gcc} -g -o fine uncontrolled.c -pthread
must ${CC:-gcc} -g -DWRONG -o wrong uncontrolled.c -pthread
verisoft ./fine --json fine.json > text
is "exit status" 3 $?
is "result" incomplete "$(json fine.json result)"
is "errors" 0 "$(json fine.json errors.#)"
is "functions" "inotify_init1 signalfd" "$( (json fine.json unsupported.0.function; json fine.json unsupported.1.function) | sort | xargs)"
is "others" 2 "$(json fine.json unsupported.#)"
for i in 0 1; do
    [ "$(json fine.json unsupported.$i.paths)" -gt 0 ] || is "paths" "some" "$(json fine.json unsupported.$i.paths)"
    path=$(json fine.json unsupported.$i.scenario)
    verisoft replay ./fine $path > replayed
    is "replay of $path" 3 $?
    grep -q "$(json fine.json unsupported.$i.function)" replayed || is "what $path shows" "$(json fine.json unsupported.$i.function)" "$(tail -n 5 replayed)"
done
grep -q VERIFY text && is "advice for an executable" "no word of VERIFY" "$(grep VERIFY text)"

verisoft ./wrong --stop-at-error 0 --json wrong.json --quiet
is "exit status with an error" 1 $?
is "errors" assertion "$(json wrong.json errors.0.kind)"
is "with limits beside them" 2 "$(json wrong.json unsupported.#)"
for reduction in none sleep source; do
    verisoft ./wrong --reduction $reduction --json wrong.json --quiet
    is "exit status with $reduction" 1 $?
    is "error with $reduction" assertion "$(json wrong.json errors.0.kind)"
done

verisoft uncontrolled.c -pthread > text
is "exit status of the source" 3 $?
grep -q VERIFY text || is "advice for sources" VERIFY "$(cat text)"
exit $failed
