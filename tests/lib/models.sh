# The programs of tests/models, each with its verdict in its first line (none, deadlock, assertion): the extracted model has it, and so has
# the search of the program itself. What ends a program by a fault or a misuse counts as an assertion; that
# something races is another error, and not looked for; where the first line says that it must be seen, the program is compiled so. $1: of how many groups, $2: which.
# SPDX-License-Identifier: MIT
wrong=0 count=0
for f in "$project"/tests/models/*.c; do
    count=$((count + 1))
    [ $((count % $1)) = "$2" ] || continue
    name=$(basename "$f" .c)
    expected=$(sed -n '1s/.*expect: \([a-z]*\).*/\1/p' "$f")
    verisoft verify "$f" deadlock assertions --exhaustive --no-trial --form none > "$name.model" 2>&1
    status=$?
    model=$(awk '$2 == "failed" { print $1 == "deadlock" ? "deadlock" : "assertion" }' "$name.model" | sort -u | tr '\n' ' ')
    seen=0
    sed -n 1p "$f" | grep -q 'seen to race' && seen=1
    verisoft check "$f" -pthread --instrument $seen --output "$name.d" --json "$name.json" > "$name.check" 2>&1
    checked=$?
    program=$(grep -o '"kind": *"[a-z]*"' "$name.json" | sed -e 's/.*: *"//' -e 's/"//' -e 's/crash/assertion/' -e 's/structure/assertion/' | grep -v '^race$' | sort -u | tr '\n' ' ')
    case $expected in none) code=0 kind= ;; *) code=1 kind="$expected " ;; esac
    [ "$status $model" = "$code $kind" ] || { cat "$name.model"; echo "$name: the model says '$model' with status $status, not $expected"; wrong=1; }
    [ "$checked $program" = "$code $kind" ] || { cat "$name.check"; echo "$name: the program says '$program' with status $checked, not $expected"; wrong=1; }
done
[ $count -ge 60 ] || { echo "only $count programs"; wrong=1; }
exit $wrong
