# Standard input from a file is a fixed input, read from its beginning by every execution; from elsewhere it is unsupported.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring reads.c
printf '1\n2\n' > lines
for how in FGETS READ PROCESSES; do
    must ${CC:-gcc} -g -D$how -o right-$how reads.c -pthread
    must ${CC:-gcc} -g -D$how -DWRONG -o wrong-$how reads.c -pthread
    for options in "" "--restart 1" "--reduction none" "--reduction sleep" "--reduction source"; do
        verisoft ./right-$how $options --quiet < lines
        is "$how $options" 0 $?
        verisoft ./wrong-$how $options --quiet --stdin lines
        is "$how $options, the other order" 1 $?
    done
    rm -f *.path
    verisoft ./wrong-$how < lines > report
    is "the command repeats the input ($how)" 1 "$(grep -c -e "replay ./wrong-$how --stdin lines error1.path$" report)"
    verisoft replay ./wrong-$how --stdin lines error1.path > replayed
    is "replay ($how)" 1 $?
    verisoft replay ./wrong-$how error1.path < lines > replayed
    is "replay, redirected ($how)" 1 $?
done

# One process with memory of its own; the place goes back with the rest.
cat > alone.c <<'C'
#include <stdio.h>
#include <verisoft.h>
int main(void)
{
    int a, b = 0, wanted = VS_toss(1);
    VS_assert(scanf("%d", &a) == 1 && a == 1);
    int again = VS_toss(2);
    if (again == 1)
        rewind(stdin);
    VS_assert(scanf("%d", &b) == 1 && b == (again == 1 ? 1 : 2));
    VS_assert(wanted == 0 || again != 2 || scanf("%d", &b) == EOF);
    return 0;
}
C
verisoft alone.c --quiet --stdin lines
is "alone" 0 $?
printf 'stdin lines\n' > system_file.VS
verisoft alone.c --quiet < /dev/null
is "named in system_file.VS" 0 $?
rm system_file.VS

# What is no file.
cat lines | verisoft ./right-FGETS > report
is "a pipe" 3 $?
is "the message names the call, and what to do" 2 "$(grep -o -e "calls fgets()" -e "< FILE" report | wc -l)"
for file in missing . /dev/zero; do
    verisoft ./right-FGETS --stdin $file 2> message
    is "--stdin $file" 2 $?
    is "it says so" 1 "$(grep -c -e "--stdin $file: " message)"
done
exit $failed
