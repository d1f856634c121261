# doc/models.md is what happens: its commands say what it shows, line by line (... stands for any), and its excerpts are in the examples.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin
must cp "$project"/examples/alternating-bit/* "$project"/examples/models/* .
page=$project/doc/models.md

# Blocks of the page, a file each: block.1, ...
awk '/^    / { if (!inside) { n++; inside = 1 } for (; blank; blank--) print "" > ("block." n); print substr($0, 5) > ("block." n); next }
     /^$/ && inside { blank++; next } { inside = 0; blank = 0 }' "$page"

# Does what was printed have these lines, in this order, with nothing between them but where ... stands?
shows() {                            # EXPECTED PRINTED
    awk 'NR == FNR { wanted[++count] = $0; next } { got[++lines] = $0 }
         END { at = 1
               for (i = 1; i <= count; i++) {
                   if (wanted[i] == "...") { any = 1; continue }
                   while (any && at <= lines && got[at] != wanted[i]) at++
                   any = 0
                   if (got[at++] != wanted[i]) { print "not there: " wanted[i]; exit 1 }
               } }' "$1" "$2"
}

cat ./*.harness map | tr -s ' ' | sed 's/^ //' > examples
commands=0 excerpts=0
for block in block.*; do
    awk -v name="$block" '/^\$ / { n++; print substr($0, 3) > (name "-" n ".command"); printf "" > (name "-" n ".expected"); next }
                          { print > (name "-" n + 0 ".expected") }' "$block"
    [ -e "$block-0.expected" ] && while read -r words; do
        [ "$words" ] || continue
        grep -qxF -e "$(echo "$words" | tr -s ' ')" examples || { echo "no example has: $words"; failed=1; }
        excerpts=$((excerpts + 1))
    done < "$block-0.expected"
    for command in "$block"-*.command; do
        [ -e "$command" ] || continue
        rm -f error1.path
        sh "$command" > printed 2>&1
        sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' "${command%.command}.expected"
        shows "${command%.command}.expected" printed || { echo "of: $(cat "$command")"; failed=1; }
        commands=$((commands + 1))
    done
done
is "commands of the page" 7 $commands
is "lines of excerpts" 10 $excerpts
exit $failed
