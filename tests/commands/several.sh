# Several programs, checked together: each has its own functions, variables and arguments; what is found replays; what cannot be is said.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > one.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static int value = 1;
int shared_name = 1;
int helper(void) { return value; }
int main(int count, char **words)
{
    assert(count == 3 && !strcmp(words[0], "one.c") && !strcmp(words[1], "a") && !strcmp(words[2], "b c"));
    assert(helper() == 1 && shared_name == 1);
    return 0;
}
C
cat > two.c <<'C'
#include <assert.h>
#include <string.h>
int shared_name = 2;
int helper(void) { return 2; }
int main(int count, char **words)
{
#ifdef WRONG
    assert(count == 1);
#endif
    assert(count == 2 && !strcmp(words[0], "two.c") && !strcmp(words[1], "-x") && helper() == 2 && shared_name == 2);
    return 0;
}
C
cat > three.c <<'C'
#include <assert.h>
int main(int count, char **words) { assert(count == 1 && words[0] && !words[1]); return 0; }
C
verisoft one.c -- a "b c" + two.c -- -x + three.c > said 2>&1
is "three programs" 0 $?
grep -q 'one.c + two.c + three.c: 4 processes' said || { cat said; failed=1; }
verisoft three.c + one.c -- a "b c" + three.c + two.c -- -x > said 2>&1
is "in another order" 0 $?
verisoft -DWRONG one.c -- a "b c" + two.c -- -x > said 2>&1
is "an assertion of one" 1 $?
command=$(sed -n 's/^  see it happen:  //p' said)
sh -c "$command" > replayed 2>&1
is "its replay" 1 $?
grep -q 'assert(count == 1)' replayed || { cat replayed; failed=1; }
verisoft one.c + > said 2>&1; is "nothing behind the mark" 2 $?
gcc -o done three.c && verisoft done + three.c > said 2>&1; is "an executable" 2 $?
grep -q 'their sources are needed' said || { cat said; failed=1; }
exit ${failed:-0}
