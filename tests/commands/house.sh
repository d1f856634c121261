# What a house drifts away from, unless somebody looks: who includes whom, which files ARCHITECTURE.md knows, that a struct has
# its name alone, that a type knows itself, who asks for the runtime's mode, that a word means one thing, how much a search sees, how long a file is, and that invariants are asserted. Each rule is read from where it stands for people. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
work=$PWD
cd "${HOUSE:-$project}" || exit 1
wrong() { echo "$1"; failed=1; }

# The tables of ARCHITECTURE.md, with {a,b}.c written out: a word in backquotes a line.
words() { grep -o '`[^`]*`' | tr -d '`' | awk '
    match($0, /\{[^}]*\}/) {
        count = split(substr($0, RSTART + 1, RLENGTH - 2), part, ",")
        for (i = 1; i <= count; i++) print substr($0, 1, RSTART - 1) part[i] substr($0, RSTART + RLENGTH)
        next
    }
    { print }'; }

# ---- who includes whom ----

# A line for each folder, as `folder allowed...`: a folder, or a file of one. Behind a folder, files in parentheses are all that is
# allowed of it.
allowed() {
    sed -n '/^## Who includes whom/,/^## /p' ARCHITECTURE.md | grep '^| `' | while IFS='|' read -r _ folder list _; do
        printf '%s' "$(echo "$folder" | words | tr -d /)"
        echo "$list" | awk '{
            while (match($0, /`[^`]*`( \([^)]*\))?/)) {
                one = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
                folder = one; sub(/^`/, "", folder); sub(/`.*/, "", folder); sub(/\/$/, "", folder)
                if (one !~ /\(/) { printf " %s", folder; continue }
                sub(/^[^(]*/, "", one)
                while (match(one, /`[^`]*\.h`/)) {
                    printf " %s/%s", folder, substr(one, RSTART + 1, RLENGTH - 2); one = substr(one, RSTART + RLENGTH)
                }
            }
            print ""
        }'
    done
}
allowed > "$work/allowed"

for folder in src/* runtime simulator extractor certifier suite farm web tasks; do
    [ -d "$folder" ] || continue
    name=${folder#src/}
    grep -q "^$name\( \|\$\)" "$work/allowed" || { wrong "$name is not in the table of who includes whom in ARCHITECTURE.md"; continue; }
    grep -o '#include "[^"]*"' "$folder"/*.[ch] 2> /dev/null | sed 's/:#include "/ /; s/"$//' | sort -u | awk -v name="$name" '
        FILENAME != "-" { if ($1 == name) for (i = 2; i <= NF; i++) may[$i] = 1; next }
        { from = $2; sub(/\/.*/, "", from) }
        $2 ~ /^\.\.\/include\// || $2 !~ /\// || from == name || may[from] || may[$2] { next }      # of include/, or beside it
        { print $1 " includes " $2 ": ARCHITECTURE.md does not say that " name " may" }' "$work/allowed" - > "$work/found"
    [ -s "$work/found" ] && { cat "$work/found"; failed=1; }
done

# ---- files that nobody is told of ----

words < ARCHITECTURE.md | sed 's|.*/||' | sort -u > "$work/known"
ls src/*/*.c runtime/*.c simulator/*.c extractor/*.c certifier/*.c suite/*.c farm/*.c web/*.c 2> /dev/null | awk '
    FILENAME != "-" { known[$0] = 1; next }
    { base = $0; sub(/.*\//, "", base); plain = base; sub(/\.c$/, "", plain) }
    !known[plain] && ($0 ~ /^src\/base\// || !known[base]) { print $0 " is not in ARCHITECTURE.md" }' "$work/known" - > "$work/found"
[ -s "$work/found" ] && { cat "$work/found"; failed=1; }

# ---- structs with one name ----

# What stands in a header is nowhere else; what only one file knows may be called as it likes there. The extractor shares no header
# with the rest but those of base and report.
twice() {                            # FILE...
    grep -n '^struct [a-z_]* {' "$@" /dev/null | sed 's/:[0-9]*:struct / /; s/ {.*//' | awk '
        { files[$2] = files[$2] " " $1; count[$2]++; if ($1 ~ /\.h$/) told[$2] = 1 }
        END { for (tag in told) if (count[tag] > 1) print "struct " tag " is defined twice:" files[tag] }' | sort
}
{ twice src/*/*.[ch] simulator/*.[ch] certifier/*.[ch] suite/*.[ch] farm/*.[ch] web/*.[ch] include/*.h; twice extractor/*.[ch]; } > "$work/twice"
[ -s "$work/twice" ] && { cat "$work/twice"; failed=1; }

# ---- types that know themselves ----

# Outside of objects/ nobody asks which type it is: the type says what is wanted to know (object.h). Processes are no objects; wire.h asks
# for them. To make an operation of one is not to ask.
others=$(ls src/*/*.[ch] simulator/*.[ch] certifier/*.[ch] | grep -v '^src/objects/')
{
    grep -nH '\<TYPE_[A-Z]' $others | sed '/\.type = [^,]*\<TYPE_PROCESS\>/d; /\.type = TYPE_TOSS\>/d; /types_get(TYPE_PROCESS)/d'
    grep -nHE 'switch \((op|[a-z]+(->|\.)op(->|\.)|[a-z]+->)type\)' $others
} > "$work/asked"
[ -s "$work/asked" ] && { sed 's/$/: a type is asked for outside of objects/' "$work/asked"; failed=1; }

# ---- the front door of the runtime ----

# Who asks for the mode elsewhere is named at the top of modes.h.
named=$(sed -n '/Who asks elsewhere/,/house.sh/p' runtime/modes.h | grep -o '[a-z_]*\.[ch]' | paste -sd ' ')
grep -nE '\<rt_mode [=!]= |\<rt_in_group\(\)' runtime/*.[ch] | grep -v '^runtime/\(modes\|rt\)\.h:' | awk -v named="$named" '
    BEGIN { for (i = split(named, file, " "); i; i--) may["runtime/" file[i]] = 1 }
    { from = $0; sub(/:.*/, "", from) }
    !may[from] { print $0 ": the mode is asked for beside the front door (runtime/modes.h)" }' > "$work/modes"
[ -s "$work/modes" ] && { cat "$work/modes"; failed=1; }

# ---- words with one meaning ----

# A word of the glossary, and where it may stand in code: where its meaning lives. (SQLite's write-ahead log is its own affair.)
only() {                             # WORD PLACES: an extended regular expression
    grep -rnE "\\<([a-z]+_)*$1(_[a-z]+)*\\>" src runtime simulator certifier suite farm web extractor include --include=*.[ch] --include=*.inc 2> /dev/null |
        grep -vE "^($2)|write-ahead" | sed "s/\$/: '$1' means something else in ARCHITECTURE.md/"
}
{
    only inside 'simulator/|src/report/waiting\.'
    only settled? 'src/search/|src/system/foresight\.|certifier/tree'
    only ahead 'src/search/|src/system/foresight\.|src/report/helping\.|src/cli/test\.|certifier/|suite/'
} > "$work/meant"
[ -s "$work/meant" ] && { cat "$work/meant"; failed=1; }

# ---- what a search sees ----

functions=$(grep -c '^[a-z].*\<system_[a-z_]*(' src/system/system.h)
[ "$functions" -le 30 ] || wrong "src/system/system.h has $functions functions, more than 30"

# ---- files that have one idea ----

# A file that is longer has two. Not so lists (.inc), and what is given to others as one file: the header of extracted models.
wc -l src/*/*.[ch] runtime/*.[ch] simulator/*.[ch] certifier/*.[ch] suite/*.[ch] farm/*.[ch] web/*.[ch] extractor/*.[ch] extractor/clang/*.[ch] | awk '
    $2 != "total" && $1 > 600 { print $2 " has " $1 " lines, more than 600" }' > "$work/long"
[ -s "$work/long" ] && { cat "$work/long"; failed=1; }

# ---- invariants that are asserted ----

lines=$(cat src/*/*.[ch] | wc -l)
asserts=$(cat src/*/*.[ch] | grep -v '"assert(' | grep -c '\<assert(')
echo "$asserts asserts in $lines lines of src: $((asserts * 10000 / lines / 10)).$((asserts * 10000 / lines % 10)) in a thousand"
[ $((asserts * 100)) -ge "$lines" ] || wrong "fewer than 10 asserts in a thousand lines of src: a header's invariant is an assert in the code"
[ "${HOUSE:-}" ] && exit $failed

# ---- each of these can fail ----

cd "$work" && mkdir broken seen && (cd "$project" && tar -cf - ARCHITECTURE.md src runtime simulator/*.[ch] extractor certifier suite farm/*.[ch] web/*.[ch] include) | tar -C broken -xf - || exit 1
echo '#include "native/native.h"' >> broken/src/search/dfs.c
echo '#include "base/err.h"' >> broken/runtime/poll.c
echo '/* */' > broken/src/base/nobody.c
echo 'struct system {' >> broken/src/base/err.h
echo '    if (op->type == TYPE_QUEUE)' >> broken/src/report/text.c
echo '    switch (op->type)' >> broken/src/search/bfs.c
echo 'static bool asks(void) { return rt_in_group(); }' >> broken/runtime/loader.c
echo 'int inside_of;' >> broken/src/base/child.c
i=0; while [ $((i += 1)) -le 30 ]; do echo "void system_more_$(echo $i | tr 0-9 a-j)(void);"; done >> broken/src/system/system.h
i=0; while [ $((i += 1)) -le 601 ]; do echo "/* */"; done >> broken/src/history/habits.h
sed -i '/^    *assert(/d' broken/src/search/*.c broken/src/system/*.c
(cd seen && HOUSE=$work/broken sh "$project/tests/commands/house.sh" > ../said)
is "status of a broken house" 1 $?
for words in 'src/search/dfs.c includes native/native.h' 'runtime/poll.c includes base/err.h' 'src/base/nobody.c is not in' 'struct system is defined twice' \
             'src/report/text.c:[0-9]*: .*TYPE_QUEUE.*: a type is asked for' 'src/search/bfs.c:[0-9]*: .*: a type is asked for' \
             'runtime/loader.c:[0-9]*:.*: the mode is asked for' "src/base/child.c:[0-9]*:.*: 'inside' means something else" \
             'src/system/system.h has [0-9]* functions, more than 30' 'src/history/habits.h has [0-9]* lines, more than 600' 'fewer than 10 asserts in a thousand'; do
    grep -q "$words" said || { echo "it does not see: $words"; failed=1; }
done
exit $failed
