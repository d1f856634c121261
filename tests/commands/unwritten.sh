# What cannot be printed is not passed over, whatever was asked for; that nobody reads on is no failure. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
[ -c /dev/full ] || { echo "there is no /dev/full here"; exit 77; }
bring two.c
build two two.c
verisoft ./two --quiet --output found
[ -e found/error1.path ] || { echo "no scenario"; exit 1; }
for command in "./two --output found" "./two --output found --json -" "replay ./two found/error1.path" "./two -simul --terminal" "--help" \
    "--version" "help check" "help system_file.VS" "man"; do
    echo quit | verisoft $command > /dev/full 2> said
    is "status of $command on a full disk" 2 $?
    grep -q 'standard output.*\(cannot\|could\) be written' said || { echo "$command says:"; cat said; failed=1; }
done
verisoft --help | head -n 1 > /dev/null 2> said
is "what is said when nobody reads on" "" "$(cat said)"

(ulimit -f 4; verisoft ./two --quiet --output found) > said 2>&1
is "status when files may not grow" 2 $?
grep -q 'ulimit -f' said || { cat said; failed=1; }
exit $failed
