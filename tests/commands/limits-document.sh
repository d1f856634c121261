# Every constant that bounds something stands in doc/limits.md, by its name and with what happens when it is reached: constants that
# are called MOST, MAX, LARGEST, LONGEST or DEEPEST, and the sizes of tables. And none that is no more. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
work=$PWD
cd "${HOUSE:-$project}" || exit 1
list() { find include src runtime certifier extractor simulator suite farm web -name node_modules -prune -o -name '*.[ch]' -print 2> /dev/null | sort; }
name='([A-Z]+_)*(MOST|MAX|LARGEST|LONGEST|DEEPEST)(_[A-Z]+)*'

# FILE NAME of each that is defined with a value.
list | xargs grep -oE "\b$name += |#define +$name +[^ ]" | sed -E 's/:(#define +)?/ /; s/ +(=|[^ ]) *$//' | sort -u > "$work/defined"

# Sizes of tables, by their names: ..._COUNT is as many as there are of a list, and PATH_MAX is the system's.
list | xargs grep -hoE '^ *(static |struct |const |unsigned |char |uint|int|bool|FILE|void)[^=();]*[a-z_]\[[A-Z][A-Z_0-9]+' |
    sed 's/.*\[//' | grep -vE '_COUNT$|^PATH_MAX$' | sort -u > "$work/sizes"

sed -n '/^## By their names/,$s/^    //p' doc/limits.md | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort > "$work/listed"

[ -s "$work/defined" ] && [ -s "$work/sizes" ] && [ -s "$work/listed" ] || { echo "nothing was found to compare"; exit 1; }
comm -23 "$work/defined" "$work/listed" | sed 's/$/ bounds something, and is not in doc\/limits.md: what happens when it is reached?/' > "$work/wrong"
sed 's/.* //' "$work/listed" | sort -u | comm -23 "$work/sizes" - |
    sed 's/$/ is the size of a table, and is not in doc\/limits.md: what happens when it is full?/' >> "$work/wrong"
while read -r file constant; do
    grep -qsw "$constant" "$file" || echo "$file has no $constant any more: doc/limits.md"
done < "$work/listed" >> "$work/wrong"
uniq -d "$work/listed" | sed 's/$/: twice in doc\/limits.md/' >> "$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]
