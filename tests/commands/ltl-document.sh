# doc/ltl.md has the templates, scopes, operators, sizes and the drawing that the command has. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
page=$project/doc/ltl.md

verisoft ltl --templates > templates
sed -n 's/^    //p' "$page" > indented
awk 'NR == FNR { wanted[FNR] = $0; count = FNR; next } { here[FNR] = $0; lines = FNR }
     END { for (at = 0; at + count <= lines; at++) { for (i = 1; i <= count && here[at + i] == wanted[i]; i++); if (i > count) exit 0 }
           exit 1 }' templates indented || { echo "the templates are not those of verisoft ltl --templates"; failed=1; }

verisoft ltl --help > help
sed -n '/^Scopes:/,$s/^  \(--[a-z-]*\) .*/\1/p' help > scopes
[ "$(wc -l < scopes)" = 5 ] || { echo "no scopes in the help"; failed=1; }
while read -r scope; do
    grep -q "^| \`$scope\` |" "$page" || { echo "no scope $scope"; failed=1; }
done < scopes

table=$(sed -n 's/^    X([A-Z]*, *[0-9], [0-9], "\([^"]*\)".*/\1/p' "$project/src/properties/ltl.h")
[ "$(echo "$table" | wc -l)" = 14 ] || { echo "ltl.h does not look as it did"; failed=1; }
for written in $table; do
    [ "$written" = '\\' ] && continue
    sed 's/\\|/|/g' "$page" | grep '^| `' | grep -qF -e "$(echo "$written" | sed 's/\\\\/\\/')" || { echo "no operator $written"; failed=1; }
done

# | `pattern` | ours/Spin's, ours/Spin's of the negation | ...
rows=0
states() { verisoft ltl --template "$1" "--$2" $3 $4 | sed -n 's/^\([0-9]*\) states\{0,1\},.*/\1/p'; }
while IFS='|' read -r nothing pattern globally before after between until rest; do
    pattern=$(echo "$pattern" | tr -d ' `')
    for scope in globally before after between after-until; do
        case $scope in
        globally) cell=$globally given= ;;      before) cell=$before given=r=r ;;      after) cell=$after given=q=q ;;
        between) cell=$between given='q=q r=r' ;;  *) cell=$until given='q=q r=r' ;;
        esac
        case $pattern in precedence|response) given="$given s=s" ;; esac
        is "states of $pattern $scope" "$(echo "$cell" | sed 's|^ *\([0-9]*\)/.*|\1|')" "$(states "$pattern" $scope "p=p $given")"
        is "states of not $pattern $scope" "$(echo "$cell" | sed 's|.*, \([0-9]*\)/.*|\1|')" "$(states "$pattern" $scope "p=p $given" --not)"
    done
    rows=$((rows + 1))
done <<END
$(grep '^| `[a-z0-9-]*` | [0-9]*/' "$page")
END
is "rows with sizes" 7 $rows

sed -n 's/^    \$ verisoft ltl \(.*\)/\1/p' "$page" > commands
[ "$(wc -l < commands)" = 3 ] || { echo "not as many examples as there were"; failed=1; }
while read -r words; do
    awk -v command="    \$ verisoft ltl $words" 'here && !/^    / { exit } here { sub(/^    /, ""); print } $0 == command { here = 1 }' "$page" > expected
    eval "verisoft ltl $words" > printed 2>&1
    diff -u expected printed || { echo "of: verisoft ltl $words"; failed=1; }
done < commands

must verisoft ltl '<>(so && X (!eo U (ni && (np U ne))))' --svg forwarding.svg
cmp forwarding.svg "$project/doc/pictures/forwarding.svg" || failed=1
exit $failed
