# A program that has used up its numbers of files cannot be looked at: that is said, and no states are taken for the same.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > program.c <<'END_OF_PROGRAM'
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <verisoft.h>

int main(int argc, char **argv)
{
    struct rlimit few = {16, 16};
    setrlimit(RLIMIT_NOFILE, &few);
    while (dup(1) >= 0)
        ;
    for (int i = 0; i < atoi(argv[1]); i++)
        close(15 - i);
    int remembered = VS_toss(1);
    VS_toss(1);
    VS_assert(remembered == 0);
    return 0;
}
END_OF_PROGRAM
build linked program.c
for free in 0 1; do
    verisoft ./linked -- $free > said 2>&1
    is "status with $free numbers left" 2 $?
    grep -q 'cannot be .*ulimit -n' said || { echo "with $free numbers left:"; cat said; failed=1; }
done
verisoft ./linked --quiet -- 3
is "status with 3 numbers left" 1 $?
exit $failed
