# A source that was changed after its program was compiled is said to be; one that was not is not. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cp "$project/examples/transfer.c" .
${CC:-cc} -g -pthread -o transfer transfer.c || exit 1
warnings() { echo quit | verisoft ./transfer -simul --terminal | tr -s '\n ' ' ' | sed -n 's/.*warning: \(.*again\).*/\1/p'; }
touch -d 2001-01-01 transfer.c
is "what is said of a source that was not changed" "" "$(warnings)"
touch -d 2037-01-01 transfer.c
is "what is said of one that was" "transfer.c was changed after ./transfer was compiled: the lines that are shown may be others than \
those that run; compile it again" "$(warnings)"
exit $failed
