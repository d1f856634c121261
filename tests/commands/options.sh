# Help, man page, sample file and doc/system_file.md name every option. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
table=$(sed -n 's/ | IN_TEST//; s/^    X(\([a-z0-9_]*\), *[A-Z]*, *\([A-Z| ]*\),.*/\1 \2/p' "$project/src/cli/options.h")
[ "$(echo "$table" | wc -l)" -gt 15 ] || echo "options.h does not look as it did"
must verisoft help > help.txt
must verisoft check --help > check.txt
must verisoft help system_file.VS > sample.txt
echo "$table" | while read -r name where; do
    option=--$(echo "$name" | tr _ -)
    grep -q -e "^  $option" help.txt || echo "help does not name $option"
    case $where in *IN_REPLAY*) ;; *) grep -q -e "^  $option" check.txt || echo "check --help does not name $option" ;; esac
    tr -d '\\' < "$B/verisoft.1" | grep -q -e "$option" || echo "the man page does not name $option"
    case $where in *PARAMETER*|*SHARED*)
        grep -q "^| \`$name\` |" "$project/doc/system_file.md" || echo "doc/system_file.md does not name $name"
        grep -q "^#* *$name " sample.txt || echo "the sample file does not name $name" ;;
    esac
done
for kind in deadlock livelock divergence assertion crash nondeterminism structure unsupported race; do
    grep -q $kind "$project/doc/sss.md" || echo "doc/sss.md does not name $kind"
done
if command -v man > /dev/null && man --version > /dev/null 2>&1; then
    man --warnings -l "$B/verisoft.1" 2>&1 > /dev/null | head -5
fi
echo done
