# A run that comes to nothing leaves a report that says so, and not that of an earlier run; warnings are shown; help has 80 columns.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring two.c fine.c
verisoft two.c --json r.json --quiet
is "a first report" errors "$(json r.json result)"
after() {                            # WHAT COMMAND...
    what=$1
    shift
    "$@" > /dev/null 2>&1
    is "exit status, $what" 2 $?
    is "report, $what" unusable "$(json r.json result)"
    is "errors, $what" 0 "$(json r.json errors.#)"
    [ "$(json r.json message)" ] || is "message, $what" "some" ""
    verisoft two.c --json r.json --quiet
}
after "no such program" verisoft ./nothere --json r.json
after "no such option" verisoft two.c --nonsense --json=r.json
echo 'int main(void) { return' > broken.c
after "it does not compile" verisoft broken.c --json r.json
verisoft broken.c --json - > standard.json 2> /dev/null
is "report to standard output" unusable "$(json standard.json result)"

sed 's/^int main.*/&\n#warning look_at_this/' fine.c > warns.c
verisoft warns.c --quiet 2> said
is "status of what compiles" 0 $?
grep -q look_at_this said || is "the compiler's warning" shown "$(cat said)"

for topic in "" check replay simulate system_file.VS; do
    is "longest line of help $topic" "" "$(verisoft help $topic | awk 'length > 80')"
done
verisoft --help | grep -q 'dynamically linked' || is "what PROGRAM may be" "dynamically linked" "nothing"

# Without -g there are no places: the report says what would give them.
bring examples/transfer.c
must ${CC:-gcc} -pthread -o plain transfer.c
must ${CC:-gcc} -g -pthread -o lines transfer.c
verisoft ./plain | grep -q 'compile it with -g' || is "without -g" "a hint" "none"
verisoft ./lines | grep -q 'compile it with -g' && is "with -g" "no hint" "a hint"
exit $failed
