# Every statement of the annotated state machine has one fate, counted apart from the extractor: by place and as many. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_parser
wrong=0 statements=0 count=0
for f in "$project"/tests/models/*.c "$project"/examples/alternating-bit/repaired.harness "$project"/examples/models/abstract.harness "$project"/examples/switch/switch.harness \
    "$project"/examples/alternating-bit/sender.at "$project"/tests/commands/constructs.c; do
    count=$((count + 1))
    case $f in *tests/models*) [ $((count % ${EACH:-12})) = 0 ] || continue ;; esac
    for default in "" "--unmapped abstract"; do
        must verisoft extract "$f" $default --machine > machine 2> log
        verisoft extract "$f" $default --statements > fates 2> log || { cat log; wrong=1; }
        sed -n 's/^ *node [0-9]* [a-z]* "\([^"]*\)":\([0-9]*\):\([0-9]*\).*/\1:\2:\3/p' machine | sort > nodes
        sed -n 's/^\(.*:[0-9]*:[0-9]*\): \(control\|mapped\|carried over\|followed\|left out\|dead\): .*/\1/p' fates | sort > told
        diff nodes told || { echo "$f $default: statements on the left, their fates on the right"; wrong=1; }
        statements=$((statements + $(wc -l < nodes)))
    done
done
[ $statements -gt 1000 ] || { echo "only $statements statements"; wrong=1; }
exit $wrong
