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

# ---- executables ----

cat > server.cc <<'C'
#include <arpa/inet.h>
#include <cassert>
#include <iostream>
#include <string>
#include <getopt.h>
#include <unistd.h>
static int value = 1;
int main(int count, char **words)
{
    int port = 0, c;
    while ((c = getopt(count, words, "p:")) != -1)
        port = std::stoi(optarg);
    assert(port == 8080 && optind == 3 && value == 1);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons((uint16_t)port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listener, (sockaddr *)&a, sizeof a) && !listen(listener, 5));
    int connection = accept(listener, nullptr, nullptr);
    std::cout << "accepted" << std::endl;
    return write(connection, "ok", 2) != 2;
}
C
cat > client.c <<'C'
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int value = 2;
int main(int count, char **words)
{
    assert(count == 2 && value == 2 && !strcmp(words[1], "8080"));
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    char answer[4];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (void *)&a, sizeof a))
        abort();
    return read(fd, answer, sizeof answer) != 2;
}
C
counts() { sed -n 's/.*"\(states\|transitions\|executions\)": \([0-9]*\).*/\2/p' "$1" | tr '\n' ' '; }
${CXX:-g++} -g server.cc -o server && ${CC:-gcc} -g client.c -o client && strip -o bare client || exit 1
verisoft --stop-at-error 0 --json by-executable ./server -- -p 8080 + ./client -- 8080 > said 2>&1
is "executables: who connects too early" 1 $?
grep -q 'client.c:1[45]' said && grep -q './server + ./client: 3 processes' said || { cat said; failed=1; }
sh -c "$(sed -n 's/^  see it happen:  //p' said | head -1)" > replayed 2>&1
is "its replay" 1 $?
verisoft --stop-at-error 0 --json by-source server.cc -- -p 8080 + client.c -- 8080 > said 2>&1
is "the same from sources of C++ and C" 1 $?
[ "$(counts by-source | wc -w)" -ge 3 ] || { cat by-source; failed=1; }
is "and as many" "$(counts by-source)" "$(counts by-executable)"
verisoft --stop-at-error 0 --json stripped ./server -- -p 8080 + ./bare -- 8080 > said 2>&1
is "a stripped one" "$(counts by-source)" "$(counts stripped)"
# A constant of the C library that the linker put among what may not be written.
cat > any.c <<'C'
#include <assert.h>
#include <netinet/in.h>
int main(void) { struct in6_addr any = in6addr_any, zero = { 0 }; for (int i = 0; i < 16; i++) assert(any.s6_addr[i] == zero.s6_addr[i]); return 0; }
C
must gcc -g -fPIE -pie -o any any.c
verisoft ./any + ./any > said 2>&1
is "status of executables with a constant of the C library" 0 $? || cat said
refused() { verisoft "$@" > said 2>&1; is "$*" 2 $?; grep -q "$why" said || { cat said; failed=1; }; }
echo 'static __thread int own; int main(void) { return own; }' > local.c
gcc -o local local.c && gcc -no-pie -o fixed three.c && gcc -o done three.c || exit 1
why='thread-local variables';       refused ./done + ./local
why='lies at a fixed address';      refused ./done + ./fixed
why='either all are executables';   refused ./done + three.c
why='either all are executables';   refused three.c + ./done
gcc -static -o static three.c 2> /dev/null && { why='fixed address\|not linked dynamically'; refused ./done + ./static; }
exit ${failed:-0}
